/** Times as people read them. */

/** Returns how long before `now` something was, both in milliseconds: `3 s ago`, `in 2 min`. */
export function relative(then: number, now: number): string {
  const seconds = Math.round((now - then) / 1000)
  const size = Math.abs(seconds)
  const [count, unit] =
    size < 60
      ? [size, 's']
      : size < 3_600
        ? [Math.floor(size / 60), 'min']
        : size < 86_400
          ? [Math.floor(size / 3_600), 'h']
          : [Math.floor(size / 86_400), 'd']
  return seconds < 0 ? `in ${count} ${unit}` : `${count} ${unit} ago`
}

/** Returns a time in milliseconds as ISO 8601 in UTC, without milliseconds that are zero. */
export function absolute(then: number): string {
  return Number.isFinite(then) && Math.abs(then) <= 8.64e15
    ? new Date(then).toISOString().replace('.000Z', 'Z').replace('T', ' ')
    : `${then} ms`
}
