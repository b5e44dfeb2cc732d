/**
 * Plays a recording against a devnet, as fast as that goes: the same requests and commands at the same places among the
 * commands, at the same times. What comes of it is held against what came of it then.
 */
import { version } from '../../model/version.ts'
import { after, breathingEvery } from '../../sequencer/clock.ts'
import { LoadFailed } from '../../wire/stateFile/loadFailed.ts'
import type { RpcContext } from '../context.ts'
import type { Dispatch } from '../dispatch.ts'
import { Subscriptions } from '../subscriptions.ts'
import { type Marks, type Play, prepareCall } from './call.ts'
import { Comparison } from './comparison.ts'
import type { Coming, Happening, Place, RecordedRequest } from './happening.ts'
import { InvalidRecording } from './invalidRecording.ts'
import { Pace } from './pace.ts'
import { PlayedMachine } from './playedMachine.ts'
import type { PlacedHappening, RecordingHead } from './readRecording.ts'
import type { Difference } from './verdict.ts'

/** A devnet on which a recording is played: it makes no tick by itself. */
export interface Stage {
  readonly context: RpcContext
  readonly dispatch: Dispatch
  readonly calmDispatch: Dispatch
}

export interface Played {
  readonly requests: number
  readonly ticks: number
  readonly difference: Difference | undefined
  /** Requests that could not be asked again: what came was no JSON. */
  readonly notAsked: number
  readonly subscriptions: number
  /** How the recording ended: with its last line, before it (`cut`), or where it was to end. */
  readonly ending: 'end' | 'cut' | 'stopped'
}

/** Plays `happenings` that stand before line `until`, or up to the first difference. Throws `InvalidRecording`. */
export async function play(
  stage: Stage,
  { startMs, by }: RecordingHead,
  happenings: AsyncIterable<PlacedHappening>,
  until: number,
): Promise<Played> {
  const player = new Player(stage, startMs, new Comparison(by === version))
  try {
    const ending = await player.play(happenings, until)
    return { ...player.result, ending }
  } finally {
    player.end()
  }
}

/** How long nothing may happen before the next thing is played at another place than it was then. */
const PATIENCE_MS = 2_000

/** What is read and ready: what comes from outside, at its place, or an answer that the recording has. */
interface Ready {
  readonly coming: Coming | undefined
  /** Whether whoever it is for has come so far. */
  readonly isAwaited: () => boolean
  readonly play: Play
}

class Player {
  readonly #stage: Stage
  readonly #startMs: number
  readonly #machine: PlayedMachine
  readonly #pace: Pace
  readonly #comparison: Comparison
  readonly #marks: Marks = new Map()
  readonly #connections = new Map<number, Subscriptions>()
  /** What comes while commands are under way, or at one place: to read the next line in between could be to come late. */
  #together: Ready[] = []
  /** Requests that are not answered yet, and calls that are not done. */
  #unanswered = 0
  #requests = 0
  #notAsked = 0
  #subscriptions = 0
  /** Called when something has happened. */
  #wake: () => void = () => {}

