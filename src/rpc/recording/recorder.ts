/**
 * Writes down what happens to a devnet. Nobody waits for it: a request is answered as it would be, but that time stands
 * from one happening to the next, so that all that is read from the clock stands in the recording.
 */
import { after, type Machine, machineMs } from '../../sequencer/clock.ts'
import type { Mark } from '../../sequencer/sequencer.ts'
import type { RpcContext } from '../context.ts'
import type { Answer, Dispatch, Request } from '../dispatch.ts'
import { dumpMark } from '../stateFile.ts'
import type { Subscriptions } from '../subscriptions.ts'
import type { CallName } from './call.ts'
import { answerText, type Coming, comingText } from './happening.ts'
import { HeldTime } from './heldTime.ts'
import { Pace } from './pace.ts'

/** Takes the next characters of a recording. */
export type Write = (text: string) => void

export class Recorder {
  readonly #context: RpcContext
  readonly #write: Write
  readonly #usual: Machine
  readonly #machine: RecordedMachine
  readonly #startMs: number
  readonly #pace: Pace
  readonly #connections = new WeakMap<Subscriptions, number>()
  #lastConnection = 0
  readonly #marks = new WeakMap<Mark, number>()
  #lastMark = 0
  #requests = 0
  /** The line of the request that is being handed over; what is answered at once comes into it. */
  #begun: string | undefined
  #isOver = false

  /** From now on. No command may be under way, and the clock must stand on `usual` time. */
  constructor(context: RpcContext, startMs: number, write: Write) {
    const { sequencer } = context
    this.#context = context
    this.#write = write
    this.#startMs = startMs
    this.#usual = sequencer.clock.machine
    this.#machine = new RecordedMachine(startMs, {
      note: (what) => this.#note(what),
      onStep: () => this.#pace.onStep(),
    })
    sequencer.clock.machine = this.#machine
    this.#pace = new Pace(sequencer, {
      onDue: () => this.call('tick'),
      onStep: () => {},
      pause: () => this.#machine.pause(),
    })
  }

  /** Hands a request to `dispatch`, and writes down what it is and what is answered. */
  request(
    request: Request,
    subscriptions: Subscriptions | undefined,
    dispatch: Dispatch,
    isCalm: boolean,
  ): Answer | Promise<Answer> {
    const number = ++this.#requests
    const connection = subscriptions === undefined ? '' : `,"connection":${this.#numberOf(subscriptions)}`
    const calm = isCalm ? ',"calm":true' : ''
    const asked = `"method":${JSON.stringify(request.method)},"params":${paramsText(request.params)}`
    this.#endLine()
    const coming = this.#coming()
    this.#begun = `{"request":${number},${comingText(coming)}${connection}${calm},${asked}`
    const answer = this.#letIn(coming, () => dispatch(request, subscriptions))
    if (answer instanceof Promise) {
      this.#endLine()
      void answer.then((late) => this.#answer(number, late))
    } else this.#answer(number, answer)
    return answer
  }

  /** Writes down that somebody in process does something. */
  call(name: CallName, ...given: readonly unknown[]): void {
    const using = given.length === 0 ? '' : `,"with":${JSON.stringify(given)}`
    this.#note(`"call":"${name}"${using}`)
  }

  /** The number of a snapshot that is to be taken now. */
  snapshot(take: () => Mark): Mark {
    this.call('snapshot', ++this.#lastMark)
    const mark = take()
    this.#marks.set(mark, this.#lastMark)
    return mark
  }

  /** Writes down that somebody goes to `mark`, and what that is where nobody knows. */
  restore(mark: Mark): void {
    if (!this.#marks.has(mark)) {
      this.#marks.set(mark, ++this.#lastMark)
      this.call('bringMark', this.#lastMark, this.stateText(mark))
    }
    this.call('restore', this.#marks.get(mark))
  }

  /** The state file of `mark`. */
  stateText(mark: Mark): string {
    const decoder = new TextDecoder()
    let text = ''
    for (const piece of dumpMark(this.#context.sequencer, mark))
      text += decoder.decode(piece, { stream: true })
    return text
  }

  /** Ends the recording: what is answered from now on is not in it. */
  end(): void {
    if (this.#isOver) return
    this.#endLine()
    this.#write(`{"end":${this.#requests}}\n`)
    this.#isOver = true
    this.#pace.end()
    this.#context.recorder = undefined
    this.#context.sequencer.clock.machine = this.#usual
  }

  /** When and where something comes. */
  #coming(): Coming {
    return { tick: this.#pace.ticks, place: this.#pace.place, ms: machineMs() - this.#startMs }
  }

  #letIn<T>({ ms }: Coming, come: () => T): T {
    return this.#machine.letIn(this.#startMs + ms, this.#pace.isRunning, come)
  }

  #note(what: string): void {
    if (this.#isOver) return
    this.#endLine()
    const coming = this.#coming()
    this.#write(`{${what},${comingText(coming)}}\n`)
    this.#letIn(coming, () => {})
  }

  #answer(number: number, answer: Answer): void {
    if (this.#isOver) return
    const text = answerText(answer)
    if (this.#begun === undefined) this.#write(`{"answer":${number},"tick":${this.#pace.ticks},${text}}\n`)
    else {
      this.#write(`${this.#begun},${text}}\n`)
      this.#begun = undefined
    }
  }

  /** Another request came while one was handed over, or the answer takes its time. */
  #endLine(): void {
    if (this.#begun === undefined) return
    this.#write(`${this.#begun}}\n`)
    this.#begun = undefined
  }

  #numberOf(subscriptions: Subscriptions): number {
    const known = this.#connections.get(subscriptions)
    if (known !== undefined) return known
    this.#connections.set(subscriptions, ++this.#lastConnection)
    return this.#lastConnection
  }
}

class RecordedMachine extends HeldTime implements Machine {
  readonly #note: (what: string) => void
  readonly onStep: () => void
  #timers = 0
  #turns = 0

  constructor(nowMs: number, { note, onStep }: { note: (what: string) => void; onStep: () => void }) {
    super(nowMs)
    this.#note = note
    this.onStep = onStep
  }

  timer(): typeof after {
    const timer = this.#timers++
    return (ms, then) =>
      after(ms, () => {
        this.#note(`"timer":${timer}`)
        then()
      })
  }

  pause(): undefined {
    this.catchUp()
  }

  turn(): () => undefined {
    const turn = this.#turns++
    return () => {
      this.#note(`"turn":${turn}`)
    }
  }
}

/** In process anything may come: what is no JSON cannot be written down. */
function paramsText(params: readonly unknown[]): string {
  try {
    return JSON.stringify(params)
  } catch {
    return 'null'
  }
}
