/** Serialises results of up to hundreds of megabytes, such as traces, with pauses for other work. */
import type { Work } from '../work/work.ts'

/** An array or object that is partly written: its remaining values, and its closing character. */
interface Open {
  readonly values: Iterator<Written>
  readonly end: ']' | '}'
  isFirst: boolean
}

/** The text of one or more values. The value `long`, if any, follows the text, and must be written in parts. */
interface Written {
  readonly text: string
  readonly long?: object
}

/** The maximum number of values written without a pause. Writing so many values takes well under a millisecond. */
const PIECE = 1_000
/** The maximum depth of a value written without a pause. */
const DEPTH = 8
/** A string counts as one value, and as one more value for every 1,000 characters. */
const CHARACTERS = 1_000

/** Returns the same text as `JSON.stringify`. Long texts take several turns of the event loop. */
export async function jsonText(value: unknown, work: Work): Promise<string> {
  if (!isLong(value)) return JSON.stringify(value)
  const pieces: string[] = []
  const open: Open[] = [opened(value, pieces)]
  while (open.length > 0) {
    const top = open.at(-1)!
    const next = top.values.next()
    if (next.done === true) {
      pieces.push(top.end)
      open.pop()
      continue
    }
    const { text, long } = next.value
    pieces.push(top.isFirst ? text : `,${text}`)
    top.isFirst = false
    if (long !== undefined) open.push(opened(long, pieces))
    const pause = work.pause()
    if (pause !== undefined) await pause
  }
  return pieces.join('')
}

function opened(value: object, pieces: string[]): Open {
  if (Array.isArray(value)) {
    pieces.push('[')
    return { values: itemsOf(value), end: ']', isFirst: true }
  }
  pieces.push('{')
  return { values: membersOf(value), end: '}', isFirst: true }
}

function* itemsOf(items: readonly unknown[]): Generator<Written> {
  let begin = 0
  let room = PIECE
  for (let at = 0; at < items.length; at++) {
    const left = sizeWithin(items[at], room, DEPTH)
    if (left >= 0) {
      room = left
      continue
    }
    if (at > begin) yield { text: textOfItems(items.slice(begin, at)) }
    begin = at
    room = sizeWithin(items[at], PIECE, DEPTH)
    if (room >= 0) continue
    yield written('', items[at])
    begin = at + 1
    room = PIECE
  }
  if (begin < items.length) yield { text: textOfItems(items.slice(begin)) }
}

function textOfItems(items: readonly unknown[]): string {
  return JSON.stringify(items).slice(1, -1)
}

function* membersOf(value: object): Generator<Written> {
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield written(`${JSON.stringify(name)}:`, member)
  }
}

function written(before: string, value: unknown): Written {
  return isLong(value) ? { text: before, long: value } : { text: before + JSON.stringify(value) }
}

/** Returns whether `value` has too many values or too many levels to be written without a pause. */
function isLong(value: unknown): value is object {
  return typeof value === 'object' && sizeWithin(value, PIECE, DEPTH) < 0
}

/** Returns `room` minus the number of values in `value`. The result is negative if `value` is too large or too deep. */
function sizeWithin(value: unknown, room: number, depth: number): number {
  if (typeof value === 'string') return room - 1 - value.length / CHARACTERS
  if (typeof value !== 'object' || value === null) return room - 1
  if (depth === 0) return -1
  let left = room - 1
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = sizeWithin(value[i], left, depth - 1)
    return left
  }
  for (const name in value) {
    if (left < 0) return left
    left = sizeWithin((value as Record<string, unknown>)[name], left, depth - 1)
  }
  return left
}
