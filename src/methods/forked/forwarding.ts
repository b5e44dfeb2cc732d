/**
 * Requests about the blocks of the network that a chain was forked from. Up to the fork block they are the network's:
 * its node answers them. After it they are answered here.
 */

import type { Hash } from '../../bytes/hex.ts'
import { hasBlock } from '../../chain/chain.ts'
import { blockNumberOf } from '../../chain/logs.ts'
import type { Selector } from '../../model/block/selector.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import type { Answering, Method } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import type { Request } from '../../rpc/request.ts'
import type { ForkedNetwork } from '../../upstream/forkedNetwork.ts'
import type { NodeNews } from '../../upstream/forkNode.ts'
import {
  type UpstreamAnswer,
  UpstreamFailed,
  type UpstreamFailure,
  type UpstreamRequest,
} from '../../upstream/upstream.ts'
import { encodeQuantity, parseAmount64, parseHash } from '../../wire/hex.ts'
import type { Parser } from '../../wire/parser.ts'
import { arrayOf, type JsonObject, recordOf, text } from '../../wire/parser.ts'
import { parseSelector } from '../../wire/selector.ts'
import { ABOUT_TRANSACTIONS, type Here, isUpTo, LISTS, soundly, transactionThere } from './lists.ts'

/** The subject of a request, and the index of the parameter that names it. */
interface Subject {
  /**
   * - `state`: accounts after a block. The devnet has the state after the fork block, too.
   * - `proof`: a proof against the state root of a block. With proofs the devnet proves the fork block, too.
   * - `block`: a block and its content.
   * - `transaction`: a transaction by its hash.
   *
   * Methods that only a devnet has:
   * - `code`: ABIs and sources of code. Before the fork block, those of the fork block.
   * - `storage`: lists of storage. There are none before the fork block.
   * - `slices`: the slices of a block. Blocks of the network have none.
   * - `content`: the content of a block, in pages. `null` for the network's blocks, which clients request whole.
   */
  readonly of: 'state' | 'proof' | 'block' | 'transaction' | 'code' | 'storage' | 'slices' | 'content'
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
    ...ABOUT_TRANSACTIONS.keys(),
  ]),
  ...of('code', 1, ['preseal_getContract', 'preseal_getSources']),
  ...of('code', 2, ['preseal_getSource']),
  ...of('storage', 0, ['preseal_listContracts']),
  ...of('storage', 1, ['preseal_getStorage']),
  ...of('storage', 2, ['preseal_getVariable']),
  ...of('slices', 0, ['preseal_getSlices']),
  ...of('content', 0, ['preseal_getBlockSummary', 'preseal_listTransactions', 'preseal_listLogs']),
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

/** Returns the methods, which on a fork answer also for the blocks of its network. */
export function onForks(methods: ReadonlyMap<string, Method>): ReadonlyMap<string, Method> {
  return new Map([...methods].map(([name, method]) => [name, onFork(name, method)]))
}

function onFork(name: string, method: Method): Method {
  const subject = SUBJECTS.get(name)
  if (subject === undefined && !SEARCHES.has(name) && !LISTS.has(name)) return method
  // A function of its own has the closure, so that a read without a network allocates none.
  const forwarded = (context: RpcContext, network: ForkedNetwork, params: readonly unknown[]) =>
    answerOnFork(context, network, { method: name, params }, (other) => method(context, other))
  const answering: Answering = (context, params) => {
    const { network } = context
    return network === undefined || isOfNewestState(subject, params)
      ? method(context, params)
      : forwarded(context, network, params)
  }
  return Object.assign(answering, { parsers: method.parsers, isLong: method.isLong })
}

/**
 * Returns whether a request certainly reads the newest state, as most do. It then costs the same as without a network.
 */
function isOfNewestState(subject: Subject | undefined, params: readonly unknown[]): boolean {
  if (subject === undefined || !isOfState(subject)) return false
  // The newest state is here from the fork block on.
  const given = params[subject.at]
  return given === undefined || given === null || given === 'latest' || given === 'pending'
}

/**
 * Returns the answer of the network's node where a request is about its blocks; otherwise that of `answerHere`. A request
 * whose parameters are wrong is answered here, with the error that names them.
 */
function answerOnFork(
  context: ReadContext,
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
    const about = ABOUT_TRANSACTIONS.get(request.method) ?? (() => network.ask(request))
    return transactionThere(network, hash).then((found) =>
      found === undefined ? here() : about(network, found),
    )
  }
  const selector = soundly(() => parseBlock(given ?? 'latest', ''))
  if (selector === undefined) return here()
  if (selector.kind === 'slice') {
    const { number, slice } = selector
    if (number < network.block.number) throw new Problem({ kind: 'unknownSlice', number, slice, last: 0 })
    return here()
  }
  if (selector.kind === 'hash') {
    const isForkBlock = selector.hash === network.block.hash
    if (isForkBlock && !hasForkBlock(network, subject)) {
      const own = answerBeforeFork(network, request, subject, answerHere)
      return own === undefined ? network.ask(request) : own()
    }
    if (hasBlock(context.chain.at(selector))) return here()
    return blockIsThere(network, selector.hash).then((isThere) => {
      if (!isThere) return here()
      const own = answerBeforeFork(network, request, subject, answerHere)
      return own === undefined ? network.ask(request) : own()
    })
  }
  const number = blockNumberOf(context.chain, selector)
  const last = hasForkBlock(network, subject) ? network.block.number - 1n : network.block.number
  if (number > last) return here()
  const own = answerBeforeFork(network, request, subject, answerHere, number)
  if (own !== undefined) return own()
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
  return what !== 'block' && what !== 'content' && (what !== 'proof' || hasProofs)
}

