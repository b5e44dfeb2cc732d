/**
 * Requests about the blocks of the network that a chain was forked from. Up to the fork block they are the network's:
 * its node answers them. After it they are answered here.
 */
import { type Chain, hasBlock } from '../../chain/chain.ts'
import type { Hash } from '../../model/bytes/hex.ts'
import type { Selector } from '../../model/selector.ts'
import type { ForkedNetwork } from '../../upstream/forkedNetwork.ts'
import { encodeQuantity, parseHash, parseUint64 } from '../../wire/hex.ts'
import { parseSelector } from '../../wire/selector.ts'
import type { RpcContext } from '../context.ts'
import { Problem } from '../problem.ts'
import type { Request } from '../request.ts'

/** What a request is about, and which of its parameters says so. */
interface Subject {
  /**
   * - `state`: accounts after a block. Those after the fork block are here, too.
   * - `proof`: the same against the state root of the block. With proofs those of the fork block are here.
   * - `block`: a block and what is in it.
   * - `transaction`: a transaction by its hash.
   */
  readonly of: 'state' | 'proof' | 'block' | 'transaction'
  readonly at: number
}

/** The methods that the network's node answers for its blocks. `eth_getLogs` and `eth_feeHistory` join both sides. */
const SUBJECTS: ReadonlyMap<string, Subject> = new Map([
  ...of('state', 1, [
    'eth_getBalance',
    'eth_getCode',
    'eth_getTransactionCount',
    'eth_getAccount',
    'eth_getAccountInfo',
    'eth_getStorageValues',
    'eth_call',
    'eth_estimateGas',
    'eth_createAccessList',
    'eth_simulateV1',
    'debug_traceCall',
    'debug_codeByHash',
    'ots_hasCode',
    'trace_callMany',
  ]),
  ...of('state', 2, ['eth_getStorageAt', 'trace_call', 'trace_rawTransaction']),
  ...of('proof', 2, ['eth_getProof']),
  ...of('block', 0, [
    'eth_getBlockByNumber',
    'eth_getBlockByHash',
    'eth_getHeaderByNumber',
    'eth_getHeaderByHash',
    'eth_getBlockTransactionCountByNumber',
    'eth_getBlockTransactionCountByHash',
    'eth_getBlockReceipts',
    'eth_getUncleCountByBlockNumber',
    'eth_getUncleCountByBlockHash',
    'eth_getUncleByBlockNumberAndIndex',
    'eth_getUncleByBlockHashAndIndex',
    'eth_getTransactionByBlockNumberAndIndex',
    'eth_getTransactionByBlockHashAndIndex',
    'eth_getRawTransactionByBlockNumberAndIndex',
    'eth_getRawTransactionByBlockHashAndIndex',
    'eth_getBlockAccessList',
    'erigon_getHeaderByNumber',
    'debug_getRawBlock',
    'debug_getRawHeader',
    'debug_getRawReceipts',
    'debug_getRawBlockAccessList',
    'debug_traceBlockByNumber',
    'debug_traceBlockByHash',
    'debug_storageRangeAt',
    'ots_getBlockDetails',
    'ots_getBlockDetailsByHash',
    'ots_getBlockTransactions',
    'trace_block',
    'trace_replayBlockTransactions',
  ]),
  ...of('transaction', 0, [
    'eth_getTransactionByHash',
    'eth_getTransactionReceipt',
    'eth_getRawTransactionByHash',
    'debug_getRawTransaction',
    'debug_traceTransaction',
    'ots_getInternalOperations',
    'ots_traceTransaction',
    'ots_getTransactionError',
    'trace_transaction',
    'trace_replayTransaction',
    'trace_get',
  ]),
])

/** Methods that find one transaction by something else than its hash, searching back from the newest block. */
const SEARCHES: ReadonlySet<string> = new Set([
  'eth_getTransactionBySenderAndNonce',
  'ots_getTransactionBySenderAndNonce',
  'ots_getContractCreator',
])

/** Methods that list what they find in all blocks. Their pages and limits cannot be joined over both sides. */
const LISTS: ReadonlySet<string> = new Set([
  'trace_filter',
  'ots_searchTransactionsBefore',
  'ots_searchTransactionsAfter',
])

function of(what: Subject['of'], at: number, methods: readonly string[]): (readonly [string, Subject])[] {
  return methods.map((method) => [method, { of: what, at }])
}

/**
 * Returns whether a request is certainly not about blocks of the network, as most are not: then it costs what it costs
 * without a network.
 */
export function isOfNoNetwork({ method, params }: Request): boolean {
  const subject = SUBJECTS.get(method)
  if (subject === undefined) return !SEARCHES.has(method) && !LISTS.has(method)
  if (subject.of !== 'state') return false
  // The newest state is here from the fork block on.
  const given = params[subject.at]
  return given === undefined || given === null || given === 'latest' || given === 'pending'
}

/**
 * Returns the answer of the network's node where a request is about its blocks; otherwise that of `here`. A request
 * whose parameters are wrong is answered here, with the error that names them. `isOfNoNetwork` is false for it.
 */
