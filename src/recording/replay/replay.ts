import { createDevnet } from '../../devnet/createDevnet.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { namesOf, requireOptions } from '../../model/api/arguments.ts'
import type { ByteSource } from '../../model/block/blockStream.ts'
import type { DevnetOptions } from '../../options/options.ts'
import { InvalidOption } from '../../options/values.ts'
import { LoadFailed } from '../../saving/format/loadFailed.ts'
import { readMark } from '../../saving/stateFile.ts'
import { stateOptions } from '../../saving/stateOptions.ts'
import {
  InvalidRecording,
  type RecordedLine,
  type RecordingFile,
  type RecordingHead,
  readRecording,
} from '../readRecording.ts'
import type { RecordedAnswer, RecordedRequest } from '../recordedEvent.ts'
import { Comparison } from './comparison.ts'
import { type Played, play } from './player.ts'

export interface ReplayOptions {
  /** Options that replace the recorded options. They do not change the state at the beginning of the recording. */
  readonly options?: DevnetOptions
  /** The line of the recording before which the replay stops. */
  readonly until?: number
  /** Called after the last line, before the devnet is closed. The devnet keeps its time, and makes no ticks. */
  readonly look?: (devnet: Devnet, replay: Replay) => unknown
}

/** The result of a replay. */
export interface Replay extends Played {
  /** The version of preseal that made the recording. */
  readonly recordedBy: string
}

/**
 * Plays a recording on a new devnet, as fast as possible: the same requests, ticks and commands in the same order at
 * the same times. Resolves to the numbers of requests and ticks, and to the first response that differs from the
 * recorded response. `recording` is the output of `devnet.record`, as text, as bytes or as a stream of bytes. Rejects
 * with `InvalidRecording` or `InvalidOption`, and with a `RangeError` if the recording ends before the line `until`.
 */
export async function replay(
  recording: string | ByteSource,
  replayOptions: ReplayOptions = {},
): Promise<Replay> {
  requireOptions('replay', replayOptions, REPLAY_OPTIONS, replay)
  return replayWatched(recording, replayOptions, () => {})
}

/** @internal Like `replay`. Calls `watch` with the devnet before the first line; `watch` may only add listeners. */
export async function replayWatched(
  recording: string | ByteSource,
  replayOptions: ReplayOptions,
  watch: (devnet: Devnet) => void | Promise<void>,
): Promise<Replay> {
  const { options = {}, until = Number.POSITIVE_INFINITY, look = () => {} } = replayOptions
  const read = await readRecording(
    typeof recording === 'string' ? new TextEncoder().encode(recording) : recording,
  )
  const devnet = await devnetOf(read, options)
  try {
    await watch(devnet)
    const played = await play(devnet.wires, read.head, read.events, until)
    requireReached(played, until)
    const lastLine = Math.max(played.lastLine, read.lastOfState)
    const replayed = { ...played, lastLine, recordedBy: read.head.by }
    await look(devnet, replayed)
    return replayed
  } finally {
    await devnet.close()
  }
}

const REPLAY_OPTIONS = namesOf<ReplayOptions>({ options: true, until: true, look: true })

/** Sends the requests of a recording to another node with `ask`, one after the other, without ticks and commands. */
export async function replayElsewhere(
  recording: ByteSource,
  ask: AskElsewhere,
  until = Number.POSITIVE_INFINITY,
): Promise<Replay> {
  const { head, events } = await readRecording(recording)
  const played = await playElsewhere(ask, events, until)
  requireReached(played, until)
  return { ...played, recordedBy: head.by }
}

/** Thrown if line `until` is after the last line. */
export class LineNotReached extends RangeError {
  readonly reason: string

  constructor(until: number, lastLine: number, isCut: boolean) {
    const end = isCut ? `${lastLine}, where it was cut off` : `${lastLine}, its last`
    const reason = `expected a line of the recording, up to ${end}; got ${until}`
    super(`replay: until: ${reason}`)
    this.name = 'RangeError'
    this.reason = reason
  }
}

function requireReached({ ending, lastLine }: Played, until: number): void {
  if (ending !== 'stopped' && until !== Number.POSITIVE_INFINITY) {
    throw new LineNotReached(until, lastLine, ending === 'cut')
  }
}

async function devnetOf({ head, state }: RecordingFile, others: DevnetOptions): Promise<Devnet> {
  const said = await reading(() => stateOptions(state))
  if (said === undefined) throw new InvalidRecording(2, "expected preseal's state file, got another")
  const { genesis, coinbase, randaoSeed } = said
  const devnet = await made(head, { coinbase, randaoSeed, genesis, consoleLogs: false }, others)
  devnet.rest()
  const { context } = devnet.wires
  context.observer?.endForSuccessor('replay')
  const { clock } = context.sequencer
  const { PlayedNode } = await import('../../upstream/offlineNodes.ts')
  context.nodeOfFiles = new PlayedNode(head.node ?? 'the network of the state file')
  const mark = await reading(() => readMark(context, state))
  clock.setTimeSource({ ...clock.timeSource, nowMs: head.startMs })
  await context.sequencer.marks.restore(mark)
  clock.restoreState(head.clock)
  return devnet
}

async function made({ options }: RecordingHead, of: DevnetOptions, others: DevnetOptions): Promise<Devnet> {
  try {
    return await createDevnet({ ...options, ...of, ...others })
  } catch (error) {
    if (!(error instanceof InvalidOption) || Object.hasOwn(others, error.option)) throw error
    throw new InvalidRecording(1, error.message)
  }
}

/** Runs `read`. Turns `LoadFailed` into `InvalidRecording`: line n of the state file is line n + 1 of the recording. */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof LoadFailed)) throw error
    throw new InvalidRecording(error.line + 1, error.message.replace(/^line \d+: /, ''))
  }
}

/** Sends a request to another node. Rejects if the node cannot be reached. */
export type AskElsewhere = (method: string, params: readonly unknown[]) => Promise<RecordedAnswer>

/** Sends the requests before line `until` to another node, one after the other, up to the first difference. */
async function playElsewhere(
  ask: AskElsewhere,
  events: AsyncIterable<RecordedLine>,
  until: number,
): Promise<Played> {
  const comparison = new Comparison(false)
  const counts = { requests: 0, notAsked: 0, subscriptions: 0 }
  const play = async (line: number, request: RecordedRequest) => {
    const { method, params, answer, number } = request
    if (method === 'eth_subscribe') counts.subscriptions++
    // A subscription needs a lasting connection. A request without a recorded response might not end.
    if (params === undefined || method === 'eth_subscribe' || answer?.kind === 'never') {
      counts.notAsked++
      return
    }
    counts.requests++
    comparison.ask({ request, line, block: undefined, slice: undefined, time: undefined })
    comparison.answer(number, await ask(method, comparison.ids.translated(method, params)))
  }
  let lastLine = 0
  const playAll = async (): Promise<Played['ending']> => {
    for await (const { line, event } of events) {
      lastLine = line
      if (line >= until) return 'stopped'
      if (event.kind === 'end') return 'end'
      if (event.kind === 'request') await play(line, event)
      if (event.kind === 'answer') comparison.expect(event.request, event.answer)
      if (comparison.difference !== undefined) return 'stopped'
    }
    return 'cut'
  }
  const ending = await playAll()
  return { ...counts, ticks: 0, difference: comparison.difference, ending, lastLine }
}
