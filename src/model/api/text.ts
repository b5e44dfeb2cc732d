/** Must equal the version in package.json. A test checks this. */
export const version = '0.1.0'

/** Functions that return the paths of the page's views, relative to the URL of the page. */
export const pagePaths: {
  transaction(hash: string): string
  /** `id` is a block number, a block hash or a tag such as `latest`. */
  block(id: string | bigint): string
  account(address: string): string
} = {
  transaction: (hash) => `tx/${hash}`,
  block: (id) => `block/${id}`,
  account: (address) => `address/${address}`,
}

/** Returns a count with its noun: `1 block`, `1,234 blocks`. `digits` is the formatted count. */
export function counted(count: number, noun: string, digits = count.toLocaleString('en')): string {
  return `${digits} ${noun}${count === 1 ? '' : 's'}`
}

/** Returns a proposal such as `did you mean until?`, or the list of all names if no name is similar. */
export function proposal(name: string, known: Iterable<string>): string {
  const names = [...known]
  const close = nearest(name, names)
  return close === undefined ? `known are ${names.join(', ')}` : `did you mean ${close}?`
}

/** Returns the only name that begins with `written`, or the most similar name if `written` may be a misspelling. */
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

/** The minimum number of letters with which `nearest` completes a name. */
const MIN_PREFIX = 3

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

export function namesIn(text: string): readonly string[] {
  return text.match(/\w+/g) ?? []
}

/** Returns the value that `text` encodes as JSON; `undefined` if `text` is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
