/** The processes of the rush: started once, and run together as often as needed. */
import { Token } from '../../../fixtures/contracts/Token.ts'
import type { Market } from '../../../fixtures/market.ts'
import type { ProfileName } from '../../../src/options/options.ts'
import { single } from '../http/load.ts'
import { start, told } from '../processes.ts'
import { dataOf, topicOf } from '../scenario.ts'

export const TICK_MS = 200
/** Sending accounts, those of a devnet by default, each over a connection of its own. The chain has one more, which does not send. */
export const SENDERS = 10
/** Some twenty questions a second. No divisor of a tick: they come before, in and after one. */
const READ_EVERY_MS = 47

/** First message of the chain, when it listens. */
export interface Place {
  readonly url: string
  readonly market: Market
}

/** To the chain: watch the ticks for `ms`. Answered with the milliseconds by which each was late. */
export interface Watch {
  readonly ms: number
}

/** Tasks of a client's process. */
export type Task =
  /** Signs transfers that the chain will accept; answered when they are signed. */
  | { readonly kind: 'sign'; readonly url: string; readonly transfers: number }
  /** Sends the signed transfers; answered with the milliseconds until all of them were accepted. */
  | { readonly kind: 'send'; readonly perSecond: number }
  /** Sends these requests in turn; answered with the microseconds of each. */
  | {
      readonly kind: 'read'
      readonly url: string
      readonly bodies: readonly string[]
      readonly everyMs: number
      readonly ms: number
    }
  /** Runs a timer; answered with the milliseconds by which it was late each time. */
  | { readonly kind: 'idle'; readonly everyMs: number; readonly ms: number }

export interface Run {
  /** Lateness of each tick, and of a timer in a process with nothing else to do. */
  readonly lateMs: readonly number[]
  readonly timerLateMs: readonly number[]
  /** How long each reader waited. */
  readonly readUs: readonly number[]
  /** When the last transfer was accepted, after the last of them was due. */
  readonly behindMs: number
}

export class Scene {
  readonly #chain
  readonly #senders = start('./rush/client.ts')
  readonly #readers = start('./rush/client.ts')
  readonly #timer = start('./rush/client.ts')
  #place: Place | undefined

  constructor(profile: ProfileName) {
    this.#chain = start('./rush/chain.ts', [profile])
  }

  /** Runs all processes for `ms`, and `beside` with them, while `perSecond` transfers come in, which are signed before. */
  async run(
    perSecond: number,
    ms: number,
    beside: (url: string) => Promise<void> = async () => {},
  ): Promise<Run> {
    this.#place ??= await told<Place>(this.#chain)
    const { url, market } = this.#place
    const transfers = Math.floor((perSecond * ms) / 1000)
    await told(this.#senders, { kind: 'sign', url, transfers } satisfies Task)
    const read: Task = { kind: 'read', url, bodies: questions(market), everyMs: READ_EVERY_MS, ms }
    const [lateMs, timerLateMs, readUs, sentMs] = await Promise.all([
      told<number[]>(this.#chain, { ms } satisfies Watch),
      told<number[]>(this.#timer, { kind: 'idle', ms, everyMs: TICK_MS } satisfies Task),
      told<number[]>(this.#readers, read),
      told<number>(this.#senders, { kind: 'send', perSecond } satisfies Task),
      beside(url),
    ])
    return { lateMs, timerLateMs, readUs, behindMs: Math.max(0, sentMs - ms) }
  }

  close(): void {
    for (const child of [this.#chain, this.#senders, this.#readers, this.#timer]) child.kill()
  }
}

function questions({ gold, trader }: Market): string[] {
  return ['latest', 'pending'].flatMap((at) => [
    single({ method: 'eth_getBalance', params: [trader, at] }),
    single({ method: 'eth_call', params: [{ to: gold, data: dataOf(Token, 'balanceOf', [trader]) }, at] }),
    single({
      method: 'eth_getLogs',
      params: [{ fromBlock: 'earliest', toBlock: at, address: gold, topics: [null, topicOf(trader)] }],
    }),
  ])
}
