/** What is sure of a failure in code that several contracts compile to. */
import type { Entry } from './entry.ts'

/** Returns the entries that all agree on: what differs is left out, and contracts are named side by side. */
export function agreedOn(candidates: readonly (readonly Entry[])[]): readonly Entry[] {
  const [first = [], ...others] = candidates
  const isAlike = others.every(
    (other) => other.length === first.length && other.every(({ kind }, i) => kind === first[i]!.kind),
  )
  if (isAlike) return first.map((one, i) => agreed([one, ...others.map((other) => other[i]!)]))
  return [agreed(candidates.map((entries) => entries.at(-1)!))]
}

function agreed(entries: readonly Entry[]): Entry {
  const [first] = entries as readonly [Entry, ...Entry[]]
  const names = new Set(entries.map(({ frame }) => frame.contract))
  const files = new Set(entries.map(({ place }) => place?.file.path))
  const functions = new Set(entries.map(({ frame }) => frame.function))
  const places = new Set(entries.map(({ frame: { position } }) => JSON.stringify(position)))
  if (names.size === 1 && files.size === 1 && functions.size === 1 && places.size === 1) return first
  const frame = {
    ...first.frame,
    contract: [...names].filter((name) => name !== undefined).join(' | ') || undefined,
    function: functions.size === 1 ? first.frame.function : undefined,
    position: places.size === 1 ? first.frame.position : undefined,
  }
  return { ...first, frame, place: places.size === 1 ? first.place : undefined }
}
