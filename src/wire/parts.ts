/** Parsers of objects whose members are all optional, such as the requested part of a list. */

import { smallAmount } from './hex.ts'
import { InvalidValue, optional, type Parser, recordOf, withDefault } from './parser.ts'

type Members = Readonly<Record<string, Parser<unknown>>>
type Parsed<M extends Members> = { readonly [K in keyof M]: ReturnType<M[K]> }

/** Returns a parser of objects that have only these members, each of which is optional. */
export function onlyMembers<M extends Members>(members: M): Parser<Parsed<M>> {
  const names = Object.keys(members)
  return (value, path) => {
    const record = recordOf(value, path, `an object {${names.map((name) => `${name}?`).join(', ')}}`)
    const unknown = Object.keys(record).find((name) => !names.includes(name))
    if (unknown !== undefined) {
      const expected = `nothing but ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
      throw new InvalidValue(`${path}.${unknown}`, expected, record[unknown])
    }
    const parsed = names.map((name) => [name, members[name]!(record[name], `${path}.${name}`)])
    return Object.fromEntries(parsed) as Parsed<M>
  }
}

/** Returns a parser like `onlyMembers` for the requested part of a list. Without a value, all members have their defaults. */
export function partOf<M extends Members>(members: M): Parser<Parsed<M>> {
  const parse = onlyMembers(members)
  return withDefault(parse, parse({}, ''))
}

/** Returns a parser of a page size from 1 to `most`. `usual` is the default. */
export function limitOf(usual: number, most: number): Parser<number> {
  const parse = withDefault(smallAmount(most), usual)
  return (value, path) => {
    const limit = parse(value, path)
    if (limit === 0) throw new InvalidValue(path, `a number from 1 to ${most}`, value)
    return limit
  }
}

/** Returns a parser of a page of a list: at most `limit` entries after the entry `after`, or from the first entry on. */
export function pageOf<Cursor>(parseCursor: Parser<Cursor>, usual: number, most: number) {
  return partOf({ limit: limitOf(usual, most), after: optional(parseCursor) })
}
