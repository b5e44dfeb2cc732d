/**
 * Returns the name in `names` that `written` begins, if there is only one; otherwise the nearest, if it is close enough
 * to be a typing error.
 */
export function nearest(written: string, names: readonly string[]): string | undefined {
  const lower = written.toLowerCase()
  const [longer, ...others] = names.filter((name) => name.toLowerCase().startsWith(lower))
  if (longer !== undefined && others.length === 0 && lower.length >= MIN_PREFIX) return longer
  const limit = Math.max(2, written.length / 3)
  const [best] = names
    .filter((name) => Math.abs(name.length - written.length) <= limit)
    .map((name) => ({ name, distance: distance(lower, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= limit ? best.name : undefined
}

/** Fewer letters say too little to complete a name. */
const MIN_PREFIX = 3

/** Returns the number of letters to insert, delete or replace (Levenshtein distance). */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
