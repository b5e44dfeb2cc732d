/** Which slices of a block are asked for, and what of them: `{limit?, after?, show?}`. */
import { smallAmount } from './amount.ts'
import { InvalidValue, oneOf, optional, type Parser, recordOf, withDefault } from './parser.ts'

const MOST = Number.MAX_SAFE_INTEGER
const SHOWN = ['blocks', 'counts'] as const

export interface SlicesPart {
  /** At most so many, from the first or from the one behind the index `after`. */
  readonly limit: number
  readonly after: number | undefined
  /** `blocks`: what is new in a slice, and the block after it. `counts`: how much. */
  readonly show: (typeof SHOWN)[number]
}

const parse: Parser<SlicesPart> = (value, path) => {
  const { limit, after, show, ...others } = recordOf(value, path, 'an object {limit?, after?, show?}')
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new InvalidValue(`${path}.${unknown}`, 'nothing but limit, after and show', others[unknown])
  return {
    limit: withDefault(smallAmount(MOST), MOST)(limit, `${path}.limit`),
    after: optional(smallAmount(MOST))(after, `${path}.after`),
    show: withDefault(oneOf(SHOWN), 'blocks')(show, `${path}.show`),
  }
}

/** Parses the part; absent, it is all slices with their blocks. */
export const parseSlicesPart: Parser<SlicesPart> = withDefault(parse, {
  limit: MOST,
  after: undefined,
  show: 'blocks',
})
