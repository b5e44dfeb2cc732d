/** Plays a story: on a fork of the fixture, with an app of its own. */
import type { Devnet } from '../../devnet/devnet.ts'
import { userTransactions } from '../../model/block/block.ts'
import { together } from '../../model/collections/listeners.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { Values } from '../exploreOptions.ts'
import { Chronicle } from './chronicle.ts'
import { type End, KINDS, type Place, type Stage } from './kinds.ts'
import { Loopback } from './loopback.ts'
import { type QuietOptions, untilQuiet } from './quiet.ts'
import { Requests } from './requests.ts'
import type { AppOptions, StoryStart } from './storyOptions.ts'
import type { Move, Story, StoryFault } from './storyText.ts'

/** The part of a story that failed. `escaped`: an error of the app that nothing caught. */
export interface Failure {
  readonly part: 'run' | `act ${number}` | 'always' | 'holds' | 'escaped'
  readonly error: unknown
}

export interface Played {
  /** The story as it happened, without faults that had no occasion. */
  readonly story: Story
  /** The number of faults that had no occasion. */
  readonly missed: number
  /** The circumstances of each step. */
  readonly places: readonly Place[]
  readonly failure: Failure | undefined
  /** The events in words. */
  readonly lines: readonly string[]
}

/** Chooses the faults of a step when its circumstances are known. */
export type Pick = (place: Place, move: Move) => readonly StoryFault[]

/** Milliseconds without activity before the last check, if a port is open. */
const LAST_QUIET_MS_OF_PORT = 5
/** Seconds by which fake timers are moved at the end: longer than the usual time limit of requests, 10 seconds. */
const LAST_SECONDS = 15

export class Player<V extends Values, App> {
  /** Receives the escaped errors of the app that is playing. */
  onEscaped: (error: unknown) => void = () => {}
  readonly #start: StoryStart<V>
  readonly #options: AppOptions<V, App>
  readonly #loopback = new Loopback()

  constructor(start: StoryStart<V>, options: AppOptions<V, App>) {
    this.#start = start
    this.#options = options
  }

  /** Plays a story. `begin` is called with its devnet before the app starts. */
  async play(
    moves: Story,
    pick: Pick = (_, { faults }) => faults,
    begin?: (devnet: Devnet) => Promise<void>,
  ): Promise<Played> {
    const values = await this.#start.use({ rhythm: 'manual' })
    await begin?.(values.devnet)
    const playing = new Playing(this.#options, values, this.#loopback)
    this.onEscaped = (error) => playing.fail('escaped', error)
    try {
      return await playing.play(moves, pick)
    } finally {
      this.onEscaped = () => {}
      await playing.close()
    }
  }

  close(): Promise<void> {
    return this.#loopback.close()
  }
}

/** Thrown to end a story that failed. */
class Failed extends Error {}

class Playing<V extends Values, App> {
  readonly #options: AppOptions<V, App>
  readonly #values: V
  readonly #devnet: Devnet
  readonly #requests: Requests
  readonly #chronicle: Chronicle
  readonly #loopback: Loopback
  readonly #ends: (() => void)[] = []
  readonly #places: Place[] = []
  readonly #story: Move[] = []
  /** The numbers of transactions in the sealed blocks since the start, and in those of the L1. */
  readonly #sealed: number[] = []
  readonly #sealedOnL1: number[] = []
  /** Whether something happened in this step, and in the step before. */
  #news = false
  #wasNews = false
  #missed = 0
  #app: Awaited<App> | undefined
  #failure: Failure | undefined

  constructor(options: AppOptions<V, App>, values: V, loopback: Loopback) {
    this.#options = options
    this.#values = values
    this.#loopback = loopback
    this.#devnet = values.devnet
    this.#requests = new Requests(this.#devnet)
    this.#chronicle = new Chronicle(values)
  }

  async play(moves: Story, pick: Pick): Promise<Played> {
    try {
      await this.#attempt('run', async () => {
        this.#app = await this.#options.run(this.#devnet, this.#values)
      })
      this.#follow()
      await this.#settle()
      for (const move of moves) await this.#step(move, pick)
      await this.#calm()
      await this.#check('holds')
    } catch (error) {
      if (!(error instanceof Failed)) throw error
    }
    const { lines } = this.#chronicle
    return { story: this.#story, missed: this.#missed, places: this.#places, failure: this.#failure, lines }
  }

