/** A fork of a network whose portal asks AnchorStateRegistry about games, and whose factory appends `gameArgs` (NewerContracts.sol). */
import { readFileSync } from 'node:fs'
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, parseEther } from 'viem'
import { optimism } from 'viem/chains'
import { getWithdrawals } from 'viem/op-stack'
import { expect, it } from 'vitest'
import { type Bridged, bridged, EPOCH, initiated, OP_ON_L1, statusOf } from '../support/clients/bridge.ts'
import { ask, STRANGER } from '../support/clients/clients.ts'
import { compiled, contractOf } from '../support/compilers/solidity.ts'

const { address: FACTORY } = optimism.contracts.disputeGameFactory[1]
const REGISTRY = '0x00000000000000000000000000000000000000e0'
/** The code of the network's game, which nobody calls: INVALID. */
const GAME = '0x00000000000000000000000000000000000000a0'
const GAME_TYPE = 8
/** The selector of `OptimismPortal_ImproperDisputeGame()`. */
const IMPROPER_GAME = '0xf395240e'
const BOND = parseEther('0.08')

const compilation = compiled(
  { 'NewerContracts.sol': readFileSync(new URL('NewerContracts.sol', import.meta.url), 'utf8') },
  { optimizer: true },
)

/** A network with an L1 on which the newer contracts are in place of the others. */
async function network(retirement = 1n): Promise<Bridged> {
  const pair = await bridged()
  const { l1, l2 } = pair
  const place = async (address: Hex, name: string, args: readonly unknown[]) => {
    const { abi, evm } = contractOf(compilation, name).output
    const bytecode: Hex = `0x${evm!.bytecode!.object}`
    const data = encodeDeployData({ abi: abi as Abi, bytecode, args })
    await ask(l1, 'anvil_setCode', address, await ask(l1, 'eth_call', { data }))
    return abi as Abi
  }
  await place(OP_ON_L1.portal, 'OptimismPortal2', [REGISTRY, OP_ON_L1.systemConfig])
  await place(REGISTRY, 'AnchorStateRegistry', [FACTORY, GAME_TYPE, retirement])
  const abi = await place(FACTORY, 'DisputeGameFactory', [])
  await ask(l1, 'anvil_setCode', GAME, '0xfe')
  const args = [GAME_TYPE, GAME, `0x${'99'.repeat(124)}`, BOND]
  const data = encodeFunctionData({ abi, functionName: 'setImplementation', args })
  await ask(l1, 'eth_sendTransaction', { from: l1.accounts[0]!.address, to: FACTORY, data, gas: '0x7a120' })
  await l2.advance({ minutes: 1 })
  return pair
}

function forkOf({ l1, l2 }: Bridged): Promise<Bridged> {
  return bridged({ fork: { provider: l2 }, l1: { fork: { provider: l1 } } })
}

it('a withdrawal is proven against a game of the respected type, matures, and pays', async () => {
  const pair = await forkOf(await network())
  const { l2, account, clientL1, clientL2 } = pair
  const receipt = await initiated(pair)
  await l2.advance({ seconds: 30 })
  expect(await statusOf(pair, receipt)).toBe('ready-to-prove')
  const targetChain = clientL2.chain
  const { game, withdrawal } = await clientL1.waitToProve({ receipt, targetChain })
  expect(game.timestamp).toBeGreaterThan(0n)
  await clientL1.proveWithdrawal(await clientL2.buildProveWithdrawal({ account, game, withdrawal }))
  await l2.advance(EPOCH)
  expect(await statusOf(pair, receipt)).toBe('waiting-to-finalize')
  await l2.advance({ days: 7, minutes: 1 })
  expect(await statusOf(pair, receipt)).toBe('ready-to-finalize')
  await clientL1.finalizeWithdrawal({ account, targetChain, withdrawal: getWithdrawals(receipt)[0]! })
  await l2.advance(EPOCH)
  expect(await clientL1.getBalance({ address: STRANGER })).toBe(parseEther('1'))
})

it('a game that the registry has retired is refused', async () => {
  const pair = await forkOf(await network(2n ** 63n))
  const { l2, account, clientL1, clientL2 } = pair
  const receipt = await initiated(pair)
  await l2.advance({ seconds: 30 })
  const { game, withdrawal } = await clientL1.waitToProve({ receipt, targetChain: clientL2.chain })
  const proof = await clientL2.buildProveWithdrawal({ account, game, withdrawal })
  await expect(clientL1.proveWithdrawal(proof)).rejects.toThrow(IMPROPER_GAME)
})
