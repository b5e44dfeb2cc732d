/** preseal_explain on L1: what the portal refuses, and what would be right. */
import { encodeFunctionData, parseAbi, type TransactionReceipt } from 'viem'
import { getWithdrawals } from 'viem/op-stack'
import { describe, expect, it } from 'vitest'
import { bridged, EPOCH, OP_ON_L1 } from '../support/clients/bridge.ts'
import { ask, STRANGER } from '../support/clients/clients.ts'

const SUPERCHAIN_CONFIG = '0x95703e0982140D16f8ebA6d158FccEde42f04a4C'
const gas = 1_000_000n
const abi = parseAbi([
  'function pause(string identifier)',
  'function depositTransaction(address to, uint256 value, uint64 gasLimit, bool isCreation, bytes data) payable',
])

type Bridged = Awaited<ReturnType<typeof bridged>>

async function initiated({ l2, account, clientL1, clientL2 }: Bridged): Promise<TransactionReceipt> {
  const built = await clientL1.buildInitiateWithdrawal({ value: 1n, to: STRANGER })
  const hash = await clientL2.initiateWithdrawal({ ...built, account })
  await l2.mine()
  return clientL2.getTransactionReceipt({ hash })
}

async function proofOf({ account, clientL1, clientL2 }: Bridged, receipt: TransactionReceipt) {
  const { game, withdrawal } = await clientL1.waitToProve({ receipt, targetChain: clientL2.chain })
  return { ...(await clientL2.buildProveWithdrawal({ account, game, withdrawal })), gas }
}

async function proven(pair: Bridged) {
  const receipt = await initiated(pair)
  await pair.l2.advance(EPOCH)
  await pair.clientL1.proveWithdrawal(await proofOf(pair, receipt))
  await pair.l2.advance(EPOCH)
  return receipt
}

/** Finalizes a withdrawal. Returns the transaction in words. */
async function finalized(pair: Bridged, receipt: TransactionReceipt): Promise<string> {
  const { l2, account, clientL1, clientL2 } = pair
  const [withdrawal] = getWithdrawals(receipt)
  const parameters = { withdrawal: withdrawal!, account, targetChain: clientL2.chain, gas } as const
  const hash = await clientL1.finalizeWithdrawal(parameters)
  await l2.advance(EPOCH)
  return failureOf(pair, hash)
}

async function failureOf({ l1 }: Bridged, hash: string): Promise<string> {
  return (await ask<{ failure: string }>(l1, 'preseal_explain', hash)).failure
}

describe('preseal_explain says what is wrong with', () => {
  it('a proof before the game exists', async () => {
    const pair = await bridged()
    const receipt = await initiated(pair)
    await pair.l2.advance(EPOCH)
    const built = await proofOf(pair, receipt)
    const hash = await pair.clientL1.proveWithdrawal({ ...built, l2OutputIndex: 1n })
    await pair.l2.advance(EPOCH)
    expect(await failureOf(pair, hash)).toContain(
      'the proof names the game 1, but there is 1 game, numbered from 0: prove the withdrawal after the L1 block',
    )
  })

  it('a proof of another output root', async () => {
    const pair = await bridged()
    const receipt = await initiated(pair)
    await pair.l2.advance(EPOCH)
    const built = await proofOf(pair, receipt)
    const outputRootProof = { ...built.outputRootProof, stateRoot: `0x${'22'.repeat(32)}` as const }
    const hash = await pair.clientL1.proveWithdrawal({ ...built, outputRootProof })
    await pair.l2.advance(EPOCH)
    expect(await failureOf(pair, hash)).toBe(
      'execution reverted: OptimismPortal: invalid output root proof; the proof has another output root than the game 0: ' +
        'take state root, storage root and hash of the L2 block of this game',
    )
  })

  it('a proof with the game of an L2 block without the withdrawal', async () => {
    const pair = await bridged()
    const early = await initiated(pair)
    await pair.l2.advance(EPOCH)
    const built = await proofOf(pair, early)
    const [withdrawal] = getWithdrawals(await initiated(pair))
    const hash = await pair.clientL1.proveWithdrawal({ ...built, withdrawal: withdrawal! })
    await pair.l2.advance(EPOCH)
    expect(await failureOf(pair, hash)).toContain('the L2 block of the game 0 does not have this withdrawal')
  })

  it('a withdrawal that nobody has proven', async () => {
    const pair = await bridged()
    const receipt = await initiated(pair)
    expect(await finalized(pair, receipt)).toContain(
      `${pair.account.address.toLowerCase()} has not proven this withdrawal: prove it first`,
    )
  })

  it('a withdrawal that has not matured', async () => {
    const pair = await bridged()
    const receipt = await proven(pair)
    const proof = await pair.clientL1.getBlock({ blockNumber: 2n })
    await pair.l2.advance({ days: 6 })
    const failure = await finalized(pair, receipt)
    const date = (seconds: bigint) => new Date(Number(seconds) * 1_000).toISOString().replace('.000Z', 'Z')
    expect(failure).toContain(
      `it was proven at ${date(proof.timestamp)} and matures at ${date(proof.timestamp + 604_800n)}`,
    )
    const [, seconds] = /advance the L2 by (\d+) seconds/.exec(failure)!
    await pair.l2.advance({ seconds: Number(seconds) })
    expect(await finalized(pair, receipt)).toBeUndefined()
    expect(await pair.clientL1.getBalance({ address: STRANGER })).toBe(1n)
  })

  it('a second finalization', async () => {
    const pair = await bridged()
    const receipt = await proven(pair)
    await pair.l2.advance({ days: 7, seconds: 15 })
    await finalized(pair, receipt)
    expect(await finalized(pair, receipt)).toContain('each withdrawal pays once, and this one has')
  })

  it('a withdrawal while the bridge is paused', async () => {
    const pair = await bridged()
    const { l1, l2 } = pair
    const receipt = await proven(pair)
    const data = encodeFunctionData({ abi, functionName: 'pause', args: [''] })
    await ask(l1, 'eth_sendTransaction', { from: l1.accounts[9]!.address, to: SUPERCHAIN_CONFIG, data })
    await l2.advance({ days: 7, seconds: 15 })
    expect(await finalized(pair, receipt)).toContain('the guardian has paused the bridge')
  })

  it('a deposit with too little gas', async () => {
    const pair = await bridged()
    const args = [STRANGER, 0n, 20_000n, false, '0x'] as const
    const data = encodeFunctionData({ abi, functionName: 'depositTransaction', args })
    const hash = await pair.clientL1.sendTransaction({ to: OP_ON_L1.portal, data, gas })
    await pair.l2.advance(EPOCH)
    expect(await failureOf(pair, hash)).toContain('a deposit needs a gas limit on L2 of at least 21000')
  })

  it('transactions that wait for an L1 that has stopped', async () => {
    const { l1, l2 } = await bridged()
    await l2.faults.missL1Slots({ slots: 155 })
    await l2.mine()
    const { hash } = await l1.send({ to: STRANGER, value: 1n, until: 'accepted' })
    expect(await ask(l1, 'preseal_explain', hash)).toMatchObject({
      reason: expect.stringContaining('a fault keeps the L1 from making blocks in its next 155 slots'),
    })
    await l2.advance({ minutes: 30, seconds: 10 })
    const late = await l2.send({ to: STRANGER, value: 1n, until: 'accepted' })
    expect(await ask(l2, 'preseal_explain', late.hash)).toMatchObject({
      reason: expect.stringContaining('blocks have deposits only: the L1 has stopped for 1800 seconds'),
    })
  })
})
