/** Methods for Otterscan (its docs/custom-jsonrpc.md), as in anvil (crates/anvil/src/eth/otterscan/api.rs). */

import { type Address, EMPTY_BYTES } from '../../bytes/hex.ts'
import type { Block } from '../../model/block/block.ts'
import { byHash, type Selector } from '../../model/block/selector.ts'
import type { FlatFrame } from '../../model/execution/trace.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { lookedUp, withRoots } from '../../rpc/shownBlocks.ts'
import { encodeBlock } from '../../wire/encode.ts'
import {
  encodeBlockDetails,
  encodeBlockPage,
  encodeInternalOperations,
  encodePlaced,
  encodeTraceEntries,
} from '../../wire/encodeOtterscan.ts'
import { encodeBytes, parseAddress, parseAmount64, parseHash, parsePageSize } from '../../wire/hex.ts'
import type { Parser } from '../../wire/parser.ts'
import { parseNumberOrTag, parseSelectorOrLatest } from '../../wire/selector.ts'
import { type TracedTransaction, tracedTransaction, tracedTransactions } from './traceResults.ts'

/** The version of Otterscan's API: the lowest that Otterscan accepts. */
const API_LEVEL = 8

/** Parses a block number. Otterscan sends JSON numbers; other clients send quantities or tags. */
const parseBlockNumber: Parser<Selector> = (value, path) =>
  typeof value === 'number'
    ? { kind: 'number', number: parseAmount64(value, path) }
    : parseNumberOrTag(value, path)

export const ots_getApiLevel = read(params(), () => API_LEVEL)

export const erigon_getHeaderByNumber = read(params(parseBlockNumber), ({ chain }, at) =>
  lookedUp(chain.at(at), (block) => encodeBlock(withRoots(block), 'hashes')),
)

export const ots_hasCode = read(params(parseAddress, parseSelectorOrLatest), (context, address, at) => {
  return context.at(at).state.code(address).length > 0
})

export const ots_getBlockDetails = read(params(parseBlockNumber), (context, at) =>
  encodeBlockDetails(withRoots(context.blockAt(at))),
)

export const ots_getBlockDetailsByHash = read(params(parseHash), (context, hash) =>
  encodeBlockDetails(withRoots(context.blockAt(byHash(hash)))),
)

export const ots_getBlockTransactions = read(
  params(parseBlockNumber, parsePageSize, parsePageSize),
  (context, at, page, pageSize) => encodeBlockPage(withRoots(context.blockAt(at)), page, pageSize),
)

export const ots_getInternalOperations = read.long(params(parseHash), async (context, hash) => {
  const found = await tracedTransaction(context, hash)
  if (found === undefined) throw new Problem({ kind: 'unknownTransaction', hash })
  return encodeInternalOperations(found.frames)
})

export const ots_traceTransaction = read.long(params(parseHash), async (context, hash) =>
  encodeTraceEntries((await tracedTransaction(context, hash))?.frames ?? []),
)

/** Returns the revert data of a transaction. Returns empty bytes if the transaction is unknown or did not revert. */
export const ots_getTransactionError = read(params(parseHash), ({ chain }, hash) => {
  const found = chain.find(hash)
  const failure = found?.block.receipts[found.index]?.failure
  return encodeBytes(failure?.kind === 'revert' ? failure.data : EMPTY_BYTES)
})

export const ots_getTransactionBySenderAndNonce = read.long(
  params(parseAddress, parseAmount64),
  async (context, sender, nonce) => {
    for (const number of numbersFrom(context, newest(context), first(context))) {
      await context.work.pause()
      const found = sealedBlock(context, number)?.transactions.findLast(
        (transaction) => transaction.from === sender && transaction.nonce === nonce,
      )
      if (found !== undefined) return found.hash
    }
    return null
  },
)

