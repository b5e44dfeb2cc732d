/** State files of an L2 with its L1. */
import { createHash } from 'node:crypto'
import type { Hex } from 'viem'
import { getWithdrawals } from 'viem/op-stack'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDevnet, type Devnet, LoadFailed, optionsOfState } from '../../src/index.ts'
import { bridged, EPOCH } from '../support/clients/bridge.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

type Bridged = Awaited<ReturnType<typeof bridged>>

function fileOf(devnet: Devnet): Uint8Array {
  return Buffer.concat([...devnet.dump()])
}

/** Loads the file of a pair in another one. */
async function moved({ l2 }: Bridged): Promise<Bridged> {
  const other = await bridged()
  await other.l2.load(fileOf(l2))
  return other
}

const hashesOf = ({ l1, l2 }: Bridged) => [l1.latest.hash, l2.latest.hash]

describe('the state file of an L2 with its L1', () => {
  it('has both chains, and gives the same file and the same blocks again', async () => {
    const pair = await bridged()
    await pair.l2.advance({ minutes: 1 })
    const other = await moved(pair)
    expect(hashesOf(other)).toEqual(hashesOf(pair))
    expect(Buffer.compare(fileOf(other.l2), fileOf(pair.l2))).toBe(0)
    for (const { l2 } of [pair, other]) await l2.advance({ minutes: 1 })
    expect(hashesOf(other)).toEqual(hashesOf(pair))
  })

  it('has the deposits that wait on L1', async () => {
    const pair = await bridged()
    const built = await pair.clientL2.buildDepositTransaction({ mint: 1n, to: STRANGER })
    await pair.clientL1.depositTransaction({ ...built, account: pair.account })
    const { l2, clientL2 } = await moved(pair)
    await l2.advance(EPOCH)
    expect(await clientL2.getBalance({ address: STRANGER })).toBe(1n)
  })

  it('has withdrawals with their games and proofs', async () => {
    const pair = await bridged()
    const { account, clientL1, clientL2 } = pair
    const built = await clientL1.buildInitiateWithdrawal({ value: 1n, to: STRANGER })
    const hash = await clientL2.initiateWithdrawal({ ...built, account })
    await pair.l2.advance(EPOCH)
    const receipt = await clientL2.getTransactionReceipt({ hash })
    const { game, withdrawal } = await clientL1.waitToProve({ receipt, targetChain: clientL2.chain })
    await clientL1.proveWithdrawal(await clientL2.buildProveWithdrawal({ account, game, withdrawal }))
    await pair.l2.advance(EPOCH)
    const other = await moved(pair)
    await other.l2.advance({ days: 7, seconds: 15 })
    const targetChain = other.clientL2.chain
    await other.clientL1.finalizeWithdrawal({ withdrawal: getWithdrawals(receipt)[0]!, account, targetChain })
    await other.l2.advance(EPOCH)
    expect(await other.clientL1.getBalance({ address: STRANGER })).toBe(1n)
  })

  it('has batches that are withheld and slots that the L1 misses', async () => {
    const pair = await bridged()
    await pair.l2.faults.withholdBatches({ l1Blocks: 10 })
    await pair.l2.faults.missL1Slots({ slots: 2 })
    await pair.l2.mine()
    const other = await moved(pair)
    for (const { l2 } of [pair, other]) await l2.advance({ minutes: 1 })
    const safe = await other.clientL2.getBlock({ blockTag: 'safe' })
    expect([safe.number, await other.clientL1.getBlockNumber()]).toEqual([0n, 2n])
    expect(hashesOf(other)).toEqual(hashesOf(pair))
  })

  it('has blocks that a reorg of the L1 still removes', async () => {
    const pair = await bridged()
    const built = await pair.clientL2.buildDepositTransaction({ mint: 1n, to: STRANGER })
    await pair.clientL1.depositTransaction({ ...built, account: pair.account })
    await pair.l2.advance(EPOCH)
    const { l1, clientL2 } = await moved(pair)
    await l1.faults.reorg({ depth: 1, transactions: 'drop' })
    expect(await clientL2.getBalance({ address: STRANGER })).toBe(0n)
  })

  it('is loaded by a devnet with the options in its first line', async () => {
    const pair = await bridged({ l2Upgrade: 'isthmus', l1: { chainId: 7 } })
    await pair.l2.advance(EPOCH)
    const file = fileOf(pair.l2)
    const options = await optionsOfState(file)
    expect(options).toMatchObject({ chainId: 10, l2: 'op', l2Upgrade: 'isthmus', l1: { chainId: 7 } })
    const devnet = await createDevnet({ ...options, rhythm: 'manual' })
    onTestFinished(() => devnet.close())
    await devnet.load(file)
    expect([devnet.l1!.latest.hash, devnet.latest.hash]).toEqual(hashesOf(pair))
  })

  it('of a fork has the fetched values of both networks, and is loaded by another fork of them', async () => {
    const network = await bridged()
    await network.l2.advance({ minutes: 1 })
    const forkOf = () => bridged({ fork: { provider: network.l2 }, l1: { fork: { provider: network.l1 } } })
    const [pair, other] = [await forkOf(), await forkOf()]
    const built = await pair.clientL2.buildDepositTransaction({ mint: 1n, to: STRANGER })
    await pair.clientL1.depositTransaction({ ...built, account: pair.account })
    await pair.l2.advance(EPOCH)
    await other.l2.load(fileOf(pair.l2))
    expect(hashesOf(other)).toEqual(hashesOf(pair))
    expect(await other.clientL2.getBalance({ address: STRANGER })).toBe(1n)
    for (const { l2 } of [pair, other]) await l2.advance({ minutes: 1 })
    expect(hashesOf(other)).toEqual(hashesOf(pair))
  })

  it('is loaded over JSON-RPC', async () => {
    const pair = await bridged()
    await pair.l2.advance(EPOCH)
    const other = await bridged()
    await ask(other.l2, 'anvil_loadState', await ask<Hex>(pair.l2, 'anvil_dumpState'))
    expect(hashesOf(other)).toEqual(hashesOf(pair))
  })
})

