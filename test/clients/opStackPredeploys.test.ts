/** The bridges of an L2, as viem's clients of the OP Stack use them. The ABIs are those of the OP Stack's interfaces. */
import { createClient, encodeFunctionData, type Hex, parseAbi, parseEther, publicActions, toHex } from 'viem'
import { base } from 'viem/chains'
import { getWithdrawals, initiateWithdrawal, publicActionsL2, walletActionsL2 } from 'viem/op-stack'
import { describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const MESSENGER = '0x4200000000000000000000000000000000000007'
const BRIDGE = '0x4200000000000000000000000000000000000010'
const ERC20_FACTORY = '0x4200000000000000000000000000000000000012'
const MESSAGE_PASSER = '0x4200000000000000000000000000000000000016'
/** Base's contracts on Ethereum (docs.base.org). */
const L1_MESSENGER = '0x866E82a600A1414e583f7F13623F1aC5d58b0Afa'
const L1_BRIDGE = '0x3154Cf16ccdb4C6d922629664174b904d80F2C35'
/** What an L1 contract's address becomes as the sender of a deposit (specs.optimism.io `protocol/deposits.html`). */
const ALIASED_L1_MESSENGER = toHex(
  (BigInt(L1_MESSENGER) + 0x1111000000000000000000000000000000001111n) % 2n ** 160n,
  { size: 20 },
)

const abi = parseAbi([
  'function sentMessages(bytes32) view returns (bool)',
  'function sendMessage(address target, bytes message, uint32 minGasLimit) payable',
  'function bridgeETHTo(address to, uint32 minGasLimit, bytes extraData) payable',
  'function finalizeBridgeETH(address from, address to, uint256 amount, bytes extraData) payable',
  'function relayMessage(uint256 nonce, address sender, address target, uint256 value, uint256 minGasLimit, bytes message) payable',
  'function createOptimismMintableERC20(address remoteToken, string name, string symbol) returns (address)',
  'function RECIPIENT() view returns (address)',
  'function MIN_WITHDRAWAL_AMOUNT() view returns (uint256)',
  'function otherMessenger() view returns (address)',
  'function otherBridge() view returns (address)',
  'function withdraw()',
])

async function onBase(options = {}) {
  const devnet = await started({ profile: 'base-flashblocks', rhythm: 'manual', ...options })
  const client = createClient({
    account: devnet.accounts[0]!.address,
    chain: { ...base, id: devnet.settings.chainId },
    transport: devnet.transport(),
  })
    .extend(publicActions)
    .extend(publicActionsL2())
    .extend(walletActionsL2())
  return { devnet, client }
}

async function mined(devnet: Devnet, hash: Hex) {
  await devnet.mine()
  return ask<{ status: Hex; logs: never[]; transactionHash: Hex }>(devnet, 'eth_getTransactionReceipt', hash)
}

async function send(devnet: Devnet, to: Hex, data: Hex, fields = {}) {
  const from = devnet.accounts[0]!.address
  return mined(devnet, await ask<Hex>(devnet, 'eth_sendTransaction', { from, to, data, ...fields }))
}

describe('a withdrawal', () => {
  it('is recorded by the message passer, which holds the ether', async () => {
    const { devnet, client } = await onBase()
    const hash = await initiateWithdrawal(client, {
      request: { gas: 21_000n, to: STRANGER, value: parseEther('1') },
    })
    const [withdrawal] = getWithdrawals(await mined(devnet, hash))
    expect(withdrawal).toMatchObject({ target: STRANGER, value: parseEther('1'), gasLimit: 21_000n })
    expect(await client.getBalance({ address: MESSAGE_PASSER })).toBe(parseEther('1'))
    const isSent = await client.readContract({
      address: MESSAGE_PASSER,
      abi,
      functionName: 'sentMessages',
      args: [withdrawal!.withdrawalHash],
    })
    expect(isSent).toBe(true)
  })

  it('of ether over the bridge is a message of the messenger to the bridge on Ethereum', async () => {
    const { devnet, client } = await onBase()
    const data = encodeFunctionData({ abi, functionName: 'bridgeETHTo', args: [STRANGER, 200_000, '0x'] })
    const receipt = await send(devnet, BRIDGE, data, { value: toHex(5n) })
    expect(receipt.status).toBe('0x1')
    expect(getWithdrawals(receipt)).toMatchObject([{ sender: MESSENGER, target: L1_MESSENGER, value: 5n }])
    expect(await client.readContract({ address: BRIDGE, abi, functionName: 'otherBridge' })).toBe(L1_BRIDGE)
  })
})

describe('a message from Ethereum', () => {
  const relayed = (sender: Hex) =>
    encodeFunctionData({
      abi,
      functionName: 'relayMessage',
      args: [
        1n << 240n,
        sender,
        BRIDGE,
        7n,
        200_000n,
        encodeFunctionData({
          abi,
          functionName: 'finalizeBridgeETH',
          args: [STRANGER, STRANGER, 7n, '0x'],
        }),
      ],
    })

  it('of the bridge pays out the deposit', async () => {
    const { devnet } = await onBase({ autoImpersonate: true })
    await ask(devnet, 'anvil_setBalance', ALIASED_L1_MESSENGER, toHex(parseEther('1')))
    const fields = { from: ALIASED_L1_MESSENGER, value: toHex(7n), gas: toHex(1_000_000n) }
    expect((await send(devnet, MESSENGER, relayed(L1_BRIDGE), fields)).status).toBe('0x1')
    expect(await ask(devnet, 'eth_getBalance', STRANGER, 'latest')).toBe('0x7')
  })

  it('of anybody else pays nothing', async () => {
    const { devnet } = await onBase({ autoImpersonate: true })
    await ask(devnet, 'anvil_setBalance', ALIASED_L1_MESSENGER, toHex(parseEther('1')))
    const fields = { from: ALIASED_L1_MESSENGER, value: toHex(7n), gas: toHex(1_000_000n) }
    await send(devnet, MESSENGER, relayed(STRANGER), fields)
    expect(await ask(devnet, 'eth_getBalance', STRANGER, 'latest')).toBe('0x0')
  })
})

describe('the other predeploys', () => {
  it('are the vaults, which pay out at least 10 ether to an account of the mnemonic', async () => {
    const { devnet, client } = await onBase()
    const vaults = [
      '0x4200000000000000000000000000000000000019',
      '0x420000000000000000000000000000000000001a',
    ]
    const all = [...vaults, '0x4200000000000000000000000000000000000011'] as Hex[]
    for (const [i, address] of all.entries()) {
      const recipient = await client.readContract({ address, abi, functionName: 'RECIPIENT' })
      expect(recipient.toLowerCase()).toBe(devnet.accounts[7 + i]!.address.toLowerCase())
      const least = await client.readContract({ address, abi, functionName: 'MIN_WITHDRAWAL_AMOUNT' })
      expect(least).toBe(parseEther('10'))
      const data = encodeFunctionData({ abi, functionName: 'withdraw' })
      await expect(ask(devnet, 'eth_call', { to: address, data })).rejects.toThrow(/revert/)
      await ask(devnet, 'anvil_setBalance', address, toHex(parseEther('11')))
      expect(getWithdrawals(await send(devnet, address, data))).toHaveLength(1)
    }
  })

  it('are the factory of bridged tokens and the messenger, which know each other', async () => {
    const { devnet, client } = await onBase()
    const args = [STRANGER, 'Bridged', 'BRG'] as const
    const data = encodeFunctionData({ abi, functionName: 'createOptimismMintableERC20', args })
    expect((await send(devnet, ERC20_FACTORY, data)).status).toBe('0x1')
    expect(await client.readContract({ address: MESSENGER, abi, functionName: 'otherMessenger' })).toBe(
      L1_MESSENGER,
    )
  })

  it.each([
    ['ProxyAdmin', '0x4200000000000000000000000000000000000018'],
    ['OperatorFeeVault', '0x420000000000000000000000000000000000001b'],
    ['SchemaRegistry', '0x4200000000000000000000000000000000000020'],
    ['EAS', '0x4200000000000000000000000000000000000021'],
    ['GovernanceToken', '0x4200000000000000000000000000000000000042'],
  ] as const)(
    'refuse calls by name and take no ether where preseal lacks them: %s',
    async (name, address) => {
      const { devnet, client } = await onBase({ profile: 'op-flashblocks' })
      const functionName = 'withdraw'
      await expect(client.simulateContract({ address, abi, functionName })).rejects.toThrow(
        `preseal does not have the predeploy ${name}`,
      )
      const sent = { gas: '0x186a0', value: toHex(parseEther('1')) }
      expect((await send(devnet, address, '0x', sent)).status).toBe('0x0')
      expect(await client.getBalance({ address })).toBe(0n)
    },
  )
})
