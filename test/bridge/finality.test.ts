/** Which L2 blocks are safe and finalized beside an L1, and what a reorg of the L1 does to the L2. */
import { type Hex, numberToHex, parseAbi } from 'viem'
import { getL2TransactionHashes } from 'viem/op-stack'
import { describe, expect, it } from 'vitest'
import { type Bridged, bridged, EPOCH, OP_ON_L1 } from '../support/clients/bridge.ts'
import { ask, STRANGER } from '../support/clients/clients.ts'

const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const L2_MESSENGER = '0x4200000000000000000000000000000000000007'
const abi = parseAbi([
  'function number() view returns (uint64)',
  'function hash() view returns (bytes32)',
  'function sendMessage(address target, bytes message, uint32 minGasLimit) payable',
])

/** Returns the number of the L1 origin of an L2 block. */
function originAt({ clientL2 }: Bridged, blockNumber: bigint) {
  return clientL2.readContract({ abi, address: L1_BLOCK, functionName: 'number', blockNumber })
}

describe('an L2 block', () => {
  it('is safe when the L1 has a block after its L1 origin', async () => {
    const pair = await bridged()
    await pair.l2.advance({ minutes: 1 })
    const { number } = await pair.clientL2.getBlock({ blockTag: 'safe' })
    const head = await pair.clientL1.getBlockNumber()
    expect(await originAt(pair, number!)).toBe(head - 1n)
    expect(await originAt(pair, number! + 1n)).toBe(head)
  })

  it('is finalized when that L1 block is finalized', async () => {
    const pair = await bridged()
    await pair.l2.advance({ minutes: 15 })
    const { number } = await pair.clientL2.getBlock({ blockTag: 'finalized' })
    const onL1 = await pair.clientL1.getBlock({ blockTag: 'finalized' })
    expect(onL1.number).toBeGreaterThan(1n)
    expect(await originAt(pair, number!)).toBe(onL1.number! - 1n)
    expect(await originAt(pair, number! + 1n)).toBe(onL1.number)
  })

  it('is neither while the L1 makes no block', async () => {
    const { l2, clientL2 } = await bridged({ safeDistance: 1, finalizedDistance: 1 })
    await l2.mine(4)
    for (const blockTag of ['safe', 'finalized'] as const)
      expect((await clientL2.getBlock({ blockTag })).number).toBe(0n)
  })

  it('that is not finalized can be removed, and no other', async () => {
    const { l2, clientL2 } = await bridged({ finalizedDistance: 40 })
    await l2.advance({ minutes: 15 })
    const { number } = await clientL2.getBlock({ blockTag: 'finalized' })
    const depth = Number(l2.latest.header.number - number!)
    expect(number).toBeGreaterThan(0n)
    await expect(l2.faults.reorg({ depth: depth + 1, transactions: 'drop' })).rejects.toThrow(
      `depth: expected at most ${depth} blocks, which are not final yet, got ${depth + 1}`,
    )
    expect(await l2.faults.reorg({ depth, transactions: 'drop' })).toHaveLength(depth)
  })

  it('shows in the timeline of its transactions that it is safe', async () => {
    const { l2 } = await bridged()
    const { hash } = await l2.send({ to: STRANGER, value: 1n })
    await l2.advance({ seconds: 30 })
    const timeline = await ask<readonly unknown[]>(l2, 'preseal_getTimeline', hash)
    expect(timeline.at(-1)).toEqual({ step: 'safe' })
  })
})

/** Deposits one wei for STRANGER, in an L1 block with its L2 block. Returns the hashes of both transactions. */
async function deposited({ l2, account, clientL1, clientL2 }: Bridged) {
  const built = await clientL2.buildDepositTransaction({ mint: 1n, to: STRANGER, account })
  // The portal uses more gas at a lower base fee, so an estimate may not be enough for another block.
  const hash = await clientL1.depositTransaction({ ...built, gas: 200_000n })
  await l2.advance(EPOCH)
  return { hash, l2Hash: await l2HashOf(clientL1, hash) }
}

async function l2HashOf(clientL1: Bridged['clientL1'], hash: Hex): Promise<Hex> {
  return getL2TransactionHashes(await clientL1.getTransactionReceipt({ hash }))[0]!
}

