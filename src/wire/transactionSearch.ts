/** The parameter and the result of `preseal_searchTransactions`. */

import type { Address, Hash, Hex } from '../bytes/hex.ts'
import { type Block, briefOf } from '../model/block/block.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import {
  encodeListedTransaction,
  limitOf,
  memberParser,
  type RpcListedTransaction,
  shortInput,
} from './blockContent.ts'
import { encodeQuantity, parseAddress, parseBytes, parseHash } from './hex.ts'
import { InvalidValue, oneOf, optional, type Parser, parseCount, withDefault } from './parser.ts'

const STATES = ['waiting', 'preconfirmed', 'sealed', 'failed', 'dropped', 'reorged'] as const

export interface TransactionSearch {
  /** By default all transactions that are in blocks: pre-confirmed and sealed. */
  readonly state: (typeof STATES)[number] | undefined
  readonly address: Address | undefined
  /** The first four bytes of the calldata. */
  readonly selector: Uint8Array | undefined
  /** The first topic of a log. */
  readonly topic: Hash | undefined
  readonly limit: number
  readonly offset: number
}

export const parseTransactionSearch: Parser<TransactionSearch> = (value = {}, path) =>
  memberParser(
    ['state', 'address', 'selector', 'topic', 'limit', 'offset'],
    ({ state, address, selector, topic, limit, offset }, path): TransactionSearch => ({
      state: optional(oneOf(STATES))(state, `${path}.state`),
      address: optional(parseAddress)(address, `${path}.address`),
      selector: optional(parseFunctionSelector)(selector, `${path}.selector`),
      topic: optional(parseHash)(topic, `${path}.topic`),
      limit: limitOf(100, 1_000)(limit, `${path}.limit`),
      offset: withDefault(parseCount, 0)(offset, `${path}.offset`),
    }),
  )(value, path)

const parseFunctionSelector: Parser<Uint8Array> = (value, path) => {
  const bytes = parseBytes(value, path)
  if (bytes.length !== 4) throw new InvalidValue(path, 'the selector of a function (4 bytes)', value)
  return bytes
}

type Placed = Pick<RpcListedTransaction, 'hash' | 'from' | 'to' | 'value' | 'input'>

export interface RpcFoundTransaction extends Placed {
  readonly state: NonNullable<TransactionSearch['state']>
  /** This and the next members are `null` for a transaction that is in no block. */
  readonly blockNumber: Hex | null
  readonly timestamp: Hex | null
  readonly gasUsed: Hex | null
  readonly contractAddress: Address | null
  /** Why the transaction waits, was dropped, or is no longer in a block; `null` for one in a block. */
  readonly reason: string | null
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
  }
}

export function encodeLooseTransaction(
  { hash, from, to, value, data }: Transaction,
  state: RpcFoundTransaction['state'],
  reason: string,
): RpcFoundTransaction {
  const placed = { hash, from, to: to ?? null, value: encodeQuantity(value), input: shortInput(data) }
  const inNoBlock = { blockNumber: null, timestamp: null, gasUsed: null, contractAddress: null }
  return { ...placed, state, ...inNoBlock, reason }
}