export function answerOnFork(
  context: RpcContext,
  network: ForkedNetwork,
  request: Request,
  here: () => unknown,
): unknown {
  const subject = SUBJECTS.get(request.method)
  if (subject === undefined) {
    return SEARCHES.has(request.method)
      ? searched(network, request, here)
      : listed(context.chain, network, request, here)
  }
  const given = request.params[subject.at]
  if (subject.of === 'transaction') {
    const hash = soundly(() => parseHash(given, ''))
    if (hash === undefined || isTransactionHere(context, hash)) return here()
    return askedIf(network, transactionIsThere(network, hash), request, here)
  }
  const selector = soundly(() => parseSelector(given ?? 'latest', ''))
  if (selector === undefined || selector.kind === 'slice') return here()
  if (selector.kind === 'hash') {
    const isForkBlock = selector.hash === network.block.hash
    if (isForkBlock && !hasForkBlock(network, subject)) return network.ask(request)
    if (hasBlock(context.chain.at(selector))) return here()
    return askedIf(network, blockIsThere(network, selector.hash), request, here)
  }
  const number = blockNumberOf(context.chain, selector)
  const last = hasForkBlock(network, subject) ? network.block.number - 1n : network.block.number
  return number > last ? here() : network.ask(at(request, subject.at, number))
}

/** Returns whether requests about the fork block are answered here. */
function hasForkBlock({ hasProofs }: ForkedNetwork, { of: what }: Subject): boolean {
  return what === 'state' || (what === 'proof' && hasProofs)
}

/** Returns what is found here, or else what the node finds up to the fork block. */
async function searched(network: ForkedNetwork, request: Request, here: () => unknown): Promise<unknown> {
  const ours = await here()
  if (ours !== null) return ours
  const theirs = await network.ask(request)
  const hash = soundly(() => parseHash((theirs as { hash?: unknown } | null)?.hash ?? theirs, ''))
  return hash !== undefined && (await transactionIsThere(network, hash)) ? theirs : null
}

/** Answers here if all blocks that are searched come after the fork block; refuses otherwise. */
function listed(
  chain: Chain,
  network: ForkedNetwork,
  { method, params }: Request,
  here: () => unknown,
): unknown {
  const { fromBlock } = Object(params[0]) as { fromBlock?: unknown }
  const first = soundly(() => parseSelector(fromBlock ?? 'earliest', ''))
  const isLater =
    first !== undefined && first.kind !== 'hash' && blockNumberOf(chain, first) > network.block.number
  if (method === 'trace_filter' && isLater) return here()
  const { number } = network.block
  throw new Problem({
    kind: 'unsupported',
    detail: `${method}: the blocks up to ${number} are those of ${network.name}, and lists of both sides are not joined; ask that node, or for blocks from ${number + 1n} on (trace_filter)`,
  })
}

/** Returns the number of the block that a selector names, whether or not there is one; those of the network included. */
export function blockNumberOf({ latest, pending, options }: Chain, selector: Selector): bigint {
  const head = latest.block.header.number
  const before = (distance: number) => (head > BigInt(distance) ? head - BigInt(distance) : 0n)
  if (selector.kind === 'number' || selector.kind === 'slice') return selector.number
  if (selector.kind === 'hash') throw new TypeError('a hash is no number')
  switch (selector.tag) {
    case 'latest':
      return head
    case 'pending':
      return pending.block.header.number
    case 'earliest':
      return 0n
    case 'safe':
      return before(options.safeDistance)
    case 'finalized':
      return before(options.finalizedDistance)
  }
}

/** Returns whether the block with this hash is one of the network's, up to the fork block. */
export async function blockIsThere(network: ForkedNetwork, hash: Hash): Promise<boolean> {
  const block = await network.ask({ method: 'eth_getBlockByHash', params: [hash, false] })
  return isUpTo(network, block, 'number')
}

async function transactionIsThere(network: ForkedNetwork, hash: Hash): Promise<boolean> {
  const transaction = await network.ask({ method: 'eth_getTransactionByHash', params: [hash] })
  return isUpTo(network, transaction, 'blockNumber')
}

/** Returns whether what the node knows is not newer than the fork block: what it has later does not exist here. */
function isUpTo({ block }: ForkedNetwork, found: unknown, name: string): boolean {
  if (typeof found !== 'object' || found === null) return false
  const number = (found as Record<string, unknown>)[name]
  return typeof number === 'string' && soundly(() => parseUint64(number, ''))! <= block.number
}

function isTransactionHere({ chain, pool }: RpcContext, hash: Hash): boolean {
  return chain.find(hash) !== undefined || pool.get(hash) !== undefined || chain.unsealed(hash) !== undefined
}

async function askedIf(
  network: ForkedNetwork,
  isThere: Promise<boolean>,
  request: Request,
  here: () => unknown,
): Promise<unknown> {
  return (await isThere) ? network.ask(request) : here()
}

/** Returns the request with a number in place of a tag, which means another block to the node. */
function at({ method, params }: Request, index: number, number: bigint): Request {
  // Parameters may end before the block, which is then `latest`.
  const filled = [...params, ...Array<undefined>(Math.max(0, index - params.length)).fill(undefined)]
  return { method, params: filled.with(index, encodeQuantity(number)) }
}

function soundly<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch {
    return undefined
  }
}
