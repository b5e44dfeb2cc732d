/** Parts of long lists: `{limit?, after?}`. */
import { smallAmount } from './amount.ts'
import { InvalidValue, optional, type Parser, recordOf, withDefault } from './parser.ts'

/** At most `limit` entries of a list: the first ones, or those after the entry `after`. */
export interface Page<Cursor> {
  readonly limit: number
  readonly after: Cursor | undefined
}

/** Returns the parser of a page whose entries are named by what `parseCursor` reads; absent, it is the first page. */
export function pageOf<Cursor>(
  parseCursor: Parser<Cursor>,
  usual: number,
  most: number,
): Parser<Page<Cursor>> {
  const parse: Parser<Page<Cursor>> = (value, path) => {
    const { limit, after, ...others } = recordOf(value, path, 'an object {limit?, after?}')
    const [unknown] = Object.keys(others)
    if (unknown !== undefined)
      throw new InvalidValue(`${path}.${unknown}`, 'nothing but limit and after', others[unknown])
    const parsed = withDefault(smallAmount(most), usual)(limit, `${path}.limit`)
    if (parsed === 0) throw new InvalidValue(`${path}.limit`, `a number from 1 to ${most}`, limit)
    return { limit: parsed, after: optional(parseCursor)(after, `${path}.after`) }
  }
  return withDefault(parse, { limit: usual, after: undefined })
}
