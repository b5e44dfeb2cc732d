/** Answers requests on a fork: the node of the network about blocks up to the fork block, else the devnet. */

import type { Hash } from '../../bytes/hex.ts'
import { hasBlock } from '../../chain/chain.ts'
import { blockNumberOf } from '../../chain/logs.ts'
import { namesIn } from '../../model/api/text.ts'
import type { Selector } from '../../model/block/selector.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import type { Answering, Method } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import type { Request } from '../../rpc/request.ts'
import type { ForkedNetwork } from '../../upstream/forkedNetwork.ts'
import type { NodeEvent } from '../../upstream/forkNode.ts'
import {
  type UpstreamAnswer,
  UpstreamFailed,
  type UpstreamFailure,
  type UpstreamRequest,
} from '../../upstream/upstream.ts'
import { encodeQuantity, parseAmount64, parseHash } from '../../wire/hex.ts'
import { arrayOf, type JsonObject, type Parser, recordOf, text } from '../../wire/parser.ts'
import { parseSelector } from '../../wire/selector.ts'
import {
  ABOUT_TRANSACTIONS,
  type ForkedRequest,
  isUpToForkBlock,
  LISTS,
  networkTransaction,
  parsedOrUndefined,
} from './lists.ts'

/**
 * The subject of a request with a block parameter decides who answers for the fork block and for earlier blocks.
 *
 * - `state`: accounts after the block. The devnet also has the state after the fork block.
 * - `proof`: a proof against the block's state root. With `fork.proofs` the devnet proves the fork block, too.
 * - `block`: the block and its content.
 *
 * The network's node does not have the methods about these subjects:
 * - `code`: ABIs and sources of code. For earlier blocks, the devnet answers with those of the fork block.
 * - `storage`: lists of storage. Requests about earlier blocks are refused.
 * - `slices`: the slices of the block. Blocks of the network have none.
 * - `content`: pages of the block's content. For blocks of the network, which clients request whole, returns `null`.
 */
type Subject = 'state' | 'proof' | 'block' | 'code' | 'storage' | 'slices' | 'content'

/** Answers a method on a fork with `answer`, but with the devnet's method if `params[newestAt]` is the newest block. */
interface ForkedMethod {
  readonly answer: (asked: ForkedRequest) => unknown
  readonly newestAt?: number
}

/** Methods that search blocks, newest first, for a transaction by sender and nonce, or for a contract's creation. */
const SEARCHES = [
  'eth_getTransactionBySenderAndNonce',
  'ots_getTransactionBySenderAndNonce',
  'ots_getContractCreator',
]

/** Methods that depend on the network. `eth_getLogs`, filters and `eth_feeHistory` join results of node and devnet. */
const FORKED_METHODS: ReadonlyMap<string, ForkedMethod> = new Map([
  ...about(
    'state',
    1,
    `
      eth_getBalance eth_getCode eth_getTransactionCount eth_getAccount eth_getAccountInfo
      eth_getStorageValues eth_call eth_estimateGas eth_createAccessList eth_simulateV1 debug_traceCall
      debug_codeByHash ots_hasCode trace_callMany
    `,
  ),
  ...about('state', 2, 'eth_getStorageAt trace_call trace_rawTransaction'),
  ...about('proof', 2, 'eth_getProof'),
  ...about(
    'block',
    0,
    `
      eth_getBlockByNumber eth_getBlockByHash eth_getHeaderByNumber eth_getHeaderByHash
      eth_getBlockTransactionCountByNumber eth_getBlockTransactionCountByHash eth_getBlockReceipts
      eth_getUncleCountByBlockNumber eth_getUncleCountByBlockHash eth_getUncleByBlockNumberAndIndex
      eth_getUncleByBlockHashAndIndex eth_getTransactionByBlockNumberAndIndex
      eth_getTransactionByBlockHashAndIndex eth_getRawTransactionByBlockNumberAndIndex
      eth_getRawTransactionByBlockHashAndIndex eth_getBlockAccessList erigon_getHeaderByNumber
      debug_getRawBlock debug_getRawHeader debug_getRawReceipts debug_getRawBlockAccessList
      debug_traceBlockByNumber debug_traceBlockByHash debug_storageRangeAt ots_getBlockDetails
      ots_getBlockDetailsByHash ots_getBlockTransactions trace_block trace_replayBlockTransactions
    `,
  ),
  ...aboutTransactions(`
    eth_getTransactionByHash eth_getTransactionReceipt eth_getRawTransactionByHash debug_getRawTransaction
    debug_traceTransaction ots_getInternalOperations ots_traceTransaction ots_getTransactionError
    trace_transaction trace_replayTransaction trace_get
    ${[...ABOUT_TRANSACTIONS.keys()].join(' ')}
  `),
  ...about('code', 1, 'preseal_getContract preseal_getSources'),
  ...about('code', 2, 'preseal_getSource'),
  ...about('storage', 0, 'preseal_listContracts'),
  ...about('storage', 1, 'preseal_getStorage'),
  ...about('storage', 2, 'preseal_getVariable'),
  ...about('slices', 0, 'preseal_getSlices'),
  ...about('content', 0, 'preseal_getBlockSummary preseal_listTransactions preseal_listLogs'),
  ...SEARCHES.map((name) => [name, { answer: searched }] as const),
  ...[...LISTS].map(([name, list]) => [name, { answer: list }] as const),
])