/** Returns whether the newest answer is here. */
function isOfState({ of: what }: Subject): boolean {
  return what === 'state' || what === 'code' || what === 'storage' || what === 'slices'
}

/**
 * Returns how a method that no network has is answered about a block before the fork block; `undefined` for the others. `number` is
 * absent of a block by its hash.
 */
function answerBeforeFork(
  { block }: ForkedNetwork,
  request: Request,
  subject: Subject,
  answerHere: Here,
  number?: bigint,
): (() => unknown) | undefined {
  switch (subject.of) {
    case 'code':
      return () => answerHere(at(request, subject.at, encodeQuantity(block.number)).params)
    case 'slices':
      return () => []
    case 'content':
      return () => null
    case 'storage':
      return () => {
        const asked = number === undefined ? String(request.params[subject.at]) : encodeQuantity(number)
        throw new Problem({ kind: 'beforeFork', asked, fork: block.number })
      }
    default:
      return undefined
  }
}

/** Parses a block selector in any form that a method accepts: Otterscan's methods take JSON numbers, too. */
const parseBlock: Parser<Selector> = (value, path) =>
  typeof value === 'number'
    ? { kind: 'number', number: parseAmount64(value, path) }
    : parseSelector(value, path)

/** Returns the devnet's result, or else the node's, up to the fork block. */
async function searched(network: ForkedNetwork, request: Request, here: () => unknown): Promise<unknown> {
  const ours = await here()
  if (ours !== null) return ours
  const theirs = await network.ask(request)
  const hash = soundly(() => parseHash((theirs as { hash?: unknown } | null)?.hash ?? theirs, ''))
  return hash !== undefined && (await transactionThere(network, hash)) !== undefined ? theirs : null
}

/** Returns whether the block with this hash is one of the network's, up to the fork block. */
export async function blockIsThere(network: ForkedNetwork, hash: Hash): Promise<boolean> {
  const block = await network.ask({ method: 'eth_getBlockByHash', params: [hash, false] })
  return isUpTo(network, block, 'number')
}

/** Returns whether a transaction is one of this chain, also if it was dropped or its block was removed. */
function isTransactionHere(
  { chain, pool, timeline }: ReadContext,
  { block }: ForkedNetwork,
  hash: Hash,
): boolean {
  if (chain.find(hash) !== undefined || pool.get(hash) !== undefined) return true
  if (chain.unsealed(hash) !== undefined) return true
  // A transaction accepted after the fork block is in no block of the network up to it.
  return timeline.of(hash).some((step) => step.kind === 'pooled' && step.latest >= block.number)
}

/** Returns the request with a number in place of a tag, which means another block to the node. */
function at({ method, params }: Request, index: number, block: string): Request {
  // Parameters may end before the block, which is then `latest`.
  const filled = [...params, ...Array<undefined>(Math.max(0, index + 1 - params.length)).fill(undefined)]
  return { method, params: filled.with(index, block) }
}

/** The exchanges with the node of a forked network, as recordings store them. */
export type { NodeNews }

/** Returns the JSON members: the requests with their results or errors, or why they have none. */
export function encodeNews(news: NodeNews): JsonObject {
  if (news.kind === 'failed') return { network: news.requests.map(asked), failed: news.error.failure }
  return { network: news.answered.map(({ request, answer }) => ({ ...asked(request), ...answer })) }
}

function asked({ method, params }: UpstreamRequest): JsonObject {
  return { method, params }
}

/** Parses the members that `encodeNews` returns. */
export function parseNews({ network, failed }: JsonObject): NodeNews {
  if (failed !== undefined) {
    const error = new UpstreamFailed(recordOf(failed, 'failed', 'a failure') as unknown as UpstreamFailure)
    return { kind: 'failed', requests: arrayOf(parseRequest)(network, 'network'), error }
  }
  const answered = arrayOf((value, path) => {
    const { result = null, error } = recordOf(value, path, 'a request with its answer')
    const answer = (error === undefined ? { result } : { error }) as UpstreamAnswer
    return { request: parseRequest(value, path), answer }
  })(network, 'network')
  return { kind: 'answered', answered }
}

const parseRequest: Parser<UpstreamRequest> = (value, path) => {
  const { method, params } = recordOf(value, path, 'an object {method, params}')
  return {
    method: text(method, `${path}.method`),
    params: arrayOf((param) => param)(params, `${path}.params`),
  }
}