  fail(part: Failure['part'], error: unknown): void {
    this.#failure ??= { part, error }
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end()
    await this.#requests.close()
    const app = this.#app as Partial<Disposable & AsyncDisposable & { close(): unknown }> | undefined | null
    try {
      if (typeof app?.close === 'function') await app.close()
      else await (app?.[Symbol.asyncDispose] ?? app?.[Symbol.dispose])?.call(app as never)
    } finally {
      await this.#devnet.close()
    }
  }

  #follow(): void {
    const devnet = this.#devnet
    const onEvent = () => {
      this.#news = true
      this.#requests.noteActivity()
    }
    this.#ends.push(
      this.#chronicle.follow(devnet, onEvent),
      countSealed(devnet, this.#sealed),
      ...(devnet.l1 === undefined ? [] : [countSealed(devnet.l1, this.#sealedOnL1)]),
    )
  }

  /** Begins the faults of a step, does the step, and ends the faults. */
  async #step(move: Move, pick: Pick): Promise<void> {
    const { act } = move
    const requests = this.#requests
    this.#wasNews = this.#news
    this.#news = false
    requests.beginStep()
    this.#chronicle.beginStep(act)
    const place = this.#placeBefore(act)
    const stage: Stage = {
      devnet: this.#devnet,
      requests,
      place,
      choose: undefined,
      note: (text) => this.#chronicle.note(text),
    }
    const faults = pick(place, move)
    this.#story.push({ ...move, faults })
    const begun: [StoryFault, End][] = []
    for (const fault of faults) {
      begun.push([fault, await KINDS[fault.kind].begin(stage, fault.args)])
      if (fault.kind.startsWith('reorg')) await this.#settle()
    }
    let ready: readonly Transaction[] = []
    if (act === undefined) {
      let chosen: readonly Transaction[] = []
      await this.#tick((given) => {
        ready = given
        chosen = stage.choose?.(given) ?? given
        return chosen
      })
      this.#chronicle.endSlice(chosen)
    } else await this.#act(act)
    const happened: StoryFault[] = []
    for (const [fault, end] of begun) if (await end()) happened.push(fault)
    this.#missed += begun.length - happened.length
    this.#places.push({ ...place, ready: ready.map(({ from }) => from), requests: requests.methods })
    this.#story[this.#story.length - 1] = { ...move, faults: happened }
    await this.#check('always')
  }

  #placeBefore(act: number | undefined): Place {
    const { chain, pool } = this.#devnet.wires.context
    const { ticksPerBlock } = this.#devnet.settings
    const waiting = [...pool.contents.bySender.entries()].flatMap(([, queue]) =>
      queue.map(({ transaction }) => transaction),
    )
    const isSealing = act === undefined && (ticksPerBlock === 0 || (chain.open?.slices ?? 0) >= ticksPerBlock)
    const open = chain.open === undefined ? [] : userTransactions(chain.open.block)
    const ending = [...open, ...(ticksPerBlock === 0 ? waiting : [])]
    const isReorgUseful = act === undefined && this.#wasNews
    const { l1, settings } = this.#devnet
    return {
      ready: act === undefined ? waiting.map(({ from }) => from) : [],
      sealed: isSealing ? ending.map(({ hash, from }) => ({ hash, from })) : [],
      depths: isReorgUseful ? depthsOf(this.#sealed, chain) : [],
      depthsOnL1: isReorgUseful && l1 !== undefined ? depthsOf(this.#sealedOnL1, l1.wires.context.chain) : [],
      window: isSealing ? settings.l1?.sequencingWindow : undefined,
      requests: [],
      hasPort: this.#wasNews && this.#requests.hasPort,
      ticksPerBlock,
    }
  }

  async #tick(choose: Stage['choose']): Promise<void> {
    const { deviations } = this.#devnet.wires.sequencer
    deviations.choose = choose
    await this.#devnet.tick()
    deviations.choose = undefined
    await this.#options.advance?.(this.#devnet.settings.tickMs)
    this.#requests.deliver()
    await this.#settle()
  }

  /** Starts an act, and waits until it has ended or the app is quiet: an answer to the act may be late or missing. */
  async #act(act: number): Promise<void> {
    const { chain } = this.#devnet.wires.context
    const { latest, open } = chain
    const { acts = [] } = this.#options
    const perform = acts[act - 1]
    if (perform === undefined) {
      throw new RangeError(`story: expected an act from 1 to ${acts.length}, got act ${act}`)
    }
    let isOver = false
    const end = () => {
      isOver = true
      this.#requests.noteActivity()
    }
    const part = `act ${act}` as const
    const acting = (async () => perform(this.#devnet, this.#values, this.#app!))()
    acting.then(end, (error) => {
      this.fail(part, error)
      end()
    })
    this.#requests.deliver()
    await this.#settle({ isOver: () => isOver })
    if (chain.latest !== latest || chain.open !== open) {
      throw new TypeError(`everyStory: ${part} made a block or a slice; send with \`until: 'accepted'\``)
    }
  }

  /** Makes ticks without faults until all transactions are sealed, for two blocks at least. */
  async #calm(): Promise<void> {
    const { chain, pool } = this.#devnet.wires.context
    const { faults, settings, l1 } = this.#devnet
    const slotTicks = l1 === undefined ? 1 : Math.ceil(l1.settings.tickMs / settings.tickMs)
    const blockTicks = Math.max(1, settings.ticksPerBlock, slotTicks)
    await faults.clear()
    this.#chronicle.beginStep(undefined)
    this.#requests.deliverAll()
    await this.#settle()
    const isWaiting = () =>
      pool.size > 0 ||
      (l1?.wires.context.pool.size ?? 0) > 0 ||
      (chain.open !== undefined && userTransactions(chain.open.block).length > 0)
    const tickUntilSealed = async (least: number) => {
      for (let i = 0; i < 6 * blockTicks && (i < least || isWaiting()); i++) {
        await this.#tick(undefined)
        await this.#check('always')
      }
    }
    // The deposits of the last L1 block with transactions come with the next blocks of the L2.
    if (l1 !== undefined) await tickUntilSealed(0)
    await tickUntilSealed(2 * blockTicks + 1)
    if (this.#options.advance !== undefined) {
      for (let i = 0; i < LAST_SECONDS; i++) {
        await this.#options.advance(1_000)
        await this.#tick(undefined)
      }
      await tickUntilSealed(0)
    }
    await this.#settle({ quietMsOfPort: LAST_QUIET_MS_OF_PORT })
  }

  async #check(part: 'always' | 'holds'): Promise<void> {
    // An act or the app may have failed meanwhile.
    this.#requireNoFailure()
    const options = this.#options
    if (options[part] === undefined) return
    this.#requests.isChecking = true
    await this.#attempt(part, async () => {
      if ((await options[part]?.(this.#app!, this.#devnet, this.#values)) === false)
        throw new Error(`${part} returned false`)
    })
    this.#requests.isChecking = false
  }

  async #attempt(part: Failure['part'], work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.fail(part, error)
    }
    this.#requireNoFailure()
  }

  #requireNoFailure(): void {
    if (this.#failure !== undefined) throw new Failed()
  }

  async #settle(options?: QuietOptions): Promise<void> {
    await untilQuiet(this.#requests, this.#loopback, options)
    await this.#options.settle?.()
  }
}

/** Keeps in `counts` the numbers of transactions in the sealed blocks of a chain. Returns a function that ends this. */
function countSealed(devnet: Devnet, counts: number[]): () => void {
  return together([
    devnet.on('sealed', ({ block }) => void counts.push(userTransactions(block).length)),
    devnet.on('reorged', ({ length }) => void counts.splice(-length)),
  ])
}

/** Returns the depths of reorgs whose oldest block has transactions. */
function depthsOf(
  counts: readonly number[],
  { removable }: { readonly removable: number },
): readonly number[] {
  return counts.map((_, i) => i + 1).filter((depth) => counts.at(-depth)! > 0 && depth <= removable)
}
