/** The first difference between two responses. */

/** The first member that differs: its path, and both values (`undefined`: absent). */
export interface Differing {
  /** The path of the member, such as `result.transactions[0].hash`. */
  readonly path: string
  readonly recorded: unknown
  readonly answered: unknown
}

/**
 * Returns the first difference of two JSON values at `path`; `undefined` if they are equal. Members with a name in `ignored` are
 * not compared.
 */
export function difference(
  recorded: unknown,
  answered: unknown,
  path: string,
  ignored: ReadonlySet<string> = NONE,
): Differing | undefined {
  if (Object.is(recorded, answered)) return undefined
  if (Array.isArray(recorded) && Array.isArray(answered)) {
    return firstOf(indices(recorded, answered), (i) =>
      difference(recorded[i], answered[i], `${path}[${i}]`, ignored),
    )
  }
  if (isRecord(recorded) && isRecord(answered)) {
    return firstOf(names(recorded, answered), (name) =>
      ignored.has(name) ? undefined : difference(recorded[name], answered[name], `${path}.${name}`, ignored),
    )
  }
  return { path, recorded, answered }
}

const NONE: ReadonlySet<string> = new Set()

function firstOf<K>(keys: Iterable<K>, find: (key: K) => Differing | undefined): Differing | undefined {
  for (const key of keys) {
    const found = find(key)
    if (found !== undefined) return found
  }
  return undefined
}

function indices(one: readonly unknown[], other: readonly unknown[]): Iterable<number> {
  return Array.from({ length: Math.max(one.length, other.length) }).keys()
}

function names(one: object, other: object): Iterable<string> {
  return new Set([...Object.keys(one), ...Object.keys(other)])
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
