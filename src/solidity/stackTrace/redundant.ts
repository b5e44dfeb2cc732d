/** Entries that say no more than the one after them. */
import { contains, isSameRange } from '../source/ast.ts'
import { type Entry, lineOf, type Place } from './entry.ts'

/** Returns the entries without those whose place has the next one's in it, such as that of a statement and of a call in it. */
export function withoutRedundant(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((one, i) => !isRedundant(one, entries[i + 1], entries[i + 2], i === 0))
}

function isRedundant(
  { kind, frame, place }: Entry,
  next: Entry | undefined,
  afterNext: Entry | undefined,
  isFirst: boolean,
): boolean {
  if (place === undefined || next?.place === undefined) return false
  // solc 0.8.5 marks what it wrote to read the returned data as a function of its own.
  if (kind === 'call' && afterNext?.kind === 'returnDataSize' && isSame(place, afterNext.place)) return true
  if (frame.function === 'constructor' && next.frame.function !== 'constructor') return false
  // Most likely a recursion.
  if (!isFirst && kind === next.kind && isSame(place, next.place)) return false
  return place.file === next.place.file && contains(place.range, next.place.range)
}

function isSame(place: Place, other: Place | undefined): boolean {
  return (
    other !== undefined &&
    place.file === other.file &&
    isSameRange(place.range, other.range) &&
    lineOf(place) === lineOf(other)
  )
}
