/** Deposits: from a transaction on L1 to its effect on L2, with viem's actions of the OP Stack as the client. */
import { encodeFunctionData, getContractAddress, type Hex, parseAbi, parseEther, toHex } from 'viem'
import { getL2TransactionHashes, getSourceHash } from 'viem/op-stack'
import { describe, expect, it } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import { type Bridged, bridged, bridgedToken, derived, EPOCH, OP_ON_L1 } from '../support/clients/bridge.ts'
import { ask, STRANGER } from '../support/clients/clients.ts'

const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'
const L2_MESSENGER = '0x4200000000000000000000000000000000000007'
const L2_BRIDGE = '0x4200000000000000000000000000000000000010'
const ETHER = parseEther('1')

const abi = parseAbi([
  'function depositTransaction(address to, uint256 value, uint64 gasLimit, bool isCreation, bytes data) payable',
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) payable',
  'function depositETHTo(address to, uint32 minGasLimit, bytes extraData) payable',
  'function depositERC20To(address l1Token, address l2Token, address to, uint256 amount, uint32 minGasLimit, bytes extraData)',
  'function sendMessage(address target, bytes message, uint32 minGasLimit) payable',
  'function relayMessage(uint256 nonce, address sender, address target, uint256 value, uint256 minGasLimit, bytes message) payable',
  'function balanceOf(address) view returns (uint256)',
  'function xDomainMessageSender() view returns (address)',
  'event OptimismMintableERC20Created(address indexed localToken, address indexed remoteToken, address deployer)',
  'event FailedRelayedMessage(bytes32 indexed msgHash)',
])

/** What an L1 contract's address becomes as the sender of a deposit (specs.optimism.io `protocol/deposits.html`). */
function aliased(address: Hex): Hex {
  return toHex((BigInt(address) + 0x1111000000000000000000000000000000001111n) % 2n ** 160n, { size: 20 })
}

/** Sends a transaction on L1, and derives its block. Returns the receipts of its deposits on L2. */
async function deposited(
  { l2, clientL1, clientL2 }: Bridged,
  request: { readonly to: Hex; readonly data?: Hex; readonly value?: bigint },
) {
  const hash = await clientL1.sendTransaction({ ...request, gas: 2_000_000n })
  await derived(l2, hash)
  const receipt = await clientL1.getTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  const hashes = getL2TransactionHashes(receipt)
  return {
    receipt,
    deposits: await Promise.all(hashes.map((one) => clientL2.getTransactionReceipt({ hash: one }))),
  }
}

const portalCall = (to: Hex, value: bigint, data: Hex = '0x', isCreation = false, gas = 300_000n) =>
  encodeFunctionData({ abi, functionName: 'depositTransaction', args: [to, value, gas, isCreation, data] })

