/** A block and what is in it in few words: for those who show a block of any size. */

import { ZERO_HASH } from '../bytes/hex.ts'
import {
  type Block,
  encodedSize,
  feesIn,
  logsAt,
  receiptAt,
  transactionAt,
  transactionCount,
} from '../model/block/block.ts'
import { hashHeader } from '../model/block/header.ts'
import { encodeHeader } from './encode.ts'
import { encodeWithdrawal } from './header.ts'
import { encodeBytes, encodeQuantity, smallAmount } from './hex.ts'
import type { JsonObject } from './parser.ts'
import { InvalidValue, oneOf, optional, type Parser, recordOf, withDefault } from './parser.ts'

/** What a block has only once it is sealed. */
const OF_SEALED = { stateRoot: null, transactionsRoot: null, receiptsRoot: null, logsBloom: null }

/**
 * Returns a block without its transactions: its header, how many transactions and logs it has, and what was paid for gas. For a
 * block under construction no roots are computed.
 */
export function encodeContentSummary(block: Block, isRemoved: boolean): JsonObject {
  const { header, hash, ommers, withdrawals } = block
  const fees = feesIn(block)
  return {
    hash,
    ...encodeHeader(header),
    ...(hash === ZERO_HASH ? OF_SEALED : {}),
    size: encodeQuantity(encodedSize(block)),
    transactionCount: encodeQuantity(transactionCount(block)),
    logCount: encodeQuantity(logCountIn(block)),
    fees: fees === undefined ? null : { burnt: encodeQuantity(fees.burnt), tips: encodeQuantity(fees.tips) },
    blobs: blobsIn(block),
    uncles: ommers.map(hashHeader),
    ...(withdrawals === undefined ? {} : { withdrawals: withdrawals.map(encodeWithdrawal) }),
    removed: isRemoved,
  }
}

/** Returns the number of all logs in a block. */
export function logCountIn(block: Block): number {
  const last = transactionCount(block) - 1
  if (last < 0) return 0
  const { logs, firstLogIndex } = logsAt(block, last)
  return firstLogIndex + logs.length
}

/** Returns the blobs by their versioned hashes, each with its transaction. */
function blobsIn(block: Block): JsonObject[] {
  // On an L2 that is the gas of data.
  if ((block.header.blobGasUsed ?? 0n) === 0n) return []
  const blobs: JsonObject[] = []
  for (let index = 0, count = transactionCount(block); index < count; index++) {
    const { hash, blobVersionedHashes } = transactionAt(block, index)
    for (const versionedHash of blobVersionedHashes ?? [])
      blobs.push({ versionedHash, transactionHash: hash })
  }
  return blobs
}

/** Longer input is cut to the selector of the function. */
const LONGEST_INPUT = 1_024
const SELECTOR = 4

/** Returns a transaction in few words, with its outcome. */
export function encodeListedTransaction(block: Block, index: number): JsonObject {
  const { hash, from, to, value, data } = transactionAt(block, index)
  const { status, root, gasUsed, contractAddress, logs } = receiptAt(block, index)
  return {
    index: encodeQuantity(index),
    hash,
    from,
    to: to ?? null,
    value: encodeQuantity(value),
    input: encodeBytes(data.length > LONGEST_INPUT ? data.subarray(0, SELECTOR) : data),
    // Before Byzantium a receipt has none.
    status: root !== undefined ? null : status === 'success' ? '0x1' : '0x0',
    gasUsed: encodeQuantity(gasUsed),
    logCount: encodeQuantity(logs.length),
    contractAddress: contractAddress ?? null,
  }
}

/** Which slices of a block are asked for, and what of them: `{limit?, after?, show?}`. */
const MOST = Number.MAX_SAFE_INTEGER
const SHOWN = ['blocks', 'counts'] as const

interface SlicesPart {
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

/** At most `limit` entries of a list: the first ones, or those after the entry `after`. */
interface Page<Cursor> {
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
