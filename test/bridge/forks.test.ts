/** An L2 and its L1, both forked from networks: a pair of devnets on ports, with deposits, withdrawals and games. */
import { encodeFunctionData, parseAbi, parseEther, type TransactionReceipt } from 'viem'
import { getL2TransactionHashes, getWithdrawals } from 'viem/op-stack'
import { describe, expect, it } from 'vitest'
import { createDevnet, type DevnetOptions, InvalidOption } from '../../src/index.ts'
import { type Bridged, bridged, EPOCH, initiated, OP_ON_L1, statusOf } from '../support/clients/bridge.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const WEEK = { days: 7, minutes: 1 } as const
const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const GAME_FACTORY = '0xe5965Ab5962eDc7477C8520243A95517CD252fA9'
const abi = parseAbi([
  'function number() view returns (uint64)',
  'function gameCount() view returns (uint256)',
  'function setInitBond(uint32 gameType, uint256 bond)',
])

/** A network some minutes old, and the options that fork it. */
async function network(options: DevnetOptions = {}) {
  const pair = await bridged(options)
  await pair.l2.advance({ minutes: 2 })
  return pair
}

async function forkOf({ l1, l2 }: Bridged, options: DevnetOptions = {}): Promise<Bridged> {
  const [l2Port, l1Port] = await Promise.all([l2.listen({ port: 0 }), l1.listen({ port: 0 })])
  return bridged({ ...options, fork: { url: l2Port.url }, l1: { fork: { url: l1Port.url } } })
}