describe('a reorg of the L1', () => {
  it('takes the deposits of removed L1 blocks out of the L2', async () => {
    const pair = await bridged()
    const { l2Hash } = await deposited(pair)
    const { header, hash } = pair.l2.latest
    await pair.l1.faults.reorg({ depth: 1, transactions: 'drop' })
    expect(pair.l2.latest).toMatchObject({ header: { number: header.number, timestamp: header.timestamp } })
    expect(pair.l2.latest.hash).not.toBe(hash)
    expect(await ask(pair.l2, 'eth_getTransactionReceipt', l2Hash)).toBeNull()
    expect(await pair.clientL2.getBalance({ address: STRANGER })).toBe(0n)
  })

  it.each(['keep', 'wait'] as const)('derives deposits that the L1 still has again: %s', async (how) => {
    const pair = await bridged()
    const { hash, l2Hash } = await deposited(pair)
    await pair.l1.faults.reorg({ depth: 1, transactions: how })
    await pair.l2.advance(EPOCH)
    const again = await l2HashOf(pair.clientL1, hash)
    expect(again).not.toBe(l2Hash)
    expect(await pair.clientL2.getTransactionReceipt({ hash: again })).toMatchObject({ status: 'success' })
    expect(await pair.clientL2.getBalance({ address: STRANGER })).toBe(1n)
  })

  it('returns the transactions of removed L2 blocks to the pool', async () => {
    const pair = await bridged()
    await deposited(pair)
    const from = pair.l2.accounts[1]!.address
    const { hash } = await pair.l2.send({ from, to: STRANGER, value: 5n, until: 'accepted' })
    await pair.l2.mine()
    await pair.l1.faults.reorg({ depth: 1, transactions: 'drop' })
    expect(await ask(pair.l2, 'eth_getTransactionByHash', hash)).toMatchObject({ blockNumber: null })
    await pair.l2.mine()
    expect(await pair.clientL2.getBalance({ address: STRANGER })).toBe(5n)
  })

  it('removes the L2 blocks that derive from removed L1 blocks, and no others', async () => {
    const pair = await bridged()
    await pair.l2.advance({ minutes: 1 })
    const removed: bigint[] = []
    pair.l2.on('reorged', (blocks) => removed.push(...blocks.map(({ block }) => block.header.number)))
    const head = await pair.clientL1.getBlockNumber()
    const derived: bigint[] = []
    for (let number = 0n; number <= pair.l2.latest.header.number; number++)
      if ((await originAt(pair, number)) > head - 2n) derived.push(number)
    await pair.l1.faults.reorg({ depth: 2, transactions: 'keep' })
    expect(removed).toEqual(derived)
  })

  it('withdraws pre-confirmed deposits', async () => {
    const pair = await bridged()
    const built = await pair.clientL2.buildDepositTransaction({
      mint: 1n,
      to: STRANGER,
      account: pair.account,
    })
    await pair.clientL1.depositTransaction(built)
    await pair.l1.mine()
    await pair.l2.tick()
    const pending = () => pair.clientL2.getBalance({ address: STRANGER, blockTag: 'pending' })
    const { hash } = pair.l2.latest
    expect(await pending()).toBe(1n)
    await pair.l1.faults.reorg({ depth: 1, transactions: 'drop' })
    expect(await pending()).toBe(0n)
    expect(pair.l2.latest.hash).toBe(hash)
    await pair.l2.mine()
    expect(await pair.clientL2.getBalance({ address: STRANGER })).toBe(0n)
  })

  it('reports the logs of removed blocks again', async () => {
    const pair = await bridged()
    const filter = await ask<Hex>(pair.l2, 'eth_newFilter', { address: L2_MESSENGER })
    const changes = () => ask<readonly object[]>(pair.l2, 'eth_getFilterChanges', filter)
    const message = { abi, functionName: 'sendMessage', args: [STRANGER, '0x', 100_000] } as const
    await pair.clientL1.writeContract({ ...message, address: OP_ON_L1.messenger })
    await pair.l2.advance(EPOCH)
    const logs = await changes()
    expect(logs).toHaveLength(1)
    await pair.l1.faults.reorg({ depth: 1, transactions: 'drop' })
    expect(await changes()).toEqual(logs.map((log) => ({ ...log, removed: true })))
  })

  it('can be planned, and leaves no L2 block without its L1 origin', async () => {
    const pair = await bridged()
    await pair.l1.faults.planReorg({ depth: 2, transactions: 'drop' }, { block: 2 })
    const built = await pair.clientL2.buildDepositTransaction({ mint: 1n, to: STRANGER })
    await pair.clientL1.depositTransaction({ ...built, account: pair.account })
    await pair.l2.advance({ minutes: 1 })
    await pair.l2.mine()
    expect(await pair.clientL1.getBalance({ address: OP_ON_L1.portal })).toBe(10n ** 24n)
    expect(await pair.clientL2.getBalance({ address: STRANGER })).toBe(0n)
    for (let blockNumber = 0n; blockNumber <= pair.l2.latest.header.number; blockNumber++) {
      const origin = { abi, address: L1_BLOCK, blockNumber } as const
      const hash = await pair.clientL2.readContract({ ...origin, functionName: 'hash' })
      const onL1 = await pair.clientL1.getBlock({ blockNumber: await originAt(pair, blockNumber) })
      expect(onL1.hash).toBe(hash)
    }
  })

  it('is refused if it would remove a finalized L1 block', async () => {
    const { l1, l2 } = await bridged()
    await l2.advance({ minutes: 15 })
    const latest = l2.latest.hash
    await expect(l1.faults.reorg({ depth: 65, transactions: 'drop' })).rejects.toThrow(
      'depth: expected at most 64 blocks, which are not final yet, got 65',
    )
    expect(l2.latest.hash).toBe(latest)
  })

  it('that drops a game leads to a new proposal of the same output root', async () => {
    const { l1, l2, account, clientL1, clientL2 } = await bridged()
    const built = await clientL1.buildInitiateWithdrawal({ value: 1n, to: STRANGER })
    await clientL2.initiateWithdrawal({ ...built, account })
    await l2.advance(EPOCH)
    const games = () => clientL1.getGames({ targetChain: clientL2.chain })
    const [game] = await games()
    await l1.faults.reorg({ depth: 1, transactions: 'drop' })
    expect(await games()).toEqual([])
    await l2.advance(EPOCH)
    expect(await games()).toMatchObject([{ rootClaim: game!.rootClaim, extraData: game!.extraData }])
  })

  it('that drops a game and replaces its L2 block leads to a proposal of the new output root', async () => {
    const { l1, l2, account, clientL1, clientL2 } = await bridged()
    await l1.mine()
    await l2.mine()
    const built = await clientL1.buildInitiateWithdrawal({ value: 1n, to: STRANGER })
    const hash = await clientL2.initiateWithdrawal({ ...built, account })
    await l2.mine()
    await l1.mine()
    await l1.faults.reorg({ depth: 2, transactions: 'drop' })
    await l2.mine(2)
    await l2.advance(EPOCH)
    const [game, ...others] = await clientL1.getGames({ targetChain: clientL2.chain })
    const { blockNumber } = await clientL2.getTransactionReceipt({ hash })
    expect(others).toEqual([])
    expect(await ask(l2, 'optimism_outputAtBlock', numberToHex(blockNumber))).toMatchObject({
      outputRoot: game!.rootClaim,
    })
  })

  it('leaves the L1 as it is if it is a reorg of the L2', async () => {
    const pair = await bridged()
    const { l2Hash } = await deposited(pair)
    const { hash } = pair.l1.latest
    await pair.l2.faults.reorg({ depth: 3, transactions: 'wait' })
    expect(pair.l1.latest.hash).toBe(hash)
    expect(await pair.clientL2.getTransactionReceipt({ hash: l2Hash })).toMatchObject({ status: 'success' })
  })

  it.each(['anvil_reorg', 'anvil_rollback', 'evm_revert'])('also is %s', async (method) => {
    const pair = await bridged()
    const snapshot = await ask(pair.l1, 'evm_snapshot')
    const { l2Hash } = await deposited(pair)
    await ask(pair.l1, method, ...({ anvil_reorg: [1, []], anvil_rollback: [1] }[method] ?? [snapshot]))
    await pair.l2.mine()
    expect(await ask(pair.l2, 'eth_getTransactionReceipt', l2Hash)).toBeNull()
    expect(await pair.clientL2.getBalance({ address: STRANGER })).toBe(0n)
    await pair.l2.advance(EPOCH)
    expect(await originAt(pair, pair.l2.latest.header.number)).toBe(pair.l1.latest.header.number)
  })
})
