/** The parameter and the result of `preseal_searchTransactions`. */

import type { Address, Hex } from '../bytes/hex.ts'
import { type Block, briefOf } from '../model/block/block.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { encodeListedTransaction, type RpcListedTransaction, shortInput } from './blockContent.ts'
import { encodeQuantity, parseAddress, parseBytes, parseHash } from './hex.ts'
import { InvalidValue, oneOf, optional, type Parser, parseCount, withDefault } from './parser.ts'
import { limitOf, partOf } from './parts.ts'

const parseFunctionSelector: Parser<Uint8Array> = (value, path) => {
  const bytes = parseBytes(value, path)
  if (bytes.length !== 4) throw new InvalidValue(path, 'the selector of a function (4 bytes)', value)
  return bytes
}

export const parseTransactionSearch = partOf({
  /** By default all transactions that are in blocks: pre-confirmed and sealed. */
  state: optional(oneOf(['waiting', 'preconfirmed', 'sealed', 'failed', 'dropped', 'reorged'])),
  address: optional(parseAddress),
  selector: optional(parseFunctionSelector),
  topic: optional(parseHash),
  /** Whether the deposits at the beginning of each L2 block are left out. */
  deposits: withDefault(oneOf(['listed', 'omitted']), 'listed'),
  limit: limitOf(100, 1_000),
  offset: withDefault(parseCount, 0),
})
export type TransactionSearch = ReturnType<typeof parseTransactionSearch>

type Placed = Pick<RpcListedTransaction, 'hash' | 'from' | 'to' | 'value' | 'input'>

export interface RpcFoundTransaction extends Placed {
  readonly state: NonNullable<TransactionSearch['state']>
  /** `null`, like the next three members, if the transaction is in no block. */
  readonly blockNumber: Hex | null
  readonly timestamp: Hex | null
  readonly gasUsed: Hex | null
  readonly contractAddress: Address | null
  /** The reason why the transaction waits, was dropped, or was reorged; `null` if it is in a block. */
  readonly reason: string | null
  /** The time when the transaction began to wait or was dropped, by the devnet's clock in ms; `null` if not known. */
  readonly since: number | null
}

export function encodeFoundTransaction(
  block: Block,
  index: number,
  inBlock: 'preconfirmed' | 'sealed',
): RpcFoundTransaction {
  const { index: _, logCount: _logs, status, ...listed } = encodeListedTransaction(block, index)
  const { number, timestamp } = briefOf(block)
  return {
    ...listed,
    state: status === '0x0' ? 'failed' : inBlock,
    blockNumber: encodeQuantity(number),
    timestamp: encodeQuantity(timestamp),
    reason: null,
    since: null,
  }
}

export function encodeLooseTransaction(
  { hash, from, to, value, data }: Transaction,
  state: RpcFoundTransaction['state'],
  reason: string,
  since: number | null,
): RpcFoundTransaction {
  const placed = { hash, from, to: to ?? null, value: encodeQuantity(value), input: shortInput(data) }
  const inNoBlock = { blockNumber: null, timestamp: null, gasUsed: null, contractAddress: null }
  return { ...placed, state, ...inNoBlock, reason, since }
}
