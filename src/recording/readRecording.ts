/** Reads a recording: its head, its state file, then the recorded events line by line. */

import { jsonIn, version as ours } from '../model/api/text.ts'
import { type ByteSource, chunksOf } from '../model/block/blockStream.ts'
import type { ClockState } from '../sequencer/clock.ts'
import { InvalidValue, optional, type Parser, recordOf, shown, text } from '../wire/parser.ts'
import { number } from './commandCall.ts'
import { parseRecordedEvent, type RecordedEvent } from './recordedEvent.ts'

const FORMAT = 'recording'
const VERSION = 1

export interface RecordingHead {
  /** The version of preseal that made the recording. */
  readonly by: string
  /** The options for `createDevnet`, except those that the state file determines. */
  readonly options: Readonly<Record<string, unknown>>
  /** The machine's time at the start, in milliseconds since 1970. */
  readonly startMs: number
  readonly clock: ClockState
  /** The host of the upstream node, on a fork. */
  readonly node?: string | undefined
}

export interface RecordedLine {
  readonly line: number
  readonly event: RecordedEvent
}

export interface RecordingFile {
  readonly head: RecordingHead
  /** The state file. It begins at the second line of the recording. */
  readonly state: Uint8Array
  /** Number of the last line of the state file in the recording, counted from 1. */
  readonly lastOfState: number
  /** The recorded events in order. The last is `end`, unless the recording is truncated. */
  readonly events: AsyncIterable<RecordedLine>
}

export function headText({ by, options, startMs, clock, node }: RecordingHead): string {
  return `${JSON.stringify({ preseal: FORMAT, version: VERSION, by, startMs, clock, node, options })}\n`
}

/** Reads the head and the state. The events are read while `events` is iterated. Throws `InvalidRecording`. */
export async function readRecording(source: ByteSource): Promise<RecordingFile> {
  const lines = linesIn(source)
  const first = await lines.next()
  if (first.done === true) throw new InvalidRecording(1, `expected ${EXPECTED}, got an empty file`)
  if (!first.value.isWhole && first.value.text.startsWith(BEGINNING)) {
    throw new InvalidRecording(1, 'expected a complete line, got a recording that is truncated in this line')
  }
  const head = parsed(first.value, parseHead, EXPECTED)
  const state = await stateIn(lines)
  return { head, ...state, events: eventsIn(lines) }
}

interface Line {
  readonly line: number
  readonly text: string
  /** Whether the line ends with a line break. A line without one may be truncated. */
  readonly isWhole: boolean
}

const BEGINNING = JSON.stringify({ preseal: FORMAT }).slice(0, -1)

const EXPECTED = 'a recording of preseal (--record, devnet.record)'

const parseHead: Parser<RecordingHead> = (value, path) => {
  const { preseal, version, by, startMs, clock, node, options } = recordOf(value, path, EXPECTED)
  if (preseal !== FORMAT) throw new InvalidValue(path, EXPECTED, preseal === undefined ? value : preseal)
  if (version !== VERSION) {
    const writer = typeof by === 'string' ? `, and preseal ${by} wrote it` : ''
    throw new InvalidValue('version', `${VERSION}, the only one that preseal ${ours} reads${writer}`, version)
  }
  return {
    by: text(by, 'by'),
    startMs: number(startMs, 'startMs'),
    clock: parseClock(clock, 'clock'),
    node: optional(text)(node, 'node'),
    options: recordOf(options, 'options', 'an object'),
  }
}

const parseClock: Parser<ClockState> = (value, path) => {
  const { rhythm, tickMs, nowMs, lastTickMs, shiftedMs, firstOffsetMs } = recordOf(value, path, 'an object')
  if (rhythm !== 'interval' && rhythm !== 'manual' && rhythm !== 'instant') {
    throw new InvalidValue(`${path}.rhythm`, 'one of interval, manual, instant', rhythm)
  }
  return {
    rhythm,
    tickMs: number(tickMs, `${path}.tickMs`),
    nowMs: number(nowMs, `${path}.nowMs`),
    lastTickMs: number(lastTickMs, `${path}.lastTickMs`),
    ...(shiftedMs === undefined ? {} : { shiftedMs: number(shiftedMs, `${path}.shiftedMs`) }),
    firstOffsetMs: number(firstOffsetMs, `${path}.firstOffsetMs`),
  }
}

async function stateIn(lines: AsyncIterator<Line>): Promise<Pick<RecordingFile, 'state' | 'lastOfState'>> {
  const texts: string[] = []
  for (;;) {
    const next = await lines.next()
    if (next.done === true) {
      throw new InvalidRecording(
        texts.length + 2,
        'expected the state at the start of the recording, got the end of the file',
      )
    }
    texts.push(next.value.text)
    if (!next.value.text.startsWith('{"end":')) continue
    const state = new TextEncoder().encode(`${texts.join('\n')}\n`)
    return { state, lastOfState: next.value.line }
  }
}

async function* eventsIn(lines: AsyncIterable<Line>): AsyncGenerator<RecordedLine> {
  for await (const line of lines) {
    const event = parsedOrCut(line)
    if (event === undefined) return
    yield { line: line.line, event }
    if (event.kind === 'end') return
  }
}

/** Returns the parsed event; `undefined` for a truncated line. */
function parsedOrCut(line: Line): RecordedEvent | undefined {
  try {
    return parsed(line, parseRecordedEvent, 'an object of JSON')
  } catch (error) {
    if (!line.isWhole && jsonIn(line.text) === undefined) return undefined
    throw error
  }
}

function parsed<T>({ line, text }: Line, parse: Parser<T>, expected: string): T {
  const value = jsonIn(text)
  if (value === undefined) {
    const came = text === '' ? 'an empty line' : shown(text)
    throw new InvalidRecording(line, `expected ${expected}, got ${came}`)
  }
  try {
    return parse(value, '')
  } catch (error) {
    throw error instanceof InvalidValue ? toInvalidRecording(line, error) : error
  }
}

async function* linesIn(source: ByteSource): AsyncGenerator<Line> {
  const decoder = new TextDecoder()
  let begun = ''
  let line = 1
  for await (const chunk of chunksOf(source)) {
    const texts = decoder.decode(chunk, { stream: true }).split('\n')
    texts[0] = begun + texts[0]
    begun = texts.pop()!
    for (const text of texts) yield { line: line++, text, isWhole: true }
  }
  if (begun !== '') yield { line, text: begun, isWhole: false }
}

/** The error of `replay` for an invalid recording. The message has the line, the expected and the received value. */
export class InvalidRecording extends Error {
  /** The number of the line, counted from 1. */
  readonly line: number

  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`)
    this.name = 'InvalidRecording'
    this.line = line
  }
}

function toInvalidRecording(line: number, { path, expected, value }: InvalidValue): InvalidRecording {
  const where = path === '' ? '' : `${path}: `
  return new InvalidRecording(line, `${where}expected ${expected}, got ${shown(value)}`)
}
