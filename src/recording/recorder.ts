/** Records the inputs of a devnet without delaying them. The time of the devnet stays constant between two inputs. */

import { encodeNews } from '../methods/forked/forwarding.ts'
import { callsOfRun } from '../methods/solidity/sourceTracer.ts'
import type { RpcContext } from '../rpc/context.ts'
import { Problem } from '../rpc/errors/problem.ts'
import type { Observer, Successor } from '../rpc/observer.ts'
import type { Answer, Dispatch, Refused, Request } from '../rpc/request.ts'
import type { Subscriptions } from '../rpc/subscriptions.ts'
import { dumpMark, networkOf } from '../saving/stateFile.ts'
import { machineMs, type TimeSource } from '../sequencer/clock.ts'
import type { Mark } from '../sequencer/marks.ts'
import { CommandProgress } from './commandProgress.ts'
import { RecordedTime } from './heldTime.ts'
import { type Arrival, answerText, arrivalText } from './recordedEvent.ts'

export type Write = (text: string) => void

/** Called when another recording, or a replay, replaces this recording. */
export type OnGiveWay = (to: Successor) => void

/** A recorded request whose code failed, such as a call or an estimate. */
export interface FailedRequest {
  readonly method: string
  readonly message: string
  /** The number of the block under construction when the request was answered. */
  readonly blockNumber: bigint
  readonly stackTrace: Refused['stackTrace']
  /** Resolves to the calls of the failed run; to `undefined` if there are too many. */
  calls(): ReturnType<typeof callsOfRun>
}

/** Maximum number of kept failed requests. Each keeps the state on which its code ran in memory. */
const MOST_FAILED = 20

export class Recorder implements Observer {
  readonly #context: RpcContext
  readonly #write: Write
  readonly #onGiveWay: OnGiveWay | undefined
  readonly #usualTime: TimeSource
  readonly #time: RecordedTime
  readonly #startMs: number
  readonly #progress: CommandProgress
  readonly #stopObserving: () => void
  readonly #connections = new WeakMap<Subscriptions, number>()
  #lastConnection = 0
  /** The observed networks, each with a function that ends the observation. */
  readonly #networks = new Map<object, () => void>()
  readonly #marks = new WeakMap<Mark, number>()
  #lastMark = 0
  /** The ABIs of `devnet.abis` that are already written, newest first; `undefined` if ABIs are not recorded. */
  #abis: readonly object[] | undefined
  #requests = 0
  /** The last requests whose code failed, oldest first. */
  readonly failed: FailedRequest[] = []
  /** The line of the request that is being handled. A synchronous response is added to this line. */
  #requestLine: string | undefined
  #isOver = false