describe('refused is', () => {
  it('the file of a chain without an L1, and the chains stay', async () => {
    const pair = await bridged()
    const alone = await started({ profile: 'op-flashblocks', rhythm: 'manual', chainId: 10 })
    await pair.l2.advance(EPOCH)
    const before = hashesOf(pair)
    await expect(pair.l2.load(fileOf(alone))).rejects.toThrow('expected a file with an L1')
    await expect(alone.load(fileOf(pair.l2))).rejects.toThrow('expected a file without an L1')
    expect(hashesOf(pair)).toEqual(before)
  })

  it('an L1 with another chain id', async () => {
    const pair = await bridged({ l1: { chainId: 7 } })
    await expect(moved(pair)).rejects.toThrow('the rules of this devnet (chain id 1,')
  })

  it.each([
    ['no record l1', (lines: string[]) => lines.filter((line) => !line.startsWith('{"l1":'))],
    ['two records l1', (lines: string[]) => [...lines, '{"l1":{"slots":0}}']],
    [
      'no chain after the record l1',
      (lines: string[]) => lines.slice(0, lines.indexOf('{"l1":{"slots":0}}') + 1),
    ],
  ])('a file with %s', async (_, change) => {
    const { l2 } = await bridged()
    const lines = change(Buffer.from(fileOf(l2)).toString().trimEnd().split('\n').slice(0, -1))
    const text = `${lines.join('\n')}\n`
    const sha256 = createHash('sha256').update(text).digest('hex')
    const file = Buffer.from(`${text}${JSON.stringify({ end: lines.length, sha256 })}\n`)
    await expect(l2.load(file)).rejects.toThrow(LoadFailed)
  })
})
