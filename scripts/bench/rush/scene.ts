/** The processes of the rush: started once, and run together as often as wanted. */
import type { ChildProcess } from 'node:child_process'
import { Token } from '../../../fixtures/contracts/Token.ts'
import type { Market } from '../../../fixtures/market.ts'
import type { ProfileName } from '../../../src/options/options.ts'
import { single } from '../http/load.ts'
import { start, told } from '../processes.ts'
import { dataOf, topicOf } from '../scenario.ts'
import type { Done, Lateness, Place, Read, Tick, ToSenders, Watch, Watched } from './protocol.ts'

export const TICK_MS = 200
/** Some twenty questions a second. No divisor of a tick: they come before, in and after one. */
const READ_EVERY_MS = 47

/** What was seen in one run. */
export interface Run {
  /** By how much each tick came too late, and each time a timer with nothing else to do. */
  readonly lateMs: Lateness
  readonly timerLateMs: Lateness
  /** The processor time of the chain. */
  readonly cpuMs: number
  /** How long each reader waited. */
  readonly readUs: readonly number[]
  /** When the last transfer was accepted, after the last of them was due. */
  readonly behindMs: number
}

export class Scene {
  readonly #chain: ChildProcess
  readonly #senders = start('./rush/senders.ts')
  readonly #readers = start('./rush/readers.ts')
  readonly #timer = start('./rush/timer.ts')
  #place: Place | undefined

  constructor(profile: ProfileName) {
    this.#chain = start('./rush/chain.ts', [profile])
  }

  /** All at once for `ms`, and `beside` with them; with so many transfers a second, which are signed before. */
  async run(
    perSecond: number,
    ms: number,
    beside: (url: string) => Promise<void> = async () => {},
  ): Promise<Run> {
    const { url, market } = await this.#where()
    const transfers = Math.floor((perSecond * ms) / 1000)
    await ask<Done>(this.#senders, { kind: 'sign', url, transfers } satisfies ToSenders)
    const [{ lateMs, cpuMs }, timerLateMs, readUs, sent] = await Promise.all([
      ask<Watched>(this.#chain, { ms } satisfies Watch),
      ask<Lateness>(this.#timer, { ms, everyMs: TICK_MS } satisfies Tick),
      ask<number[]>(this.#readers, {
        url,
        bodies: questions(market),
        everyMs: READ_EVERY_MS,
        ms,
      } satisfies Read),
      ask<Done>(this.#senders, { kind: 'send', perSecond } satisfies ToSenders),
      beside(url),
    ])
    return { lateMs, timerLateMs, cpuMs, readUs, behindMs: Math.max(0, sent.ms - ms) }
  }

  /** The process of the chain. */
  get chainPid(): number {
    return this.#chain.pid!
  }

  close(): void {
    for (const child of [this.#chain, this.#senders, this.#readers, this.#timer]) child.kill()
  }

  async #where(): Promise<Place> {
    this.#place ??= await told<Place>(this.#chain)
    return this.#place
  }
}

function ask<Answer>(child: ChildProcess, message: Watch | Tick | Read | ToSenders): Promise<Answer> {
  child.send(message)
  return told<Answer>(child)
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
