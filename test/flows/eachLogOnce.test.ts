/**
 * Whoever combines `pendingLogs`, `logs` and eth_getLogs sees each log exactly once by its block's number and its index: a
 * thousand blocks of random transactions in several slices each, and subscribers that come at any time.
 */
import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import type { Devnet } from '../../src/index.ts'
import { ask, started, ZERO_HASH } from '../support/clients/clients.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const BLOCKS = 1_000
const EMITTERS: readonly Hex[] = ['a1', 'a2', 'a3'].map((end): Hex => `0x${'00'.repeat(19)}${end}`)
const TOPICS: readonly Hex[] = ['01', '02'].map((byte): Hex => `0x${byte.repeat(32)}`)

interface LogJson {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly logIndex: Hex
  readonly transactionHash: Hex
}

interface Filter {
  readonly address?: Hex
  readonly topics?: readonly (Hex | null)[]
}

type Source = 'pendingLogs' | 'logs' | 'eth_getLogs'

const keyOf = ({ blockNumber, logIndex }: LogJson) => `${Number(blockNumber)}/${Number(logIndex)}`

/** What it sees, from where. */
class Subscriber {
  readonly #devnet: Devnet
  readonly filter: Filter
  /** Each log when it was seen first. */
  readonly seen: LogJson[] = []
  readonly told: Record<'pendingLogs' | 'logs', string[]> = { pendingLogs: [], logs: [] }
  readonly #known = new Map<string, LogJson>()
  #since = 0

  constructor(devnet: Devnet, filter: Filter) {
    this.#devnet = devnet
    this.filter = filter
  }

  /** Subscribes first and asks then: between the two nothing can be missed, and what comes twice is known. */
  async start(): Promise<void> {
    const ids = new Map<unknown, 'pendingLogs' | 'logs'>()
    this.#devnet.on('message', ({ data }) => {
      const kind = ids.get(data.subscription)
      if (kind === undefined) return
      const log = data.result as LogJson
      this.told[kind].push(keyOf(log))
      this.#take(log, kind)
    })
    for (const kind of ['pendingLogs', 'logs'] as const) {
      ids.set(await ask(this.#devnet, 'eth_subscribe', kind, this.filter), kind)
    }
    await this.pull()
  }

  /** Asks for what there is since it last asked. */
  async pull(): Promise<void> {
    const range = { fromBlock: numberToHex(this.#since), toBlock: 'pending' }
    const head = Number(await ask(this.#devnet, 'eth_blockNumber'))
    for (const log of await ask<LogJson[]>(this.#devnet, 'eth_getLogs', { ...this.filter, ...range })) {
      this.#take(log, 'eth_getLogs')
    }
    this.#since = head + 1
  }

  #take(log: LogJson, source: Source): void {
    const key = keyOf(log)
    const known = this.#known.get(key)
    if (known === undefined) {
      this.#known.set(key, log)
      this.seen.push(log)
      return
    }
    // The same log once more: only its block's hash may be new.
    const again = JSON.stringify({ ...log, blockHash: known.blockHash })
    if (again !== JSON.stringify(known)) throw new Error(`${key} is another log from ${source}: ${again}`)
  }
}

/** A devnet with contracts that log, and what sends them random transactions. */
async function busyDevnet(random: Random) {
  const devnet = await started({ profile: 'base-flashblocks', rhythm: 'manual', ticksPerBlock: 3 })
  for (const address of EMITTERS) await ask(devnet, 'anvil_setCode', address, Emitter.deployedBytecode)
  const send = () => {
    const count = BigInt(random.pick([0, 1, 1, 2, 5]))
    const data = encodeFunctionData({
      abi: Emitter.abi,
      functionName: 'emitMany',
      args: [count, random.pick(TOPICS)],
    })
    const from = random.pick(devnet.accounts).address
    return ask(devnet, 'eth_sendTransaction', { from, to: random.pick(EMITTERS), data, gas: '0x186a0' })
  }
  return { devnet, send }
}

/** A tick, nearly always; or a block that is sealed before its time. */
function step(devnet: Devnet, random: Random): Promise<void> {
  if (random.chance(0.05)) return devnet.mine()
  return random.chance(0.05) ? devnet.seal() : devnet.tick()
}

function randomFilter(random: Random): Filter {
  return {
    ...(random.chance(0.5) ? { address: random.pick(EMITTERS) } : {}),
    ...(random.chance(0.3) ? { topics: [null, random.pick(TOPICS)] } : {}),
  }
}

describe(`${BLOCKS} blocks`, () => {
  it(
    'show each log exactly once to whoever combines the three',
    withRandom(async (random) => {
      const { devnet, send } = await busyDevnet(random)
      const subscribers: Subscriber[] = []
      const join = async (filter: Filter) => {
        const subscriber = new Subscriber(devnet, filter)
        subscribers.push(subscriber)
        await subscriber.start()
      }
      await join({})
      const arrivals = random.list(9, () => random.below(BLOCKS)).sort((a, b) => a - b)
      let latest = 0
      devnet.on('sealed', ({ block }) => {
        latest = Number(block.header.number)
      })
      while (latest < BLOCKS) {
        for (let i = random.below(3); i > 0; i--) await send()
        await step(devnet, random)
        if (latest >= (arrivals[0] ?? BLOCKS) && random.chance(0.5)) {
          arrivals.shift()
          await join(randomFilter(random))
        }
        if (random.chance(0.02)) await random.pick(subscribers).pull()
      }
      await devnet.seal()

      const range = { fromBlock: '0x0', toBlock: 'latest' }
      for (const [i, { filter, seen, told }] of subscribers.entries()) {
        const all = await ask<LogJson[]>(devnet, 'eth_getLogs', { ...filter, ...range })
        expect(all.length, 'enough to be told of').toBeGreaterThan(100)
        expect(seen.map(keyOf)).toEqual(all.map(keyOf))
        // Neither of the two sources alone tells a log twice, or leaves one out from when it was subscribed to.
        for (const keys of Object.values(told)) {
          expect(keys).toEqual(all.slice(all.length - keys.length).map(keyOf))
        }
        // Whoever was there from the beginning saw each of them before it was sealed.
        if (i === 0) expect(seen.filter(({ blockHash }) => blockHash !== ZERO_HASH)).toEqual([])
      }
    }),
  )
})
