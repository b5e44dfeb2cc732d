/** The error for state files that cannot be loaded, and the position of an error in JSON. */

/** The error of `devnet.load`, with the line and path of the error in the file. The chain is unchanged. */
export class LoadFailed extends Error {
  /** The line in the file, counted from 1. */
  readonly line: number
  /** A description of the text or value that was expected. */
  readonly expected: string
  /** The text or value that was found. */
  readonly received: string

  /** `path` is the place within the line, such as `storage[3]`. */
  constructor(line: number, expected: string, received: string, path = '') {
    const where = path === '' ? `line ${line}` : `line ${line}: ${path}`
    super(`${where}: expected ${expected}, got ${received}`)
    this.name = 'LoadFailed'
    this.line = line
    this.expected = expected
    this.received = received
  }
}

/**
 * Returns the line of the value at `path` (such as `blocks[3].header.number`), or of the innermost value that contains
 * the path. Without `path`, or after an earlier syntax error, returns the line of the syntax error.
 */
export function lineAt(text: string, path?: string): { readonly line: number; readonly rest: string } {
  const at = offsetOf(text, path)
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line++
  return { line, rest: text.slice(at, at + 40) }
}

const SPACE = /[ \t\n\r]*/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** An object or array whose end has not been reached. */
interface Container {
  readonly path: string
  readonly kind: 'object' | 'array'
  items: number
}

/** Returns the offset of the value for `lineAt`. Uses no recursion, because invalid text may be nested too deep. */
function offsetOf(text: string, path: string | undefined): number {
  const open: Container[] = []
  let at = 0
  let nearest = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    at += found?.length ?? 0
    return found
  }
  const takeOne = (character: string): boolean => {
    take(SPACE)
    if (text[at] !== character) return false
    at++
    return true
  }
  /** Returns the path of the next value; `undefined` if the name of a member is missing. */
  const nextPath = (): string | undefined => {
    const { path: outer, kind, items } = open.at(-1)!
    if (kind === 'array') return `${outer}[${items}]`
    take(SPACE)
    const name = take(STRING)
    if (name === undefined || !takeOne(':')) return undefined
    return outer === '' ? JSON.parse(name) : `${outer}.${JSON.parse(name)}`
  }
  for (let here: string | undefined = ''; here !== undefined; ) {
    take(SPACE)
    if (path !== undefined && leadsTo(here, path)) {
      nearest = at
      if (here === path) return at
    }
    const kind = text[at] === '{' ? 'object' : text[at] === '[' ? 'array' : undefined
    if (kind !== undefined) {
      at++
      open.push({ path: here, kind, items: 0 })
      if (!takeOne(kind === 'object' ? '}' : ']')) {
        here = nextPath()
        continue
      }
      open.pop()
    } else if (take(STRING) === undefined && take(SCALAR) === undefined) return at
    // One or more containers may end after a value.
    while (open.length > 0 && takeOne(open.at(-1)!.kind === 'object' ? '}' : ']')) open.pop()
    const container = open.at(-1)
    take(SPACE)
    if (container === undefined) return path === undefined ? at : nearest
    if (!takeOne(',')) return at
    container.items++
    here = nextPath()
  }
  return at
}

/** Returns whether the value at `here` is or contains the value at `path`. */
function leadsTo(here: string, path: string): boolean {
  return here === '' || here === path || (path.startsWith(here) && '.['.includes(path[here.length]!))
}