/** Returns the methods in `names`, which whitespace separates. Their parameter `at` selects the block. */
function about(subject: Subject, at: number, names: string): (readonly [string, ForkedMethod])[] {
  const answer = (asked: ForkedRequest) => answerAboutBlock(asked, subject, at)
  const isNewestHere = subject !== 'proof' && subject !== 'block' && subject !== 'content'
  return namesIn(names).map((name) => [name, isNewestHere ? { answer, newestAt: at } : { answer }])
}

function aboutTransactions(names: string): (readonly [string, ForkedMethod])[] {
  return namesIn(names).map((name) => [name, { answer: answerAboutTransaction }])
}

export function forkedMethods(methods: ReadonlyMap<string, Method>): ReadonlyMap<string, Method> {
  return new Map([...methods].map(([name, method]) => [name, onFork(name, method)]))
}

function onFork(name: string, method: Method): Method {
  const known = FORKED_METHODS.get(name)
  if (known === undefined) return method
  const { answer, newestAt } = known
  // This is a separate function, so that a read without a network does not allocate the closure `here`.
  const forwarded = (context: RpcContext, network: ForkedNetwork, params: readonly unknown[]) =>
    answer({
      context,
      network,
      request: { method: name, params },
      here: (other = params) => method(context, other),
    })
  const answering: Answering = (context, params) => {
    const { network } = context
    // Most requests read the newest state, and take this path without parsing a block.
    return network === undefined || (newestAt !== undefined && isNewest(params[newestAt]))
      ? method(context, params)
      : forwarded(context, network, params)
  }
  return Object.assign(answering, { parsers: method.parsers, isLong: method.isLong })
}

function isNewest(block: unknown): boolean {
  return block === undefined || block === null || block === 'latest' || block === 'pending'
}

function answerAboutTransaction({ context, network, request, here }: ForkedRequest): unknown {
  const hash = parsedOrUndefined(() => parseHash(request.params[0], ''))
  if (hash === undefined || isTransactionHere(context, network, hash)) return here()
  const answer = ABOUT_TRANSACTIONS.get(request.method) ?? (() => network.ask(request))
  return networkTransaction(network, hash).then((found) =>
    found === undefined ? here() : answer(network, found),
  )
}

