/**
 * Requests about the blocks of the network that a chain was forked from. Up to the fork block they are the network's:
 * its node answers them. After it they are answered here.
 */
import { blockNumberOf } from '../../chain/blockNumberOf.ts'
import { hasBlock } from '../../chain/chain.ts'
import type { Hash } from '../../model/bytes/hex.ts'
import type { Selector } from '../../model/selector.ts'
import type { ForkedNetwork } from '../../upstream/forkedNetwork.ts'
import { parseAmount64 } from '../../wire/amount.ts'
import { encodeQuantity, parseHash, parseUint64 } from '../../wire/hex.ts'
import type { Parser } from '../../wire/parser.ts'
import { parseSelector } from '../../wire/selector.ts'
import type { RpcContext } from '../context.ts'
import type { Request } from '../request.ts'
import { type Here, LISTS } from './lists.ts'
import { soundly } from './soundly.ts'

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
  answerHere: Here,
): unknown {
  const subject = SUBJECTS.get(request.method)
  const here = () => answerHere(request.params)
  if (subject === undefined) {
    if (SEARCHES.has(request.method)) return searched(network, request, here)
    const list = LISTS.get(request.method)
    return list === undefined
      ? here()
      : list({ chain: context.chain, network, here: answerHere, params: request.params })
  }
  const given = request.params[subject.at]
  if (subject.of === 'transaction') {
    const hash = soundly(() => parseHash(given, ''))
    if (hash === undefined || isTransactionHere(context, network, hash)) return here()
    return askedIf(network, transactionIsThere(network, hash), request, here)
  }
  const selector = soundly(() => parseBlock(given ?? 'latest', ''))
  if (selector === undefined || selector.kind === 'slice') return here()
  if (selector.kind === 'hash') {
    const isForkBlock = selector.hash === network.block.hash
    if (isForkBlock && !hasForkBlock(network, subject)) return network.ask(request)
    if (hasBlock(context.chain.at(selector))) return here()
    return askedIf(network, blockIsThere(network, selector.hash), request, here)
  }
  const number = blockNumberOf(context.chain, selector)
  const last = hasForkBlock(network, subject) ? network.block.number - 1n : network.block.number
  if (number > last) return here()
  if (isCounted(selector)) {
    return network.firstNumber().then((first) => {
      const there = number < first ? first : number
      return there > last ? here() : network.ask(at(request, subject.at, encodeQuantity(there)))
    })
  }
  // The first block that the node has need not be block 0. A JSON number stays one.
  const isSame = typeof given === 'number' || (selector.kind === 'tag' && selector.tag === 'earliest')
  return network.ask(isSame ? request : at(request, subject.at, encodeQuantity(number)))
}

/** Returns whether a block is counted back from the newest one: as without a network it is at least the first one. */
function isCounted(selector: Selector): boolean {
  return selector.kind === 'tag' && (selector.tag === 'safe' || selector.tag === 'finalized')
}

/** Returns whether requests about the fork block are answered here. */
function hasForkBlock({ hasProofs }: ForkedNetwork, { of: what }: Subject): boolean {
  return what === 'state' || (what === 'proof' && hasProofs)
}

/** Parses a block as all methods together accept them: those of Otterscan take JSON numbers, too. */
const parseBlock: Parser<Selector> = (value, path) =>
  typeof value === 'number'
    ? { kind: 'number', number: parseAmount64(value, path) }
    : parseSelector(value, path)

/** Returns what is found here, or else what the node finds up to the fork block. */
async function searched(network: ForkedNetwork, request: Request, here: () => unknown): Promise<unknown> {
  const ours = await here()
  if (ours !== null) return ours
  const theirs = await network.ask(request)
  const hash = soundly(() => parseHash((theirs as { hash?: unknown } | null)?.hash ?? theirs, ''))
  return hash !== undefined && (await transactionIsThere(network, hash)) ? theirs : null
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

/** Returns whether a transaction is one of this chain, also if it was dropped or its block was removed. */
function isTransactionHere(
  { chain, pool, sequencer: { timeline } }: RpcContext,
  { block }: ForkedNetwork,
  hash: Hash,
): boolean {
  if (chain.find(hash) !== undefined || pool.get(hash) !== undefined) return true
  if (chain.unsealed(hash) !== undefined) return true
  // What was accepted after the fork block is in no block of the network up to it.
  return timeline.of(hash).some((step) => step.kind === 'pooled' && step.latest >= block.number)
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
function at({ method, params }: Request, index: number, block: string): Request {
  // Parameters may end before the block, which is then `latest`.
  const filled = [...params, ...Array<undefined>(Math.max(0, index + 1 - params.length)).fill(undefined)]
  return { method, params: filled.with(index, block) }
}