describe("viem's actions", () => {
  it('buildDepositTransaction, depositTransaction, getL2TransactionHashes and waitForTransactionReceipt', async () => {
    const { l2, account, clientL1, clientL2 } = await bridged()
    const before = await clientL1.getBalance({ address: OP_ON_L1.portal })
    const built = await clientL2.buildDepositTransaction({ mint: ETHER, to: STRANGER, account })
    const hash = await clientL1.depositTransaction(built)
    await l2.advance(EPOCH)
    const receipt = await clientL1.waitForTransactionReceipt({ hash })
    const [l2Hash] = getL2TransactionHashes(receipt)
    const l2Receipt = await clientL2.waitForTransactionReceipt({ hash: l2Hash! })
    expect(l2Receipt).toMatchObject({ status: 'success', type: '0x7e', from: account.address.toLowerCase() })
    expect(await clientL2.getBalance({ address: STRANGER })).toBe(ETHER)
    expect(await clientL1.getBalance({ address: OP_ON_L1.portal })).toBe(before + ETHER)
  })

  it('estimateDepositTransactionGas, whose gas is enough', async () => {
    const { l2, account, clientL1, clientL2 } = await bridged()
    const { request } = await clientL2.buildDepositTransaction({ mint: ETHER, to: STRANGER, account })
    const parameters = { request, account, targetChain: clientL2.chain } as const
    const gas = await clientL1.estimateDepositTransactionGas(parameters)
    const hash = await clientL1.depositTransaction({ ...parameters, gas })
    await l2.advance(EPOCH)
    expect(await clientL1.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  })

  it('do the same under the rhythm instant, without any command', async () => {
    const { account, clientL1, clientL2 } = await bridged({ rhythm: 'instant' })
    const built = await clientL2.buildDepositTransaction({ mint: ETHER, to: STRANGER, account })
    const receipt = await clientL1.waitForTransactionReceipt({
      hash: await clientL1.depositTransaction(built),
    })
    const [hash] = getL2TransactionHashes(receipt)
    expect(await clientL2.waitForTransactionReceipt({ hash: hash! })).toMatchObject({ status: 'success' })
  })
})

describe('a deposit', () => {
  it('stands behind the L1 attributes in the first block of its epoch', async () => {
    const pair = await bridged()
    const { deposits } = await deposited(pair, { to: OP_ON_L1.portal, value: ETHER })
    expect(deposits).toMatchObject([{ transactionIndex: 1, blockNumber: 1n }])
    await pair.l2.mine()
    expect((await pair.clientL2.getBlock()).transactions).toHaveLength(1)
  })

  it('is pre-confirmed with slice 0 of its block', async () => {
    const { l2, clientL1 } = await bridged()
    const hash = await clientL1.sendTransaction({ to: OP_ON_L1.portal, value: ETHER })
    await l2.advance({ seconds: 12 })
    await l2.tick()
    const [l2Hash] = getL2TransactionHashes(await clientL1.getTransactionReceipt({ hash }))
    expect(await ask(l2, 'eth_getTransactionReceipt', l2Hash)).toMatchObject({ blockNumber: '0x7' })
    expect(await ask(l2, 'eth_blockNumber')).toBe('0x6')
  })

  it('has the source hash, mint, value and gas limit of its event', async () => {
    const pair = await bridged()
    const data = portalCall(STRANGER, 2n, '0x1234', false, 100_000n)
    const { receipt } = await deposited(pair, { to: OP_ON_L1.portal, value: 5n, data })
    const [log] = receipt.logs
    const [, deposit] = (await pair.clientL2.getBlock({ includeTransactions: true })).transactions
    const l1BlockHash = receipt.blockHash
    expect(deposit).toMatchObject({
      ...{ mint: 5n, value: 2n, gas: 100_000n, input: '0x1234' },
      sourceHash: getSourceHash({ domain: 'userDeposit', l1BlockHash, l1LogIndex: log!.logIndex }),
    })
  })

  it('comes in the order of the events, also with others in one L1 transaction', async () => {
    const pair = await bridged()
    const call = (value: bigint) => ({
      target: OP_ON_L1.portal,
      allowFailure: false,
      value,
      callData: portalCall(STRANGER, value),
    })
    const calls = [call(1n), call(2n), call(3n)]
    const data = encodeFunctionData({ abi, functionName: 'aggregate3Value', args: [calls] })
    const { deposits } = await deposited(pair, { to: MULTICALL, value: 6n, data })
    expect(deposits.map(({ transactionIndex }) => transactionIndex)).toEqual([1, 2, 3])
    const { transactions } = await pair.clientL2.getBlock({ includeTransactions: true })
    expect(transactions.slice(1).map(({ value }) => value)).toEqual([1n, 2n, 3n])
  })

  it('has the aliased address of a contract as its sender', async () => {
    const pair = await bridged()
    const calls = [
      { target: OP_ON_L1.portal, allowFailure: false, value: 1n, callData: portalCall(STRANGER, 1n) },
    ]
    const data = encodeFunctionData({ abi, functionName: 'aggregate3Value', args: [calls] } as const)
    const { deposits } = await deposited(pair, { to: MULTICALL, value: 1n, data })
    expect(deposits[0]!.from).toBe(aliased(MULTICALL))
  })

  it('can create a contract', async () => {
    const pair = await bridged()
    const data = portalCall(`0x${'00'.repeat(20)}`, 0n, Reverter.bytecode, true, 1_000_000n)
    const { deposits } = await deposited(pair, { to: OP_ON_L1.portal, data })
    const address = getContractAddress({ from: pair.account.address, nonce: 0n })
    expect(deposits).toMatchObject([{ status: 'success', contractAddress: address.toLowerCase(), to: null }])
    expect(await pair.clientL2.getCode({ address })).not.toBeUndefined()
  })

  it('that fails keeps its mint, uses a nonce, and moves no value', async () => {
    const pair = await bridged()
    const { address } = pair.account
    const before = await pair.clientL2.getBalance({ address })
    const data = portalCall(L2_MESSENGER, 3n, '0xffffffff')
    const { deposits } = await deposited(pair, { to: OP_ON_L1.portal, value: 7n, data })
    expect(deposits).toMatchObject([{ status: 'reverted' }])
    expect(await pair.clientL2.getBalance({ address })).toBe(before + 7n)
    expect(await pair.clientL2.getTransactionCount({ address })).toBe(1)
  })

  it('of more than its sender has fails, and the block goes on', async () => {
    const pair = await bridged()
    const data = portalCall(STRANGER, 2n ** 200n)
    const { deposits } = await deposited(pair, { to: OP_ON_L1.portal, data })
    expect(deposits).toMatchObject([{ status: 'reverted' }])
    expect(await pair.clientL2.getBalance({ address: STRANGER })).toBe(0n)
  })

  it('with too little gas is refused by the portal', async () => {
    const { l2, clientL1 } = await bridged()
    const data = portalCall(STRANGER, 0n, '0x', false, 20_999n)
    const hash = await clientL1.sendTransaction({ to: OP_ON_L1.portal, data, gas: 200_000n })
    await derived(l2, hash)
    const receipt = await clientL1.getTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ status: 'reverted', logs: [] })
  })

  it('comes again after a reorg of the L2', async () => {
    const pair = await bridged()
    const { deposits } = await deposited(pair, { to: OP_ON_L1.portal, value: ETHER })
    const { transactionHash: hash, blockHash } = deposits[0]!
    await ask(pair.l2, 'anvil_reorg', 1)
    const again = await pair.clientL2.getTransactionReceipt({ hash })
    expect(again).toMatchObject({ status: 'success', blockNumber: 1n })
    expect(again.blockHash).not.toBe(blockHash)
  })

  it('runs the same in both engines', async () => {
    const pair = await bridged({ engine: 'both' })
    const { deposits } = await deposited(pair, {
      to: OP_ON_L1.portal,
      value: ETHER,
      data: portalCall(STRANGER, 1n),
    })
    expect(deposits).toMatchObject([{ status: 'success' }])
  })
})

