/** Withdrawals: from a transaction on L2 to ether and tokens on L1, with viem's actions of the OP Stack as the client. */
import { encodeFunctionData, type Hex, keccak256, parseAbi, parseEther } from 'viem'
import { getWithdrawals } from 'viem/op-stack'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import {
  bridged,
  bridgedToken,
  derived,
  EPOCH,
  finalized,
  initiated,
  OP_ON_L1,
  proofOf,
  proven,
  statusOf,
} from '../support/clients/bridge.ts'
import { ask, STRANGER } from '../support/clients/clients.ts'

const ETHER = parseEther('1')
const WEEK = { days: 7, seconds: 15 } as const
const MESSAGE_PASSER = '0x4200000000000000000000000000000000000016'
const L2_BRIDGE = '0x4200000000000000000000000000000000000010'
const GAME_FACTORY = '0xe5965Ab5962eDc7477C8520243A95517CD252fA9'

const abi = parseAbi([
  'function depositERC20(address l1Token, address l2Token, uint256 amount, uint32 minGasLimit, bytes extraData)',
  'function bridgeERC20(address localToken, address remoteToken, uint256 amount, uint32 minGasLimit, bytes extraData)',
  'function create(uint32 gameType, bytes32 rootClaim, bytes extraData) payable returns (address)',
  'function blacklistDisputeGame(address game)',
  'function balanceOf(address) view returns (uint256)',
])

describe('a withdrawal', () => {
  it('has each status of getWithdrawalStatus, one after the other, and pays on L1', async () => {
    const pair = await bridged()
    const receipt = await initiated(pair)
    expect(await statusOf(pair, receipt)).toBe('waiting-to-prove')
    await pair.l2.advance(EPOCH)
    expect(await statusOf(pair, receipt)).toBe('ready-to-prove')
    await proven(pair, receipt)
    expect(await statusOf(pair, receipt)).toBe('waiting-to-finalize')
    await pair.l2.advance(WEEK)
    expect(await statusOf(pair, receipt)).toBe('ready-to-finalize')
    expect(await finalized(pair, receipt)).toMatchObject({ status: 'success' })
    expect(await statusOf(pair, receipt)).toBe('finalized')
    expect(await pair.clientL1.getBalance({ address: STRANGER })).toBe(ETHER)
  })

  it('can be made under the rhythm instant, where only the week needs a command', async () => {
    const pair = await bridged({ rhythm: 'instant' })
    const { account, clientL1, clientL2, l2 } = pair
    const built = await clientL1.buildInitiateWithdrawal({ value: ETHER, to: STRANGER })
    const hash = await clientL2.initiateWithdrawal({ ...built, account })
    const receipt = await clientL2.waitForTransactionReceipt({ hash })
    await l2.increaseTime(12) // A proof is of a later second than the game.
    await l2.mine()
    await clientL1.waitForTransactionReceipt({
      hash: await clientL1.proveWithdrawal(await proofOf(pair, receipt)),
    })
    await l2.increaseTime({ days: 8 })
    await l2.mine()
    expect(await finalized(pair, receipt)).toMatchObject({ status: 'success' })
  })

  it('takes a token back to L1, from which it was deposited', async () => {
    const pair = await bridged()
    const { l2, account, clientL1, clientL2 } = pair
    const { l1Token, l2Token } = await bridgedToken(pair)
    const onL1 = async (to: Hex, data: Hex) =>
      derived(l2, await clientL1.sendTransaction({ to, data, gas: 900_000n }))
    const call = (functionName: string, args: readonly unknown[]) =>
      encodeFunctionData({ abi: [...abi, ...Token.abi], functionName, args } as never)
    await onL1(l1Token, call('mint', [account.address, 1_000n]))
    await onL1(l1Token, call('approve', [OP_ON_L1.bridge, 400n]))
    await onL1(OP_ON_L1.bridge, call('depositERC20', [l1Token, l2Token, 400n, 200_000, '0x']))
    await l2.advance(EPOCH)
    const data = call('bridgeERC20', [l2Token, l1Token, 150n, 200_000, '0x'])
    const hash = await clientL2.sendTransaction({ to: L2_BRIDGE, data })
    await l2.mine()
    const receipt = await clientL2.getTransactionReceipt({ hash })
    await proven(pair, receipt)
    await l2.advance(WEEK)
    expect(await finalized(pair, receipt)).toMatchObject({ status: 'success' })
    const balanceOn = (client: typeof clientL1, address: Hex) =>
      client.readContract({ abi, address, functionName: 'balanceOf', args: [account.address] })
    expect(await balanceOn(clientL1, l1Token)).toBe(750n)
    expect(await balanceOn(clientL2 as never, l2Token)).toBe(250n)
  })

  it('is forked with its game', async () => {
    const pair = await bridged()
    const receipt = await initiated(pair)
    await using fork = pair.l2.fork()
    await fork.advance(EPOCH)
    expect(await ask(fork.l1!, 'eth_getCode', GAME_FACTORY)).not.toBe('0x')
    const games = { to: GAME_FACTORY, data: '0x4d1975b4' }
    expect(BigInt(await ask<Hex>(fork.l1!, 'eth_call', games))).toBe(1n)
    expect(BigInt(await ask<Hex>(pair.l1, 'eth_call', games))).toBe(0n)
    expect(receipt.status).toBe('success')
  })
})

