/** Which transactions of a block are asked for: `{limit?, after?, order?, address?}`. */
import type { Address } from '../bytes/hex.ts'
import { parseAddress, smallAmount } from './hex.ts'
import { InvalidValue, oneOf, optional, type Parser, recordOf, withDefault } from './parser.ts'

const USUAL = 100
const MOST = 1_000
const ORDERS = ['oldest', 'newest'] as const

export interface TransactionsPart {
  /** At most so many, from the first in the order or from the one behind the index `after`. */
  readonly limit: number
  readonly after: number | undefined
  /** Which come first. */
  readonly order: (typeof ORDERS)[number]
  /** Those alone that it sent, received or was created by. */
  readonly address: Address | undefined
}

const parse: Parser<TransactionsPart> = (value, path) => {
  const expected = 'an object {limit?, after?, order?, address?}'
  const { limit, after, order, address, ...others } = recordOf(value, path, expected)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new InvalidValue(
      `${path}.${unknown}`,
      'nothing but limit, after, order and address',
      others[unknown],
    )
  const parsed = withDefault(smallAmount(MOST), USUAL)(limit, `${path}.limit`)
  if (parsed === 0) throw new InvalidValue(`${path}.limit`, `a number from 1 to ${MOST}`, limit)
  return {
    limit: parsed,
    after: optional(smallAmount(Number.MAX_SAFE_INTEGER))(after, `${path}.after`),
    order: withDefault(oneOf(ORDERS), 'oldest')(order, `${path}.order`),
    address: optional(parseAddress)(address, `${path}.address`),
  }
}

/** Parses the part; absent, it is the first hundred. */
export const parseTransactionsPart: Parser<TransactionsPart> = withDefault(parse, {
  limit: USUAL,
  after: undefined,
  order: 'oldest',
  address: undefined,
})
