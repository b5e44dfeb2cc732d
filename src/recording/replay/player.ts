/** Plays a recording on a devnet: repeats requests and commands at their places and times, and compares responses. */
import { version } from '../../model/api/text.ts'
import type { RpcContext } from '../../rpc/context.ts'
import type { Dispatch } from '../../rpc/request.ts'
import { Subscriptions } from '../../rpc/subscriptions.ts'
import { LoadFailed } from '../../saving/format/loadFailed.ts'
import { afterTurns, yieldingEvery, yieldToEventLoop } from '../../sequencer/clock.ts'
import { Work } from '../../work/work.ts'
import { type Marks, type Play, prepareCommand } from '../commandCall.ts'
import { CommandProgress } from '../commandProgress.ts'
import { PlayedTime } from '../heldTime.ts'
import { InvalidRecording, type RecordedLine, type RecordingHead } from '../readRecording.ts'
import type { Arrival, CommandPosition, RecordedEvent, RecordedRequest } from '../recordedEvent.ts'
import { Comparison, type Difference } from './comparison.ts'

/** A devnet to play a recording on. It makes no ticks by itself. */
export interface PlayTarget {
  readonly context: RpcContext
  readonly dispatch: Dispatch
  readonly faultlessDispatch: Dispatch
}

export interface Played {
  readonly requests: number
  readonly ticks: number
  readonly difference: Difference | undefined
  /** Number of requests that could not be repeated, because they were not JSON. */
  readonly notAsked: number
  readonly subscriptions: number
  /** `cut` if the recording is truncated, `stopped` if the replay ended at line `until` or at a difference. */
  readonly ending: 'end' | 'cut' | 'stopped'
  /** Number of the last line read, counted from 1. */
  readonly lastLine: number
}

/** Plays the events before line `until`, or up to the first difference. Throws `InvalidRecording`. */
export async function play(
  target: PlayTarget,
  { startMs, by }: RecordingHead,
  events: AsyncIterable<RecordedLine>,
  until: number,
): Promise<Played> {
  const player = new Player(target, startMs, new Comparison(by === version))
  try {
    return { ...(await player.play(events, until)), ...player.result }
  } finally {
    player.end()
  }
}

/** Milliseconds (of `afterTurns`) without progress, after which an event is played before its place is reached. */
const STUCK_AFTER_MS = 2_000

/** A parsed event: an input with its place, or a recorded response. */
interface PlayableEvent {
  readonly arrival: Arrival | undefined
  /** Returns whether the command or request that needs the event already waits for the event. */
  readonly isAwaited: () => boolean
  /** Whether the event lets a waiting request or command continue, which must happen before the next event. */
  readonly isContinued: boolean
  readonly play: Play
}

class Player {
  readonly #target: PlayTarget
  readonly #startMs: number
  readonly #time: PlayedTime
  readonly #progress: CommandProgress
  readonly #comparison: Comparison
  readonly #marks: Marks = new Map()
  readonly #connections = new Map<number, Subscriptions>()
  /** Events at one position, or within running commands, all read before the first is played: reading takes time. */
  #together: PlayableEvent[] = []
  /** Number of requests and calls that have not ended. */
  #unanswered = 0
  #requests = 0
  #notAsked = 0
  #subscriptions = 0
  #wake: () => void = () => {}

