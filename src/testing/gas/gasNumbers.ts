/** Amounts of gas as messages show them. */

/** Returns a number with separators: `1,234,567`. */
export function written(value: bigint): string {
  return value.toLocaleString('en')
}

/** Returns a difference such as `+700 gas (+1.34 %)`. */
export function differenceBetween(before: bigint, after: bigint): string {
  const sign = after < before ? '' : '+'
  const percent =
    before === 0n ? '' : ` (${sign}${((100 * Number(after - before)) / Number(before)).toFixed(2)} %)`
  return `${sign}${written(after - before)} gas${percent}`
}
