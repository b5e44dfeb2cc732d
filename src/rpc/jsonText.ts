/**
 * Serialises results that may be very long: a trace of a million steps has hundreds of megabytes. `JSON.stringify`
 * would block the event loop meanwhile, so the text is written in pieces, with pauses for other work.
 */
import type { Work } from '../model/work/work.ts'

/** An array or an object that is being written. */
interface Open {
  /** The remaining values, each with the text before it: a name, in an object. */
  readonly entries: Iterator<readonly [before: string, value: unknown]>
  readonly end: ']' | '}'
  isFirst: boolean
}

/** The most values of one piece, which take well under a millisecond. */
const PIECE = 1_000
/** Number of characters of a string that take as long as another value. */
const CHARACTERS = 1_000
/** Number of pieces between two checks of the time. */
const PIECES_BETWEEN = 50

/** Returns the same text as `JSON.stringify`, in as many turns of the event loop as needed. */
export async function jsonText(value: unknown, work: Work): Promise<string> {
  if (isShort(value)) return JSON.stringify(value)
  const pieces: string[] = []
  const open: Open[] = [opened(value as object, pieces)]
  for (let count = 1; open.length > 0; count++) {
    const top = open.at(-1)!
    const next = top.entries.next()
    if (next.done === true) {
      pieces.push(top.end)
      open.pop()
      continue
    }
    const [before, item] = next.value
    pieces.push(top.isFirst ? before : `,${before}`)
    top.isFirst = false
    if (isShort(item)) pieces.push(JSON.stringify(item))
    else open.push(opened(item as object, pieces))
    if (count % PIECES_BETWEEN === 0) {
      const pause = work.pause()
      if (pause !== undefined) await pause
    }
  }
  return pieces.join('')
}

function opened(value: object, pieces: string[]): Open {
  if (Array.isArray(value)) {
    pieces.push('[')
    return { entries: itemsOf(value), end: ']', isFirst: true }
  }
  pieces.push('{')
  return { entries: membersOf(value), end: '}', isFirst: true }
}

function* itemsOf(items: readonly unknown[]): Generator<readonly [string, unknown]> {
  for (const item of items) yield ['', item === undefined ? null : item]
}

/** Returns the members that JSON includes. */
function* membersOf(value: object): Generator<readonly [string, unknown]> {
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) yield [`${JSON.stringify(name)}:`, member]
  }
}

/** Returns whether all of it can be written at once: it has few values and little depth. */
function isShort(value: unknown): boolean {
  return typeof value !== 'object' || sizeWithin(value, PIECE, 8) >= 0
}

/** Returns `room` minus the number of values in `value`; below 0 if there are more, or deeper ones. */
function sizeWithin(value: unknown, room: number, depth: number): number {
  if (typeof value === 'string') return room - 1 - value.length / CHARACTERS
  if (typeof value !== 'object' || value === null) return room - 1
  if (depth === 0) return -1
  let left = room - 1
  for (const name in value) {
    if (left < 0) return left
    left = sizeWithin((value as Record<string, unknown>)[name], left, depth - 1)
  }
  return left
}
