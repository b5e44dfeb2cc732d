/** Parses a reorg as JSON: `{ depth, transactions, blocks? }`. */
import type { ReorgRequest } from '../sequencer/reorg.ts'
import { smallAmount } from '../wire/hex.ts'
import { parseRawTransaction } from '../wire/includedTransaction.ts'
import {
  arrayOf,
  InvalidValue,
  integer,
  membersOf,
  oneOf,
  optional,
  type Parser,
  recordOf,
} from '../wire/parser.ts'

const parseReorged: Parser<ReorgRequest['transactions']> = (value, path) => {
  if (!Array.isArray(value)) return oneOf(['keep', 'wait', 'drop'])(value, path)
  const sent = arrayOf(arrayOf(parseRawTransaction, 'the raw transactions of a block, an array'))(value, path)
  return sent.map((block) => block.map(({ transaction }) => transaction))
}

const MAX_REORG = 10_000

export const REORG = {
  depth: integer(1, MAX_REORG, `a whole number from 1 to ${MAX_REORG}`),
  transactions: parseReorged,
  blocks: optional(smallAmount(MAX_REORG)),
}

export const parseReorg: Parser<ReorgRequest> = (value, path) => {
  const record = recordOf(value, path, 'an object {depth, transactions, blocks?}')
  const wish = membersOf(record, REORG, path) as unknown as ReorgRequest
  requireRoom(wish, path)
  return wish
}

/** Throws `InvalidValue` if a reorg lists the transactions of more blocks than it makes. */
export function requireRoom({ depth, transactions, blocks = depth }: ReorgRequest, path: string): void {
  if (typeof transactions === 'string' || transactions.length <= blocks) return
  const expected = `the transactions of at most ${blocks} blocks, which come in place of the ${depth} (see blocks)`
  throw new InvalidValue(`${path}.transactions`, expected, transactions)
}
