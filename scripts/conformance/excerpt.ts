/** JSON short enough for a line. */

const WIDTH = 100

/** `value` in one line; of a long text the part around its first difference from `other`. `undefined` is "nothing". */
export function excerpt(value: unknown, other?: unknown): string {
  const text = textOf(value)
  if (text.length <= WIDTH) return text
  // Both of a pair start at the same index, so that they can be compared line by line.
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