/** Proves a withdrawal against the newest game, or that at `index`. */
async function proven(pair: Bridged, receipt: TransactionReceipt, index?: bigint): Promise<void> {
  const { l2, account, clientL1, clientL2 } = pair
  const games = await clientL1.getGames({ targetChain: clientL2.chain })
  const game = index === undefined ? games[0]! : games.find((one) => one.index === index)!
  const [withdrawal] = getWithdrawals(receipt)
  const proof = await clientL2.buildProveWithdrawal({ account, game, withdrawal: withdrawal! })
  const hash = await clientL1.proveWithdrawal(proof)
  await l2.advance(EPOCH)
  expect(await clientL1.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
}

async function finalized(pair: Bridged, receipt: TransactionReceipt): Promise<void> {
  const { l2, account, clientL1, clientL2 } = pair
  await l2.advance(WEEK)
  expect(await statusOf(pair, receipt)).toBe('ready-to-finalize')
  const [withdrawal] = getWithdrawals(receipt)
  await clientL1.finalizeWithdrawal({ withdrawal: withdrawal!, account, targetChain: clientL2.chain })
  await l2.advance(EPOCH)
  expect(await statusOf(pair, receipt)).toBe('finalized')
}

describe('an L2 forked with its L1', () => {
  it('begins with the fork block of the L2 and its L1 origin, on the contracts of the network', async () => {
    const theirs = await network()
    await theirs.l1.mine(2) // The L2 has not derived these blocks.
    const { l1, l2, clientL1 } = await forkOf(theirs)
    expect(l2.latest.hash).toBe(theirs.l2.latest.hash)
    const origin = await theirs.clientL2.readContract({ abi, address: L1_BLOCK, functionName: 'number' })
    expect(l1.latest.header.number).toBe(origin)
    expect(l1.latest.hash).toBe((await theirs.clientL1.getBlock({ blockNumber: origin })).hash)
    expect([l1.settings.chainId, l2.settings.chainId]).toEqual([1, 10])
    expect(await clientL1.getCode({ address: OP_ON_L1.portal })).toBe(
      await theirs.clientL1.getCode({ address: OP_ON_L1.portal }),
    )
  })

  it('derives each L1 block after the L1 origin of the fork block', async () => {
    const { l1, l2, clientL2 } = await forkOf(await network())
    const origin = l1.latest.header.number
    const origins: bigint[] = []
    for (let i = 0; i < 13; i++) {
      await l2.mine()
      await l2.increaseTime(2)
      origins.push(await clientL2.readContract({ abi, address: L1_BLOCK, functionName: 'number' }))
    }
    expect([...new Set(origins)]).toEqual([origin, origin + 1n, origin + 2n])
  })

  it('has the output root of the network for the fork block', async () => {
    const theirs = await network()
    const { l2 } = await forkOf(theirs)
    const number = `0x${l2.latest.header.number.toString(16)}`
    const [own, ofNetwork] = await Promise.all(
      [l2, theirs.l2].map((devnet) => ask<{ outputRoot: string }>(devnet, 'optimism_outputAtBlock', number)),
    )
    expect(own!.outputRoot).toBe(ofNetwork!.outputRoot)
  })

  it('gets deposits, and loses them with a reorg of the L1', async () => {
    const { l2, account, clientL1, clientL2 } = await forkOf(await network())
    const built = await clientL2.buildDepositTransaction({ mint: 7n, to: STRANGER, account })
    const hash = await clientL1.depositTransaction(built)
    await l2.advance(EPOCH)
    const [l2Hash] = getL2TransactionHashes(await clientL1.getTransactionReceipt({ hash }))
    expect(await clientL2.getTransactionReceipt({ hash: l2Hash! })).toMatchObject({ status: 'success' })
    expect(await clientL2.getBalance({ address: STRANGER })).toBe(7n)
    await l2.l1!.faults.reorg({ depth: 1, transactions: 'drop' })
    expect(await clientL2.getBalance({ address: STRANGER })).toBe(0n)
  })

  it('makes withdrawals that pay on the L1', async () => {
    const pair = await forkOf(await network())
    const receipt = await initiated(pair)
    await pair.l2.advance(EPOCH)
    await proven(pair, receipt)
    await finalized(pair, receipt)
    expect(await pair.clientL1.getBalance({ address: STRANGER })).toBe(parseEther('1'))
  })

  it('pays the bond of the factory for its games', async () => {
    const theirs = await network()
    const data = encodeFunctionData({ abi, functionName: 'setInitBond', args: [1, parseEther('0.08')] })
    const [owner] = theirs.l1.accounts.slice(9)
    await ask(theirs.l1, 'eth_sendTransaction', { from: owner!.address, to: GAME_FACTORY, data })
    await theirs.l2.advance({ minutes: 1 })
    const { l2, clientL1 } = await forkOf(theirs)
    await l2.advance({ seconds: 30 })
    expect(await clientL1.readContract({ abi, address: GAME_FACTORY, functionName: 'gameCount' })).toBe(1n)
  })

  it('has the fork block as its safe and finalized block, until later ones are', async () => {
    const { l2, clientL2 } = await forkOf(await network())
    const forkBlock = l2.latest.header.number
    const numbers = () =>
      Promise.all(
        (['safe', 'finalized'] as const).map(
          async (blockTag) => (await clientL2.getBlock({ blockTag })).number,
        ),
      )
    expect(await numbers()).toEqual([forkBlock, forkBlock])
    await l2.advance({ seconds: 30 })
    const [safe, final] = await numbers()
    expect(safe).toBeGreaterThan(forkBlock)
    expect(final).toBe(forkBlock)
    await l2.advance({ minutes: 14 })
    expect((await numbers())[1]).toBeGreaterThan(forkBlock)
  })

  it('goes back to the fork block, and is forked, with its L1', async () => {
    const { l1, l2 } = await forkOf(await network())
    const [first, firstOnL1] = [l2.latest.header.number, l1.latest.header.number]
    await l2.advance({ minutes: 1 })
    await using again = l2.fork()
    await again.advance({ seconds: 24 })
    expect(again.l1!.latest.header.number).toBe(l1.latest.header.number + 2n)
    await ask(l2, 'anvil_reset')
    expect([l2.latest.header.number, l1.latest.header.number]).toEqual([first, firstOnL1])
    await l2.advance(EPOCH)
    expect(l1.latest.header.number).toBe(firstOnL1 + 1n)
  })

  it('can be forked from providers, and by the chain id of a known network without a profile', async () => {
    const { l1, l2 } = await network()
    const fork = await started({
      rhythm: 'manual',
      fork: { provider: l2 },
      l1: { fork: { provider: l1 }, tickMs: 6_000 },
    })
    expect(fork.settings.l2).toBe('op')
    await fork.advance({ seconds: 13 })
    expect(fork.l1!.latest.header.number).toBe(l1.latest.header.number + 2n)
  })
})

describe('a withdrawal of before the fork', () => {
  it('is proven against the proposal of the first block after the fork block', async () => {
    const theirs = await network()
    const receipt = await initiated(theirs)
    const pair = await forkOf(theirs)
    expect(await statusOf(pair, receipt)).toBe('waiting-to-prove')
    await pair.l2.advance({ seconds: 30 })
    expect(await statusOf(pair, receipt)).toBe('ready-to-prove')
    await proven(pair, receipt)
    await finalized(pair, receipt)
    expect(await statusOf(theirs, receipt)).not.toBe('finalized')
  })

  it('is proven against a game of the network, which ends on the fork', async () => {
    const theirs = await network()
    const receipt = await initiated(theirs)
    await theirs.l2.advance({ minutes: 1 })
    const pair = await forkOf(theirs)
    await proven(pair, receipt, 0n)
    await finalized(pair, receipt)
  })

  it('is finalized on the fork if the network has proven it', async () => {
    const theirs = await network()
    const receipt = await initiated(theirs)
    await theirs.l2.advance({ minutes: 1 })
    await proven(theirs, receipt)
    await theirs.l2.advance({ minutes: 1 })
    await finalized(await forkOf(theirs), receipt)
  })
})

describe('refused is', () => {
  const url = 'http://127.0.0.1:1'
  it.each<[string, DevnetOptions, string]>([
    ['a fork of the L2 alone', { fork: { url }, l1: true }, 'l1.fork: expected a network as well'],
    ['a fork of the L1 alone', { l1: { fork: { url } } }, 'fork: expected a network as well'],
    [
      'a fork block of the L1',
      { fork: { url }, l1: { fork: { url, block: 3 } } },
      'l1.fork.block: expected nothing, because the fork block of the L2 decides it',
    ],
    [
      'a fork without proofs',
      { fork: { url, proofs: false }, l1: { fork: { url } } },
      'fork.proofs: expected true',
    ],
    ['an L1 without a node', { fork: { url }, l1: { fork: {} } }, 'l1.fork: expected either url or provider'],
  ])('%s', async (_, options, message) => {
    const creating = createDevnet({ profile: 'op-flashblocks', ...options })
    await expect(creating).rejects.toThrow(InvalidOption)
    await expect(creating).rejects.toThrow(message)
  })

  it('an L1 that lacks the L1 origin of the fork block', async () => {
    const [theirs, other] = [await network(), await network({ timestamp: 1_000 })]
    const creating = bridged({ fork: { provider: theirs.l2 }, l1: { fork: { provider: other.l1 } } })
    await expect(creating).rejects.toThrow(
      'l1.fork: expected a node of the L1 of the network that fork names',
    )
  })

  it('an L1 beside the fork of a network that is no L2', async () => {
    const { l1 } = await network()
    const creating = createDevnet({ fork: { provider: l1 }, l1: { fork: { provider: l1 } } })
    await expect(creating).rejects.toThrow('l1: expected nothing, unless the forked network is an L2')
  })

  it('a reset of the L2 to another block, because the L1 would stay', async () => {
    const { l2 } = await forkOf(await network())
    const resetting = ask(l2, 'anvil_reset', { forking: { blockNumber: 1 } })
    await expect(resetting).rejects.toThrow('an L2 with its L1 cannot be reset to another block')
  })
})
