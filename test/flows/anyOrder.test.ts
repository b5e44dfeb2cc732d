/**
 * A devnet keeps its promises in whatever order it is told what to do: transactions, ticks, seals, faults, snapshots, forks
 * and reorgs, drawn by chance. `PRESEAL_STEPS=10000` takes more of them than usual.
 */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { AnyOrder, type Commands } from '../support/chains/anyOrder.ts'
import type { LogJson } from '../support/chains/newsLedger.ts'
import { ask, started, ZERO_HASH } from '../support/clients/clients.ts'
import { Random, withRandom } from '../support/random/random.ts'

/** In all of the first test. */
const STEPS = Number(process.env.PRESEAL_STEPS ?? 1_200)
const TIMEOUT = 60_000 + 30 * STEPS

const CHAINS: readonly DevnetOptions[] = [
  { ticksPerBlock: 0 },
  { ticksPerBlock: 1 },
  { ticksPerBlock: 4 },
  { profile: 'base-flashblocks', ticksPerBlock: 0 },
  { profile: 'base-flashblocks', ticksPerBlock: 1 },
  { profile: 'base-flashblocks', ticksPerBlock: 4 },
]

const ALL: Commands = { hasCheats: true, hasReturns: true, hasNewOrders: true }

/** What it exports is run again elsewhere, and found right. */
async function expectSameElsewhere({ devnet }: AnyOrder): Promise<void> {
  const genesis = JSON.parse(JSON.stringify(devnet.genesis()))
  const copy = await started({ genesis, rhythm: 'manual' })
  await copy.import(devnet.export(), { rules: 'devnet' })
  const latest = () => ask(devnet, 'eth_getBlockByNumber', 'latest', true)
  expect(await ask(copy, 'eth_getBlockByNumber', 'latest', true)).toEqual(await latest())
}

describe('in any order of commands', () => {
  it.each(CHAINS)(
    'all promises are kept, with %o',
    async (options) => {
      await withRandom(async (random) => {
        const hasCheats = random.chance(0.5)
        const order = await AnyOrder.start(random, options, { ...ALL, hasCheats })
        await order.take(Math.ceil(STEPS / CHAINS.length))
        await order.checkAll()
        if (!hasCheats) await expectSameElsewhere(order)
      })()
    },
    TIMEOUT,
  )

  it(
    'the same commands give the same blocks, slices and faults',
    withRandom(async (random) => {
      const options = random.pick(CHAINS)
      const seed = random.below(2 ** 32)
      const played = async () => {
        const order = await AnyOrder.start(new Random(seed), options, ALL)
        await order.take(Math.ceil(STEPS / 6))
        return order.lines
      }
      const first = await played()
      expect(await played()).toEqual(first)
      expect(first.length).toBeGreaterThan(STEPS / 12)
    }),
    TIMEOUT,
  )

  it.each([1, 4])(
    'what was told and is not on the chain is what the timeline says was dropped or removed, with %i slices in a block',
    async (ticksPerBlock) => {
      await withRandom(async (random) => {
        const commands = { hasCheats: false, hasReturns: false, hasNewOrders: false }
        const order = await AnyOrder.start(random, { ticksPerBlock }, commands)
        const { devnet } = order
        // What a fault hid comes into sight without being told, and may be gone with the next command.
        const glimpses: Promise<LogJson[]>[] = []
        for (const event of ['preconfirmed', 'revealed'] as const) {
          devnet.on(event, () => glimpses.push(logsOf(devnet, 'pending', 'pending')))
        }
        const asked: LogJson[] = []
        for (let i = 0; i < STEPS / 6; i += 10) {
          await order.take(10)
          asked.push(...(await logsOf(devnet, 'pending')))
        }
        await devnet.faults.clear()
        await devnet.seal()
        await order.checkAll()
        await expectAsTimelineSays(order, [...asked, ...(await Promise.all(glimpses)).flat()])
      })()
    },
    TIMEOUT,
  )
})

interface StepJson {
  readonly step: string
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly transactionIndex: Hex
}

function logsOf(devnet: Devnet, toBlock: string, fromBlock = '0x0'): Promise<LogJson[]> {
  return ask(devnet, 'eth_getLogs', { fromBlock, toBlock })
}

/** Holds what a subscriber combines of `pendingLogs`, `logs` and eth_getLogs against the timelines of its transactions. */
async function expectAsTimelineSays({ devnet, news }: AnyOrder, asked: readonly LogJson[]): Promise<void> {
  const isPending = ({ blockHash }: LogJson) => blockHash === ZERO_HASH
  const pending = [...news.pendingLogs, ...asked.filter(isPending)]
  const sealed = [
    ...news.logs.filter(({ removed }) => removed !== true),
    ...asked.filter((log) => !isPending(log)),
  ]
  const onChain = new Set((await logsOf(devnet, 'latest')).map(inBlock))
  const said = { dropped: new Set<string>(), removed: new Set<string>() }
  for (const hash of new Set([...sealed, ...pending].map(({ transactionHash }) => transactionHash))) {
    const steps = await ask<StepJson[]>(devnet, 'preseal_getTimeline', hash)
    const places = (step: string) => steps.filter((one) => one.step === step).map((one) => placeOf(hash, one))
    for (const place of without(places('preconfirmed'), places('sealed'))) said.dropped.add(place)
    // The same place may be taken once more, by a block with another hash, or by the same where a fault chose its prevRandao.
    for (const { step, blockHash } of steps) {
      if (step === 'removed') said.removed.add(`${blockHash} ${hash}`)
      if (step === 'sealed') said.removed.delete(`${blockHash} ${hash}`)
    }
  }

  const places = (logs: readonly LogJson[]) => logs.map((log) => placeOf(log.transactionHash, log))
  expect(without(places(pending), places(sealed))).toEqual(said.dropped)
  const gone = sealed.filter((log) => !onChain.has(inBlock(log)))
  expect(new Set(gone.map((log) => `${log.blockHash} ${log.transactionHash}`))).toEqual(said.removed)
  const takenBack = news.logs.filter(({ removed }) => removed === true).map(inBlock)
  expect(new Set(takenBack.filter((log) => !onChain.has(log)))).toEqual(new Set(gone.map(inBlock)))
  // Each log that is on the chain was told once, and those that were taken back once more.
  const times = new Map<string, number>()
  for (const log of news.logs) {
    times.set(inBlock(log), (times.get(inBlock(log)) ?? 0) + (log.removed === true ? -1 : 1))
  }
  const left = [...times].filter(([, count]) => count !== 0)
  expect(new Map(left)).toEqual(new Map([...onChain].map((log) => [log, 1])))
}

function inBlock({ blockHash, logIndex }: LogJson): string {
  return `${blockHash} ${Number(logIndex)}`
}

function placeOf(
  hash: Hex,
  { blockNumber, transactionIndex }: Pick<StepJson, 'blockNumber' | 'transactionIndex'>,
): string {
  return `${Number(blockNumber)}/${Number(transactionIndex)} ${hash}`
}

function without(some: readonly string[], others: readonly string[]): Set<string> {
  const known = new Set(others)
  return new Set(some.filter((one) => !known.has(one)))
}
