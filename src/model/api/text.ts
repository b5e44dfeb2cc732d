/** The version in package.json. A test compares them. */
export const version = '0.1.0'

/** The paths of the page's views, relative to its URL. */
export const pagePaths: {
  transaction(hash: string): string
  /** `id`: a number, a hash, or a tag. */
  block(id: string | bigint): string
  account(address: string): string
} = {
  transaction: (hash) => `tx/${hash}`,
  block: (id) => `block/${id}`,
  account: (address) => `address/${address}`,
}

/** Returns a count with its noun: `1 block`, `1,234 blocks`. `digits` replaces the digits of the count. */
export function counted(count: number, noun: string, digits = count.toLocaleString('en')): string {
  return `${digits} ${noun}${count === 1 ? '' : 's'}`
}

/** Returns a proposal such as `did you mean until?`, or a list of all names if none is near. */
export function proposal(name: string, known: Iterable<string>): string {
  const names = [...known]
  const close = nearest(name, names)
  return close === undefined ? `known are ${names.join(', ')}` : `did you mean ${close}?`
}

/** Returns the only name that begins with `written`, else the nearest if it is close enough to be a typing error. */
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

/** The least number of letters that complete a name. */
const MIN_PREFIX = 3

/** Returns the Levenshtein distance. */
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

/** Returns the message of an error; any other thrown value as text. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EISDIR: 'expected a file, got a folder',
  EACCES: 'permission denied',
}

export function fileErrorText(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException
  return FILE_ERRORS[code] ?? errorText(error)
}
