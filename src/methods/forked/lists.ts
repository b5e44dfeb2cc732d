import type { Address, Hash } from '../../bytes/hex.ts'
import { blockNumberOf } from '../../chain/logs.ts'
import { isPending } from '../../model/block/selector.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import type { Request } from '../../rpc/request.ts'
import type { ForkedNetwork } from '../../upstream/forkedNetwork.ts'
import { parseTraceFilter, type TraceFilter } from '../../wire/filter.ts'
import { encodeQuantity, parseAddress, parseAmount64, parsePageSize, parseUint64 } from '../../wire/hex.ts'
import type { JsonObject } from '../../wire/parser.ts'

export interface ForkedRequest {
  readonly context: RpcContext
  readonly network: ForkedNetwork
  readonly request: Request
  /** Returns the devnet's own result for `params`, by default for the parameters of the request. */
  readonly here: (params?: readonly unknown[]) => unknown
}

export const LISTS: ReadonlyMap<string, (asked: ForkedRequest) => unknown> = new Map([
  ['trace_filter', listing(([filter]) => parseTraceFilter(filter, ''), filterTraces)],
  ['ots_searchTransactionsBefore', listing(parseSearch, searchBefore)],
  ['ots_searchTransactionsAfter', listing(parseSearch, searchAfter)],
])

/** Returns a function that answers with `list`. If parameters are wrong, the devnet's method returns the error. */
function listing<P>(
  parse: (params: readonly unknown[]) => P,
  list: (parsed: P, asked: ForkedRequest) => unknown,
): (asked: ForkedRequest) => unknown {
  return (asked) => {
    const parsed = parsedOrUndefined(() => parse(asked.request.params))
    return parsed === undefined ? asked.here() : list(parsed, asked)
  }
}

/** Returns the traces of the network, followed by those of the devnet. `after` and `count` apply to the joined list. */
async function filterTraces(
  filter: TraceFilter,
  { context, network, request, here }: ForkedRequest,
): Promise<unknown> {
  const { chain } = context
  const { method, params } = request
  const { number: fork } = network.block
  const [from, to] = [blockNumberOf(chain, filter.from), blockNumberOf(chain, filter.to)]
  const given = params[0] as object
  // If the block `to` does not exist, the devnet's method reports the error.
  if (to > chain.pending.block.header.number) return here([{ ...given, fromBlock: encodeQuantity(to) }])
  if (from > to) throw new Problem({ kind: 'reversedRange', from, to })
  if (from > fork) return here()
  const { after, count } = filter
  // Sends the tag to the node, because the node's first block may not be block 0.
  const isEarliest = filter.from.kind === 'tag' && filter.from.tag === 'earliest'
  const fromBlock = isEarliest ? 'earliest' : encodeQuantity(from)
  const range = { fromBlock, toBlock: encodeQuantity(to < fork ? to : fork) }
  if (to <= fork) return network.ask({ method, params: [{ ...given, ...range }] })
  // Also requests the entries to skip, because their number determines how many entries of the devnet to skip.
  const most = count === undefined ? {} : { count: after + count }
  const asked = { ...given, ...range, ...most, after: 0 }
  const older = (await network.ask({ method, params: [asked] })) as readonly unknown[]
  const theirs = older.slice(after, count === undefined ? undefined : after + count)
  const left = count === undefined ? {} : { count: count - theirs.length }
  if (left.count === 0) return theirs
  const ours = (await here([
    {
      ...given,
      fromBlock: encodeQuantity(fork + 1n),
      toBlock: isPending(filter.to) ? 'pending' : encodeQuantity(to),
      after: Math.max(0, after - older.length),
      ...left,
    },
  ])) as readonly unknown[]
  return [...theirs, ...ours]
}

interface Search {
  readonly address: Address
  readonly block: bigint
  readonly pageSize: number
}

function parseSearch([address, block, pageSize]: readonly unknown[]): Search {
  return {
    address: parseAddress(address, ''),
    block: parseAmount64(block, ''),
    pageSize: parsePageSize(pageSize, ''),
  }
}

interface Page {
  readonly txs: readonly { readonly blockNumber: string }[]
  readonly receipts: readonly unknown[]
  /** Pages go from new to old: `firstPage` is true if no transactions are newer, `lastPage` if none are older. */
  readonly firstPage: boolean
  readonly lastPage: boolean
}