  constructor(target: PlayTarget, startMs: number, comparison: Comparison) {
    const { sequencer } = target.context
    this.#comparison = comparison
    this.#target = target
    this.#startMs = startMs
    this.#time = new PlayedTime(startMs, {
      onChange: () => this.#wake(),
      onStep: () => this.#progress.onStep(),
    })
    this.#progress = new CommandProgress(sequencer, this.#time, {
      onDue: () => {},
      onStep: () => this.#wake(),
      pause: () => this.#time.pause(),
    })
  }

  get result(): Omit<Played, 'ending' | 'lastLine'> {
    return {
      requests: this.#requests,
      ticks: this.#progress.ticks,
      difference: this.#comparison.difference,
      notAsked: this.#notAsked,
      subscriptions: this.#subscriptions,
    }
  }

  async play(
    events: AsyncIterable<RecordedLine>,
    until: number,
  ): Promise<Pick<Played, 'ending' | 'lastLine'>> {
    const breathing = yieldingEvery(20)
    let ending: Played['ending'] = 'cut'
    let lastLine = 0
    for await (const { line, event } of events) {
      lastLine = line
      if (line >= until) ending = 'stopped'
      else if (event.kind === 'end') ending = 'end'
      if (ending !== 'cut') break
      await this.#add(line, event)
      if (this.#hasDiffered) return { ending: 'stopped', lastLine }
      if (this.#progress.isIdle) await breathing()
    }
    await this.#playTogether()
    // Requests that wait for further responses of the upstream node must end.
    this.#target.context.nodeOfFiles?.close()
    await this.#settle()
    while (!this.#progress.isIdle && (await this.#nextEvent())) {}
    return { ending: this.#hasDiffered ? 'stopped' : ending, lastLine }
  }

  end(): void {
    this.#progress.end()
    this.#time.release()
    this.#target.context.nodeOfFiles?.close()
    for (const subscriptions of this.#connections.values()) subscriptions.close()
  }

  async #add(line: number, event: RecordedEvent): Promise<void> {
    switch (event.kind) {
      case 'end':
        return
      case 'answer':
        this.#addBeside(() => this.#comparison.expect(event.request, event.answer))
        return
      case 'abi':
        this.#addBeside(() => this.#target.context.options.addedAbis?.add(event.abi))
        return
      default: {
        const last = this.#together.at(-1)
        const isBeside = last?.arrival !== undefined && isSame(last.arrival.position, event.position)
        if (event.position.waiting === 0 && !isBeside) await this.#playTogether()
        if (this.#hasDiffered) return
        const play = await this.#prepare(line, event)
        this.#together.push({
          arrival: event,
          isAwaited: this.#awaited(event),
          isContinued: event.kind === 'network' || event.kind === 'prepared' || event.kind === 'timer',
          play,
        })
      }
    }
  }

  #addBeside(play: Play): void {
    this.#together.push({ arrival: undefined, isAwaited: always, isContinued: false, play })
  }

  #prepare(
    line: number,
    event: Exclude<RecordedEvent, { kind: 'answer' | 'abi' | 'end' }>,
  ): Play | Promise<Play> {
    switch (event.kind) {
      case 'request':
        return () => this.#ask(line, event)
      case 'network':
        return () => this.#target.context.nodeOfFiles?.deliver(event.news)
      case 'timer':
        return () => this.#time.timers.release(event.timer)
      case 'prepared':
        return () => this.#time.prepared.release(event.preparation)
      case 'call': {
        const play = prepared(line, () => prepareCommand(this.#target.context, this.#marks, event.call))
        return play instanceof Promise ? play.then((ready) => () => this.#do(ready)) : () => this.#do(play)
      }
    }
  }

  #awaited(event: RecordedEvent): () => boolean {
    if (event.kind === 'prepared') return () => this.#time.prepared.has(event.preparation)
    if (event.kind === 'timer') return () => this.#time.timers.has(event.timer)
    return always
  }

  async #playTogether(): Promise<void> {
    const together = this.#together
    this.#together = []
    // At this place of the recording no command was running, so all earlier requests had their responses.
    await this.#settle()
    this.#time.pauseSteps()
    for (const { arrival, isAwaited, isContinued, play } of together) {
      // After a difference, places may never be reached.
      if (this.#hasDiffered) break
      // Avoids `await`, because events that arrived in one turn of the event loop must be played in one turn.
      if (arrival !== undefined && !this.#isThere(arrival.position, isAwaited)) {
        await this.#reach(arrival.position, isAwaited)
      }
      if (this.#hasDiffered) break
      if (arrival === undefined) play()
      else this.#time.receive(this.#startMs + arrival.ms, this.#progress.isRunning, play)
      if (isContinued) await yieldToEventLoop()
    }
    this.#time.runFreely()
  }

  /** Lets commands run until they have reached `position` and `isAwaited` returns true. */
  async #reach(position: CommandPosition, isAwaited: () => boolean): Promise<void> {
    while (!this.#isThere(position, isAwaited)) {
      if (this.#progress.isBefore(position) && this.#time.isPaused) this.#time.continue()
      else if (!(await this.#nextEvent())) return
    }
  }

  #isThere(position: CommandPosition, isAwaited: () => boolean): boolean {
    return this.#progress.hasReached(position) && isAwaited()
  }

  #ask(line: number, request: RecordedRequest): void {
    const { number, method, params, connection, isFaultless } = request
    if (params === undefined) {
      this.#notAsked++
      return
    }
    this.#requests++
    if (method === 'eth_subscribe') this.#subscriptions++
    const { dispatch, faultlessDispatch, context } = this.#target
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
    // Requests run without pauses, as they do while a recording is made.
    const startWork = () => new Work({ owner: context }).withoutPauses()
    const answer = (isFaultless ? faultlessDispatch : dispatch)(translated, subscriptions, startWork)
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
    // If the command fails only in the replay, a later response differs.
    void Promise.resolve(play()).then(done, done)
  }

  /** Waits for all recorded responses. A missing response is a difference. */
  async #settle(): Promise<void> {
    while (!this.#hasDiffered && !this.#comparison.isComplete) {
      if (!(await this.#nextEvent())) this.#comparison.giveUp()
    }
  }

  get #hasDiffered(): boolean {
    return this.#comparison.difference !== undefined
  }

  /** Waits for a change of the devnet. Returns whether the devnet changed. */
  #nextEvent(): Promise<boolean> {
    if (this.#progress.isIdle && this.#unanswered === 0) return Promise.resolve(false)
    return new Promise((resolve) => {
      // A command that computes for longer than `STUCK_AFTER_MS` is not stuck.
      const isStuck = () => this.#progress.isIdle || this.#time.isPaused
      const cancel = afterTurns(STUCK_AFTER_MS, () => resolve(!isStuck()))
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
    // Notifications are dropped, because recordings have none to compare with.
    const made = new Subscriptions(this.#target.context.feeds, () => {})
    this.#connections.set(number, made)
    return made
  }
}

const always = () => true

function isSame(one: CommandPosition, other: CommandPosition): boolean {
  return one.commands === other.commands && one.waiting === other.waiting && one.steps === other.steps
}

/** Prepares a call. Throws `InvalidRecording` with the line instead of `LoadFailed`. */
function prepared(line: number, prepare: () => Play | Promise<Play>): Play | Promise<Play> {
  const fail = (error: unknown): never => {
    throw error instanceof LoadFailed ? new InvalidRecording(line, `state ${error.message}`) : error
  }
  const play = prepare()
  return play instanceof Promise ? play.catch(fail) : play
}