/** Answers a request for the block `params[at]`. If a parameter is wrong, the devnet's method returns the error. */
function answerAboutBlock(asked: ForkedRequest, subject: Subject, at: number): unknown {
  const { context, network, request, here } = asked
  const { block } = network
  const given = request.params[at]
  const selector = parsedOrUndefined(() => parseBlock(given ?? 'latest', ''))
  if (selector === undefined) return here()
  if (selector.kind === 'slice') {
    const { number, slice } = selector
    if (number < block.number) throw new Problem({ kind: 'unknownSlice', number, slice, last: 0 })
    return here()
  }
  const hasForkBlock =
    subject !== 'block' && subject !== 'content' && (subject !== 'proof' || network.hasProofs)
  if (selector.kind === 'hash') {
    const there = () => answerBefore(asked, subject, at, String(given), () => network.ask(request))
    if (selector.hash === block.hash && !hasForkBlock) return there()
    if (hasBlock(context.chain.at(selector))) return here()
    return isNetworkBlock(network, selector.hash).then((isThere) => (isThere ? there() : here()))
  }
  const number = blockNumberOf(context.chain, selector)
  const last = hasForkBlock ? block.number - 1n : block.number
  if (number > last) return here()
  const askFor = (wanted: bigint) => network.ask(withBlock(request, at, wanted))
  return answerBefore(asked, subject, at, encodeQuantity(number), () => {
    const tag = selector.kind === 'tag' ? selector.tag : undefined
    // The devnet counts these tags back from its newest block, which must not lead before the network's first block.
    if (tag === 'safe' || tag === 'finalized') {
      return network.firstNumber().then((first) => {
        const there = number < first ? first : number
        return there > last ? here() : askFor(there)
      })
    }
    // `earliest` is kept, because the node's first block may not be block 0. A JSON number is sent as a JSON number.
    return typeof given === 'number' || tag === 'earliest' ? network.ask(request) : askFor(number)
  })
}

/** Answers about a block of the network. Calls `ask` for subjects that the node knows. Errors call the block `name`. */
function answerBefore(
  { network: { block }, request, here }: ForkedRequest,
  subject: Subject,
  at: number,
  name: string,
  ask: () => unknown,
): unknown {
  switch (subject) {
    case 'code':
      return here(withBlock(request, at, block.number).params)
    case 'slices':
      return []
    case 'content':
      return null
    case 'storage':
      throw new Problem({ kind: 'beforeFork', asked: name, fork: block.number })
    default:
      return ask()
  }
}

/** Parses a block selector. Otterscan's methods also accept JSON numbers. */
const parseBlock: Parser<Selector> = (value, path) =>
  typeof value === 'number'
    ? { kind: 'number', number: parseAmount64(value, path) }
    : parseSelector(value, path)

/** Returns the devnet's result; if that is `null`, the node's result if it is in a block up to the fork block. */
async function searched({ network, request, here }: ForkedRequest): Promise<unknown> {
  const ours = await here()
  if (ours !== null) return ours
  const theirs = await network.ask(request)
  const hash = parsedOrUndefined(() => parseHash((theirs as { hash?: unknown } | null)?.hash ?? theirs, ''))
  return hash !== undefined && (await networkTransaction(network, hash)) !== undefined ? theirs : null
}

/** Returns whether the network has a block with this hash that is not after the fork block. */
export async function isNetworkBlock(network: ForkedNetwork, hash: Hash): Promise<boolean> {
  const block = await network.ask({ method: 'eth_getBlockByHash', params: [hash, false] })
  return isUpToForkBlock(network, block, 'number')
}

/** Returns whether a transaction was sent to this devnet, even if it was later dropped or removed by a reorg. */
function isTransactionHere(
  { chain, pool, timeline }: ReadContext,
  { block }: ForkedNetwork,
  hash: Hash,
): boolean {
  if (chain.find(hash) !== undefined || pool.get(hash) !== undefined) return true
  if (chain.unsealed(hash) !== undefined) return true
  // A transaction that the devnet accepted after the fork block is not in the network's blocks up to the fork block.
  return timeline.of(hash).some((step) => step.kind === 'pooled' && step.latest >= block.number)
}

/** Returns the request with the block `number` as parameter, because a tag would select another block on the node. */
function withBlock({ method, params }: Request, index: number, number: bigint): Request {
  // The block parameter may be absent, so missing parameters are added before it is set.
  const filled = [...params, ...Array<undefined>(Math.max(0, index + 1 - params.length)).fill(undefined)]
  return { method, params: filled.with(index, encodeQuantity(number)) }
}

export type { NodeEvent }

/** Returns the JSON for recordings: each request with its result or error, or with the failure of the batch. */
export function encodeNews(news: NodeEvent): JsonObject {
  if (news.kind === 'failed') return { network: news.requests.map(asked), failed: news.error.failure }
  return { network: news.answered.map(({ request, answer }) => ({ ...asked(request), ...answer })) }
}

function asked({ method, params }: UpstreamRequest): JsonObject {
  return { method, params }
}

export function parseNews({ network, failed }: JsonObject): NodeEvent {
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