describe('the standard bridge', () => {
  it('deposits ether through the messengers of both chains', async () => {
    const pair = await bridged()
    const data = encodeFunctionData({ abi, functionName: 'depositETHTo', args: [STRANGER, 100_000, '0x'] })
    const { deposits } = await deposited(pair, { to: OP_ON_L1.bridge, value: ETHER, data })
    expect(deposits).toMatchObject([{ status: 'success', from: aliased(OP_ON_L1.messenger) }])
    expect(await pair.clientL2.getBalance({ address: STRANGER })).toBe(ETHER)
  })

  it('deposits a token of L1, which the L2 mints', async () => {
    const pair = await bridged()
    const { l1, l2, account, clientL2 } = pair
    const { l1Token, l2Token } = await bridgedToken(pair)
    const mint = encodeFunctionData({ abi: Token.abi, functionName: 'mint', args: [account.address, 1_000n] })
    await pair.clientL1.sendTransaction({ to: l1Token, data: mint })
    await l1.mine()
    const approve = encodeFunctionData({
      abi: Token.abi,
      functionName: 'approve',
      args: [OP_ON_L1.bridge, 400n],
    })
    await pair.clientL1.sendTransaction({ to: l1Token, data: approve })
    await l1.mine()
    await l2.mine(3)
    const args = [l1Token, l2Token, account.address, 400n, 200_000, '0x'] as const
    const data = encodeFunctionData({ abi, functionName: 'depositERC20To', args })
    const { deposits } = await deposited(pair, { to: OP_ON_L1.bridge, data })
    expect(deposits).toMatchObject([{ status: 'success' }])
    const balance = { abi, functionName: 'balanceOf' } as const
    const at = [account.address] as const
    expect(await clientL2.readContract({ ...balance, address: l2Token, args: at })).toBe(400n)
    expect(await pair.clientL1.readContract({ ...balance, address: l1Token, args: [OP_ON_L1.bridge] })).toBe(
      400n,
    )
  })
})

describe('a message from L1', () => {
  it('is relayed by the messenger of the L2 as a call', async () => {
    const pair = await bridged()
    const args = [STRANGER, '0x', 100_000] as const
    const data = encodeFunctionData({ abi, functionName: 'sendMessage', args })
    const { deposits } = await deposited(pair, { to: OP_ON_L1.messenger, value: 9n, data })
    expect(deposits[0]!.to).toBe(L2_MESSENGER)
    expect(await pair.clientL2.getBalance({ address: STRANGER })).toBe(9n)
  })

  it('that fails is noted by the messenger, which holds its ether', async () => {
    const pair = await bridged()
    const args = [L2_BRIDGE, '0xffffffff', 100_000] as const
    const data = encodeFunctionData({ abi, functionName: 'sendMessage', args })
    const { deposits } = await deposited(pair, { to: OP_ON_L1.messenger, value: 9n, data })
    expect(deposits).toMatchObject([{ status: 'success', logs: [{ address: L2_MESSENGER }] }])
    expect(deposits[0]!.logs[0]!.topics[0]).toBe(
      '0x99d0e048484baa1b1540b1367cb128acd7ab2946d1ed91ec10e3c85e4bf51b8f',
    )
    expect(await pair.clientL2.getBalance({ address: L2_MESSENGER })).toBe(9n)
  })
})