describe('the game of a block with a withdrawal', () => {
  it('claims the output root of the block', async () => {
    const pair = await bridged()
    const { blockNumber } = await initiated(pair)
    await pair.l2.advance(EPOCH)
    const { chain: targetChain } = pair.clientL2
    const game = await pair.clientL1.getGame({ targetChain, l2BlockNumber: blockNumber })
    const block = await pair.clientL2.getBlock({ blockNumber })
    const { storageHash } = await pair.clientL2.getProof({
      address: MESSAGE_PASSER,
      storageKeys: [],
      blockNumber,
    })
    const version = '00'.repeat(32)
    const parts = [version, ...[block.stateRoot, storageHash, block.hash].map((hash) => hash.slice(2))]
    expect(game).toMatchObject({ l2BlockNumber: blockNumber, rootClaim: keccak256(`0x${parts.join('')}`) })
    expect(await pair.clientL1.getGames({ targetChain })).toHaveLength(1)
  })

  it('is the only transaction of an L1 beside an L2 without deposits', async () => {
    const { l1, l2 } = await bridged()
    await l2.advance({ minutes: 2 })
    expect(l1.latest.header.gasUsed).toBe(0n)
    expect(await ask(l1, 'eth_getTransactionCount', '0x473300df21d047806a082244b417f96b32f13a33')).toBe('0x1')
  })

  it('may be created by the proposer only', async () => {
    const { clientL1 } = await bridged()
    const data = encodeFunctionData({ abi, functionName: 'create', args: [1, `0x${'11'.repeat(32)}`, '0x'] })
    await expect(clientL1.call({ to: GAME_FACTORY, data })).rejects.toThrow()
  })
})

