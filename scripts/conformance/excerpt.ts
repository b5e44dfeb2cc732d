/** JSON short enough for a line. */

const WIDTH = 100

/** `value` in one line; of long text the part where it stops being that of `other`. `undefined` is nothing. */
export function excerpt(value: unknown, other?: unknown): string {
  const text = textOf(value)
  if (text.length <= WIDTH) return text
  // Both of a pair start at the same place, so that they can be read one above the other.
  const start = Math.max(0, Math.min(firstDifference(text, textOf(other)), text.length) - WIDTH / 2)
  const end = start + WIDTH
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

function textOf(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

function firstDifference(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i
}
