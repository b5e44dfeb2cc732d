/** Where in a JSON text a value stands, or where it is no JSON: what an error names, and JSON.parse does not tell. */

export interface TextPlace {
  /** Counted from 1. */
  readonly line: number
  /** What stands there, cut short. */
  readonly rest: string
}

/**
 * Where the value at `path` (as parsers write it: `blocks[3].header.number`) begins, or what is around it where there is
 * none. Without a path, or where the text breaks off before: where it stops being JSON.
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

/** An object or an array that has begun and not ended. */
interface Container {
  readonly path: string
  readonly kind: 'object' | 'array'
  /** Values that are behind. */
  items: number
}

/** Not recursive: what is nested too deeply to be anything is still to be told from what is. */
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
  /** What the next value is called; `undefined` where an object does not go on with a name. */
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
    // A value has ended, and with it maybe what it is the last of.
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

/** Whether the value at `here` is the one at `path`, or is around it. */
function leadsTo(here: string, path: string): boolean {
  return here === '' || here === path || (path.startsWith(here) && '.['.includes(path[here.length]!))
}