/** Returns the creator of a contract, and the hash of the newest transaction that created the contract. */
export const ots_getContractCreator = read.long(params(parseAddress), async (context, address) => {
  for (const number of numbersFrom(context, newest(context), first(context) + 1n)) {
    await context.work.pause()
    if (hasCodeThroughout(context, number, address)) continue
    for (const { block, index, frames } of (await tracedIn(context, number)).reverse()) {
      const created = frames.findLast((frame) => isCreation(frame) && frame.to === address)
      if (created !== undefined) return { hash: block.transactions[index]!.hash, creator: created.from }
    }
  }
  return null
})

/** Returns transactions of the address before the given block (0: from the newest block on), newest first. */
export const ots_searchTransactionsBefore = read.long(
  params(parseAddress, parseAmount64, parsePageSize),
  async (context, address, before, pageSize) => {
    const best = newest(context)
    const from = before === 0n ? best : before - 1n
    const found: TracedTransaction[] = []
    const low = first(context) + 1n
    let lastPage = from < low
    for (const number of numbersFrom(context, from < best ? from : best, low)) {
      if (found.length >= pageSize) break
      found.push(...(await touching(context, number, address)))
      lastPage = number === low
    }
    return searched(found, from >= best, lastPage)
  },
)

/** Returns the first transactions of the address after the given block. The page is ordered newest first. */
export const ots_searchTransactionsAfter = read.long(
  params(parseAddress, parseAmount64, parsePageSize),
  async (context, address, after, pageSize) => {
    const best = newest(context)
    const found: TracedTransaction[] = []
    let firstPage = after >= best
    const low = first(context)
    for (let number = (after < low ? low : after) + 1n; number <= best && found.length < pageSize; number++) {
      found.push(...(await touching(context, number, address)).reverse())
      firstPage = number === best
    }
    return searched(found.reverse(), firstPage, after <= low)
  },
)

function searched(found: readonly TracedTransaction[], firstPage: boolean, lastPage: boolean): object {
  const { transactions: txs, receipts } = encodePlaced(found)
  return { txs, receipts, firstPage, lastPage }
}

/** Returns the transactions of the block that involve `address`, in reverse order. */
async function touching(
  context: ReadContext,
  number: bigint,
  address: Address,
): Promise<TracedTransaction[]> {
  const all = await tracedIn(context, number)
  return all.filter(({ frames }) => frames.some((frame) => touches(frame, address))).reverse()
}

/** Returns whether the address calls, is called, creates or is created in the frame. */
function touches(frame: FlatFrame, address: Address): boolean {
  if (frame.kind === 'SELFDESTRUCT') return false
  return frame.from === address || (frame.to === address && (frame.error === undefined || !isCreation(frame)))
}

function hasCodeThroughout(context: ReadContext, number: bigint, address: Address): boolean {
  const [before, after] = [number - 1n, number].map((each) =>
    context.at({ kind: 'number', number: each }).state.code(address),
  )
  return after!.length > 0 && before === after
}

function isCreation({ kind }: FlatFrame): boolean {
  return kind === 'CREATE' || kind === 'CREATE2'
}

async function tracedIn(context: ReadContext, number: bigint): Promise<TracedTransaction[]> {
  await context.work.pause()
  const block = sealedBlock(context, number)
  return block === undefined ? [] : tracedTransactions(context, block)
}

function sealedBlock({ chain }: ReadContext, number: bigint): Block | undefined {
  return chain.state.history.block(Number(number))
}

function first({ chain }: ReadContext): bigint {
  return BigInt(chain.state.history.first)
}

function newest({ chain }: ReadContext): bigint {
  return chain.latest.block.header.number
}

function* numbersFrom({ chain }: ReadContext, high: bigint, low: bigint): Generator<bigint> {
  const { first, oldest } = chain.state.history
  // The oldest kept block cannot be run again, because the state before it was pruned.
  const least = oldest === first ? low : BigInt(oldest) + 1n
  for (let number = high; number >= least; number--) yield number
}