async function searchBefore(
  { address, block: before, pageSize }: Search,
  { context, network, request: { method }, here }: ForkedRequest,
): Promise<Page> {
  const { number: fork } = network.block
  const head = context.chain.latest.block.header.number
  const from = before === 0n || before > head ? head : before - 1n
  const older = async (first: bigint, most: number) =>
    (await network.ask({ method, params: [address, Number(first + 1n), most] })) as Page
  if (from <= fork) return { ...(await older(from, pageSize)), firstPage: from >= head }
  const ours = (await here()) as Page
  if (!ours.lastPage) return ours
  if (ours.txs.length >= pageSize) return { ...ours, lastPage: false }
  const theirs = await older(fork, pageSize - ours.txs.length)
  return { ...joined(ours, theirs), firstPage: ours.firstPage, lastPage: theirs.lastPage }
}

async function searchAfter(
  { address, block: after, pageSize }: Search,
  { network, request: { method }, here }: ForkedRequest,
): Promise<Page> {
  const { number: fork } = network.block
  if (after >= fork) {
    const page = (await here()) as Page
    // The network may have older transactions, so this page is not the last, except at block 0.
    return after === 0n ? page : { ...page, lastPage: false }
  }
  const found = (await network.ask({ method, params: [address, Number(after), pageSize] })) as Page
  // Blocks of the network after the fork block are not part of this chain.
  const isHere = found.txs.map(({ blockNumber }) => BigInt(blockNumber) <= fork)
  const theirs = {
    txs: found.txs.filter((_, index) => isHere[index]),
    receipts: found.receipts.filter((_, index) => isHere[index]),
  }
  const { lastPage } = found
  const isAll = found.firstPage || theirs.txs.length < found.txs.length
  const left = pageSize - theirs.txs.length
  if (!isAll || left <= 0) return { ...theirs, firstPage: false, lastPage }
  const ours = (await here([address, Number(fork), left])) as Page
  return { ...joined(ours, theirs), firstPage: ours.firstPage, lastPage }
}

function joined(newer: Pick<Page, 'txs' | 'receipts'>, older: Pick<Page, 'txs' | 'receipts'>) {
  return { txs: [...newer.txs, ...older.txs], receipts: [...newer.receipts, ...older.receipts] }
}

/** Returns a transaction of the network; `undefined` if its block is after the fork block. */
export async function networkTransaction(
  network: ForkedNetwork,
  hash: Hash,
): Promise<JsonObject | undefined> {
  const transaction = await network.ask({ method: 'eth_getTransactionByHash', params: [hash] })
  return isUpToForkBlock(network, transaction, 'blockNumber') ? (transaction as JsonObject) : undefined
}

/** Returns whether the block in the node's answer is part of this chain: at or before the fork block. */
export function isUpToForkBlock({ block }: ForkedNetwork, found: unknown, name: string): boolean {
  if (typeof found !== 'object' || found === null) return false
  const number = (found as Record<string, unknown>)[name]
  return typeof number === 'string' && parsedOrUndefined(() => parseUint64(number, ''))! <= block.number
}

type AboutTransaction = (network: ForkedNetwork, transaction: JsonObject) => unknown

/** How preseal's own methods answer about transactions of the network. The network's node lacks these methods. */
export const ABOUT_TRANSACTIONS: ReadonlyMap<string, AboutTransaction> = new Map<string, AboutTransaction>([
  [
    'preseal_getTimeline',
    (_, { blockNumber, blockHash, transactionIndex }) => [
      { step: 'sealed', blockNumber, blockHash, transactionIndex },
    ],
  ],
  ['preseal_explain', explained],
])

async function explained(
  network: ForkedNetwork,
  { hash, blockNumber, transactionIndex }: JsonObject,
): Promise<unknown> {
  const receipt = await network.ask({ method: 'eth_getTransactionReceipt', params: [hash] })
  const end = (receipt as JsonObject | null)?.status === '0x0' ? ', and failed' : ''
  const where = `block ${Number(blockNumber)}, transaction ${Number(transactionIndex)}`
  const reason = `it is sealed in ${where} of the network that the chain was forked from${end}`
  return { status: 'sealed', reason }
}

/** Returns the result of `parse`; `undefined` if `parse` throws. The devnet's method then reports the error. */
export function parsedOrUndefined<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch {
    return undefined
  }
}