  /** Starts the recording. No command may be running. `end` restores the time source that the clock uses now. */
  constructor(
    context: RpcContext,
    startMs: number,
    write: Write,
    { onGiveWay, hasAbis = false }: { onGiveWay?: OnGiveWay | undefined; hasAbis?: boolean | undefined } = {},
  ) {
    const { sequencer } = context
    this.#context = context
    this.#write = write
    this.#onGiveWay = onGiveWay
    this.#abis = hasAbis ? [] : undefined
    this.#startMs = startMs
    this.#usualTime = sequencer.clock.timeSource
    this.#time = new RecordedTime(startMs, {
      note: (what) => this.#note(what),
      onStep: () => this.#progress.onStep(),
    })
    this.#progress = new CommandProgress(sequencer, this.#time, {
      onDue: () => this.onCommand('tick'),
      onStep: () => {},
      pause: () => this.#time.pause(),
    })
    this.#stopObserving = context.observe(this)
    this.#listenTo(context.network)
  }

  onRequest(
    request: Request,
    subscriptions: Subscriptions | undefined,
    dispatch: Dispatch,
    faults: 'withFaults' | 'faultless',
  ): Answer | Promise<Answer> {
    const number = ++this.#requests
    const connection = subscriptions === undefined ? '' : `,"connection":${this.#numberOf(subscriptions)}`
    const faultless = faults === 'faultless' ? ',"faultless":true' : ''
    const asked = `"method":${JSON.stringify(request.method)},"params":${paramsText(request)}`
    this.#endLine()
    const arrival = this.#arrival()
    this.#requestLine = `{"request":${number},${arrivalText(arrival)}${connection}${faultless},${asked}`
    const answer = this.#receive(arrival, () => dispatch(request, subscriptions))
    if (answer instanceof Promise) {
      this.#endLine()
      void answer.then((late) => this.#answer(number, request, late))
    } else this.#answer(number, request, answer)
    return answer
  }

  onCommand(name: string, ...given: readonly unknown[]): void {
    this.#call(name, ...given)
  }

  onLoad(mark: Mark): void {
    this.#call('load', this.stateText(mark))
    this.#listenTo(networkOf(mark))
  }

  #call(name: string, ...given: readonly unknown[]): void {
    const using = given.length === 0 ? '' : `,"with":${JSON.stringify(given)}`
    this.#note(`"call":"${name}"${using}`)
  }

  onSnapshot(take: () => Mark): Mark {
    this.#call('snapshot', ++this.#lastMark)
    const mark = take()
    this.#marks.set(mark, this.#lastMark)
    return mark
  }

  /** Records that a mark is restored. Includes the state if another devnet took the mark. */
  onRestore(mark: Mark): void {
    if (!this.#marks.has(mark)) {
      this.#marks.set(mark, ++this.#lastMark)
      this.#call('bringMark', this.#lastMark, this.stateText(mark))
      this.#listenTo(networkOf(mark))
    }
    this.#call('restore', this.#marks.get(mark))
  }

  stateText(mark: Mark): string {
    return joinedText(dumpMark(this.#context, mark))
  }

  /** Completes the current line. Returns the line that ends the recording; empty after the end. */
  get ending(): string {
    if (this.#isOver) return ''
    this.#endLine()
    return `{"end":${this.#requests}}\n`
  }

  /** Writes the last line. Responses after this line are not recorded. */
  end(): void {
    if (this.#isOver) return
    this.#write(this.ending)
    this.#isOver = true
    this.#progress.end()
    this.#stopObserving()
    for (const stop of this.#networks.values()) stop()
    this.#context.sequencer.observe(undefined, this.#usualTime)
  }

  endForSuccessor(to: Successor): boolean {
    if (this.#onGiveWay === undefined) return false
    this.end()
    this.#onGiveWay(to)
    return true
  }

  #listenTo(network: RpcContext['network']): void {
    if (network === undefined || this.#networks.has(network)) return
    const stop = network.node.listen((news) => this.#note(JSON.stringify(encodeNews(news)).slice(1, -1)))
    this.#networks.set(network, stop)
  }

  #arrival(): Arrival {
    return { tick: this.#progress.ticks, position: this.#progress.position, ms: machineMs() - this.#startMs }
  }

  #receive<T>({ ms }: Arrival, input: () => T): T {
    return this.#time.receive(this.#startMs + ms, this.#progress.isRunning, input)
  }

  #note(what: string): void {
    if (this.#isOver) return
    this.#endLine()
    const arrival = this.#arrival()
    this.#write(`{${what},${arrivalText(arrival)}}\n`)
    this.#receive(arrival, () => {})
  }

  #answer(number: number, { method }: Request, answer: Answer): void {
    if (this.#isOver || answer.isOfReplica) return
    if (answer.kind === 'error') this.#keepFailed(method, answer)
    const text = answerText(answer)
    if (this.#requestLine === undefined)
      this.#write(`{"answer":${number},"tick":${this.#progress.ticks},${text}}\n`)
    else {
      this.#write(`${this.#requestLine},${text}}\n`)
      this.#requestLine = undefined
    }
  }

  #keepFailed(method: string, { cause, error: { message }, stackTrace }: Refused): void {
    const runAgain = cause instanceof Problem ? cause.runAgain : undefined
    if (runAgain === undefined) return
    const context = this.#context
    const blockNumber = context.chain.pending.block.header.number
    const calls = () => callsOfRun(context, runAgain)
    this.failed.push({ method, message, blockNumber, stackTrace, calls })
    if (this.failed.length > MOST_FAILED) this.failed.shift()
  }

  /** Completes the line of the current request if it had no synchronous response. Then writes new ABIs. */
  #endLine(): void {
    if (this.#requestLine !== undefined) {
      this.#write(`${this.#requestLine}}\n`)
      this.#requestLine = undefined
    }
    this.#writeAbis()
  }

  /** Writes new ABIs, oldest first. */
  #writeAbis(): void {
    const { addedAbis } = this.#context.options
    const before = this.#abis
    if (before === undefined || addedAbis === undefined || addedAbis.all() === before) return
    const all = addedAbis.all()
    this.#abis = all
    const known = new Set(before)
    for (const added of all.toReversed()) {
      if (!known.has(added)) this.#write(`{"abi":${JSON.stringify(addedAbis.encode(added))}}\n`)
    }
  }

  #numberOf(subscriptions: Subscriptions): number {
    const known = this.#connections.get(subscriptions)
    if (known !== undefined) return known
    this.#connections.set(subscriptions, ++this.#lastConnection)
    return this.#lastConnection
  }
}

export function joinedText(pieces: Iterable<Uint8Array>): string {
  const decoder = new TextDecoder()
  let text = ''
  for (const piece of pieces) text += decoder.decode(piece, { stream: true })
  return text
}

/** Methods that take the URL of a node. The URL may contain an API key. */
const WITH_URLS = /_(reset|setRpcUrl)$/

/** Returns the parameters as JSON, with URLs cut after the host; `null` if in-process values have no JSON form. */
function paramsText({ method, params }: Request): string {
  try {
    const text = JSON.stringify(params)
    return WITH_URLS.test(method) ? text.replace(/(\w+:\/\/)(?:[^"/@]*@)?([^"/?#]*)[^"]*/g, '$1$2') : text
  } catch {
    return 'null'
  }
}
