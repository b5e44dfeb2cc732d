/**
 * Finds the line of a value, or of a syntax error, in a JSON text, for error messages: JSON.parse does not report it.
 */

/** A place in a text. */
export interface TextPlace {
  /** The line, counted from 1. */
  readonly line: number
  /** The text from this place on, shortened. */
  readonly rest: string
}

/**
 * Returns the beginning of the value at `path` (in the form of parsers: `blocks[3].header.number`), or of the innermost
 * value around it if there is none. Without a path, or if the text has a syntax error before it, returns the place of
 * the error.
 */
export function lineAt(text: string, path?: string): TextPlace {
  const at = offsetOf(text, path)
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line++
  return { line, rest: text.slice(at, at + 40) }
}

const SPACE = /[ \t\n\r]*/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** An object or an array whose end was not reached yet. */
interface Container {
  readonly path: string
  readonly kind: 'object' | 'array'
  /** The number of values already passed. */
  items: number
}

/** Not recursive, because text that is not valid may be nested deeper than the stack allows. */
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
  /** Returns the path of the next value; `undefined` if an object does not continue with a name. */
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
    // At the end of a value, containers whose last value it is end too.
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

/** Returns whether the value at `here` is the one at `path`, or contains it. */
function leadsTo(here: string, path: string): boolean {
  return here === '' || here === path || (path.startsWith(here) && '.['.includes(path[here.length]!))
}