describe("viem's actions", () => {
  it('estimateInitiateWithdrawalGas', async () => {
    const { account, clientL2 } = await bridged()
    const request = { gas: 21_000n, to: STRANGER, value: ETHER } as const
    expect(await clientL2.estimateInitiateWithdrawalGas({ account, request })).toBeGreaterThan(21_000n)
  })

  it('estimateProveWithdrawalGas and estimateFinalizeWithdrawalGas', async () => {
    const pair = await bridged()
    const { l2, account, clientL1, clientL2 } = pair
    const receipt = await initiated(pair)
    await l2.advance(EPOCH)
    const proof = await proofOf(pair, receipt)
    expect(await clientL1.estimateProveWithdrawalGas(proof)).toBeGreaterThan(21_000n)
    await proven(pair, receipt)
    await l2.advance(WEEK)
    const [withdrawal] = getWithdrawals(receipt)
    const finalization = { account, withdrawal: withdrawal!, targetChain: clientL2.chain } as const
    expect(await clientL1.estimateFinalizeWithdrawalGas(finalization)).toBeGreaterThan(21_000n)
  })

  it('waitForNextGame and getTimeToNextGame', async () => {
    const pair = await bridged()
    const { blockNumber: l2BlockNumber } = await initiated(pair)
    const { chain: targetChain } = pair.clientL2
    const waiting = pair.clientL1.waitForNextGame({ l2BlockNumber, targetChain })
    await pair.l2.advance(EPOCH)
    expect(await waiting).toMatchObject({ index: 0n, l2BlockNumber })
    expect(await pair.clientL1.getTimeToNextGame({ l2BlockNumber, targetChain })).toMatchObject({
      seconds: 0,
    })
  })

  it('getL2Output, which has the root of the game', async () => {
    const pair = await bridged()
    const { blockNumber: l2BlockNumber } = await initiated(pair)
    await pair.l2.advance(EPOCH)
    const next = { l2BlockNumber, targetChain: pair.clientL2.chain }
    const { rootClaim: outputRoot } = await pair.clientL1.getGame(next)
    expect(await pair.clientL1.getL2Output(next)).toMatchObject({
      outputIndex: 0n,
      l2BlockNumber,
      outputRoot,
    })
  })

  it('waitToFinalize', async () => {
    const pair = await bridged()
    const receipt = await initiated(pair)
    await proven(pair, receipt)
    await pair.l2.advance(WEEK)
    const { withdrawalHash } = getWithdrawals(receipt)[0]!
    await pair.clientL1.waitToFinalize({ withdrawalHash, targetChain: pair.clientL2.chain })
    expect(await statusOf(pair, receipt)).toBe('ready-to-finalize')
  })
})

describe('the portal refuses', () => {
  it('a withdrawal that is not a week old', async () => {
    const pair = await bridged()
    const receipt = await initiated(pair)
    await proven(pair, receipt)
    await pair.l2.advance({ days: 6 })
    await expect(finalized(pair, receipt)).rejects.toThrow('proven withdrawal has not matured yet')
  })

  it('to finalize a withdrawal twice', async () => {
    const pair = await bridged()
    const receipt = await initiated(pair)
    await proven(pair, receipt)
    await pair.l2.advance(WEEK)
    await finalized(pair, receipt)
    await expect(finalized(pair, receipt)).rejects.toThrow('withdrawal has already been finalized')
  })

  it('a proof of another output root', async () => {
    const pair = await bridged()
    const receipt = await initiated(pair)
    await pair.l2.advance(EPOCH)
    const built = await proofOf(pair, receipt)
    const outputRootProof = { ...built.outputRootProof, stateRoot: `0x${'22'.repeat(32)}` as const }
    const proving = pair.clientL1.proveWithdrawal({ ...built, outputRootProof })
    await expect(proving).rejects.toThrow('invalid output root proof')
  })

  it('a withdrawal whose game the guardian has blacklisted', async () => {
    const pair = await bridged()
    const { l1, clientL1, clientL2 } = pair
    const receipt = await initiated(pair)
    await proven(pair, receipt)
    const { chain: targetChain } = clientL2
    const { metadata } = await clientL1.getGame({ targetChain, l2BlockNumber: receipt.blockNumber })
    const data = encodeFunctionData({
      abi,
      functionName: 'blacklistDisputeGame',
      args: [`0x${metadata.slice(26)}`],
    })
    await ask(l1, 'eth_sendTransaction', { from: l1.accounts[9]!.address, to: OP_ON_L1.portal, data })
    await pair.l2.advance(WEEK)
    await expect(finalized(pair, receipt)).rejects.toThrow('dispute game has been blacklisted')
  })
})

describe("viem's clock", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('tells the time to finalize, if it is that of the L1', async () => {
    const pair = await bridged()
    const receipt = await initiated(pair)
    await proven(pair, receipt)
    const [withdrawal] = getWithdrawals(receipt)
    vi.setSystemTime(Number(pair.l1.latest.header.timestamp) * 1_000)
    const { withdrawalHash } = withdrawal!
    const { chain: targetChain } = pair.clientL2
    const { period, seconds } = await pair.clientL1.getTimeToFinalize({ withdrawalHash, targetChain })
    expect(period).toBe(604_800)
    expect(seconds).toBeGreaterThan(604_700)
    expect(await pair.clientL1.getTimeToProve({ receipt, targetChain })).toMatchObject({ seconds: 0 })
  })
})