  constructor(stage: Stage, startMs: number, comparison: Comparison) {
    const { sequencer } = stage.context
    this.#comparison = comparison
    this.#stage = stage
    this.#startMs = startMs
    this.#machine = new PlayedMachine(startMs, {
      onChange: () => this.#wake(),
      onStep: () => this.#pace.onStep(),
    })
    sequencer.clock.machine = this.#machine
    this.#pace = new Pace(sequencer, {
      onDue: () => {},
      onStep: () => this.#wake(),
      pause: () => this.#machine.pause(),
    })
  }

  get result(): Omit<Played, 'ending'> {
    return {
      requests: this.#requests,
      ticks: this.#pace.ticks,
      difference: this.#comparison.difference,
      notAsked: this.#notAsked,
      subscriptions: this.#subscriptions,
    }
  }

  async play(happenings: AsyncIterable<PlacedHappening>, until: number): Promise<Played['ending']> {
    const breathing = breathingEvery(20)
    let ending: Played['ending'] = 'cut'
    for await (const { line, happening } of happenings) {
      if (line >= until) ending = 'stopped'
      else if (happening.kind === 'end') ending = 'end'
      if (ending !== 'cut') break
      await this.#add(line, happening)
      if (this.#hasDiffered) return 'stopped'
      if (this.#pace.isIdle) await breathing()
    }
    await this.#playTogether()
    await this.#settle()
    while (!this.#pace.isIdle && (await this.#something())) {}
    return this.#hasDiffered ? 'stopped' : ending
  }

  end(): void {
    this.#pace.end()
    this.#machine.release()
    for (const subscriptions of this.#connections.values()) subscriptions.close()
  }

  async #add(line: number, happening: Happening): Promise<void> {
    switch (happening.kind) {
      case 'end':
        return
      case 'answer': {
        const { request, answer } = happening
        this.#together.push({
          coming: undefined,
          isAwaited: always,
          play: () => this.#comparison.expect(request, answer),
        })
        return
      }
      default: {
        const last = this.#together.at(-1)
        const isBeside = last?.coming !== undefined && isSame(last.coming.place, happening.place)
        if (happening.place.waiting === 0 && !isBeside) await this.#playTogether()
        if (this.#hasDiffered) return
        const play = await this.#prepare(line, happening)
        this.#together.push({ coming: happening, isAwaited: this.#awaited(happening), play })
      }
    }
  }

  #prepare(line: number, happening: Exclude<Happening, { kind: 'answer' | 'end' }>): Play | Promise<Play> {
    switch (happening.kind) {
      case 'request':
        return () => this.#ask(line, happening)
      case 'timer':
        return () => this.#machine.fire(happening.timer)
      case 'turn':
        return () => this.#machine.take(happening.turn)
      case 'call': {
        const play = prepared(line, () => prepareCall(this.#stage.context, this.#marks, happening.call))
        return play instanceof Promise ? play.then((ready) => () => this.#do(ready)) : () => this.#do(play)
      }
    }
  }

  #awaited(happening: Happening): () => boolean {
    if (happening.kind === 'turn') return () => this.#machine.hasTurn(happening.turn)
    if (happening.kind === 'timer') return () => this.#machine.hasTimer(happening.timer)
    return always
  }

  async #playTogether(): Promise<void> {
    const together = this.#together
    this.#together = []
    // No command was under way: all that was answered before was done with.
    await this.#settle()
    this.#machine.hold()
    for (const { coming, isAwaited, play } of together) {
      if (coming !== undefined) {
        // Not awaited where there is nothing to wait for: what came at once comes at once.
        if (!this.#isThere(coming.place, isAwaited)) await this.#reach(coming.place, isAwaited)
      }
      if (this.#hasDiffered) continue
      if (coming === undefined) play()
      else this.#machine.letIn(this.#startMs + coming.ms, this.#pace.isRunning, play)
      // The request goes on in the next turn of the microtasks, before any command.
      if (isAwaited !== always) await undefined
    }
    this.#machine.letGo()
  }

  /** Lets the commands go on to `place`, and no further, and whoever waits for what is next come so far. */
  async #reach(place: Place, isAwaited: () => boolean): Promise<void> {
    while (!this.#isThere(place, isAwaited)) {
      if (this.#pace.isBefore(place) && this.#machine.isHolding) this.#machine.goOn()
      else if (!(await this.#something())) return
    }
  }

  #isThere(place: Place, isAwaited: () => boolean): boolean {
    return this.#pace.hasReached(place) && isAwaited()
  }

  #ask(line: number, request: RecordedRequest): void {
    const { number, method, params, connection, isCalm } = request
    if (params === undefined) {
      this.#notAsked++
      return
    }
    this.#requests++
    if (method === 'eth_subscribe') this.#subscriptions++
    const { dispatch, calmDispatch, context } = this.#stage
    const { preconfirmed, pending: newest } = context.chain
    this.#comparison.ask({
      request,
      line,
      block: Number(newest.block.header.number),
      slice: preconfirmed?.slices ?? 0,
      time: context.sequencer.clock.nowMs,
    })
    const subscriptions = connection === undefined ? undefined : this.#connection(connection)
    const translated = { method, params: this.#comparison.ids.translated(method, params) }
    const answer = (isCalm ? calmDispatch : dispatch)(translated, subscriptions)
    subscriptions?.answered()?.()
    if (!(answer instanceof Promise)) {
      this.#comparison.answer(number, answer)
      return
    }
    this.#unanswered++
    void answer.then((late) => {
      this.#unanswered--
      this.#comparison.answer(number, late)
      this.#wake()
    })
  }

  #do(play: Play): void {
    const done = () => {
      this.#unanswered--
      this.#wake()
    }
    this.#unanswered++
    // What failed here failed then, too; if not, somebody reads it from the chain.
    void Promise.resolve(play()).then(done, done)
  }

  /** Waits for the answers that the recording has; one that does not come is another than then. */
  async #settle(): Promise<void> {
    while (!this.#hasDiffered && !this.#comparison.isComplete) {
      if (!(await this.#something())) this.#comparison.giveUp()
    }
  }

  get #hasDiffered(): boolean {
    return this.#comparison.difference !== undefined
  }

  /** Waits until something happens; answers whether it did. */
  #something(): Promise<boolean> {
    if (this.#pace.isIdle && this.#unanswered === 0) return Promise.resolve(false)
    return new Promise((resolve) => {
      // A command that runs may take its time.
      const isStuck = () => this.#pace.isIdle || this.#machine.isHolding
      const cancel = after(PATIENCE_MS, () => resolve(!isStuck()))
      this.#wake = () => {
        this.#wake = () => {}
        cancel()
        resolve(true)
      }
    })
  }

  #connection(number: number): Subscriptions {
    const known = this.#connections.get(number)
    if (known !== undefined) return known
    // What they are told is not in the recording.
    const made = new Subscriptions(this.#stage.context.feeds, () => {})
    this.#connections.set(number, made)
    return made
  }
}

const always = () => true

function isSame(one: Place, other: Place): boolean {
  return one.commands === other.commands && one.waiting === other.waiting && one.steps === other.steps
}

/** What a call reads may be wrong: the line says where. */
function prepared(line: number, prepare: () => Play | Promise<Play>): Play | Promise<Play> {
  const fail = (error: unknown): never => {
    throw error instanceof LoadFailed ? new InvalidRecording(line, `state ${error.message}`) : error
  }
  const play = prepare()
  return play instanceof Promise ? play.catch(fail) : play
}
