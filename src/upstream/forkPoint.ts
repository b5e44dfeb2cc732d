/** The block of another node from which a chain is forked. */

import type { Hash } from '../bytes/hex.ts'
import { type Header, hashHeader } from '../model/block/header.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { parseHeader } from '../wire/header.ts'
import { encodeQuantity, parseHash, parseQuantity } from '../wire/hex.ts'
import { parseIncludedTransaction } from '../wire/includedTransaction.ts'
import { InvalidValue, optional, type Parser, recordOf } from '../wire/parser.ts'
import { resultOf } from './answerErrors.ts'
import { parsedAnswer } from './fetchPlan.ts'
import { type ForkTag, isHash } from './forkTags.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'
import { UpstreamFailed } from './upstreamFailed.ts'

/**
 * A block from which a chain is forked: its number, its hash or a tag; or the hash of a transaction, which means the
 * state just before that transaction.
 */
export type ForkBlock = bigint | Hash | ForkTag

/** A block of another node. */
export interface RemoteBlockHeader {
  readonly header: Header
  readonly hash: Hash
  /**
   * Whether the hash is that of the header's members. Other networks have members that are not known here; then the
   * node's word counts.
   */
  readonly isVerified: boolean
}

/** The block from which a chain is forked. */
export interface ForkPoint extends RemoteBlockHeader {
  readonly chainId: bigint
  /** Whether the node says that the block is final: it will not be reorganised away. */
  readonly isFinal: boolean
  /**
   * For the hash of a transaction: the block after the fork block, which has that transaction, and those of its
   * transactions that come before it. They are to be run again.
   */
  readonly replay: (RemoteBlockHeader & { readonly transactions: readonly Transaction[] }) | undefined
}

/**
 * Returns the block from which to fork. By default it is the newest one, as in anvil: full nodes have the state of the
 * newest 128 blocks only, and users expect what they just saw. Hardhat forks some 30 blocks behind, so that no
 * reorganisation meets it; here a block that is not final is checked with each fetch (`guardBlock`).
 *
 * Rejects with `UpstreamFailed`: of the kind `behind` if there is no such block.
 */
export async function forkPoint(upstream: Upstream, block: ForkBlock = 'latest'): Promise<ForkPoint> {
  const chainIdAt: UpstreamRequest = { method: 'eth_chainId', params: [] }
  const blockAt = blockRequest(block, false)
  const finalAt = { ...blockRequest('finalized', false), isOptional: true }
  const isByHash = isHash(block)
  const transactionAt = { method: 'eth_getTransactionByHash', params: [block] }
  const requests = [chainIdAt, finalAt, blockAt, ...(isByHash ? [transactionAt] : [])]
  const answers = await upstream.send(requests)
  const chainId = parsed(upstream, chainIdAt, parseQuantity, answers[0]!)
  const finalNumber = finalNumberIn(answers[1]!)
  // A node that does not know a hash as a block's may answer with an error.
  const isMissing = isByHash && 'error' in answers[2]!
  const found = isMissing ? undefined : parsed(upstream, blockAt, optional(parseBlockAt(block)), answers[2]!)
  const isFinal = ({ header }: RemoteBlockHeader) => finalNumber !== undefined && header.number <= finalNumber
  if (found !== undefined) return { chainId, ...found, isFinal: isFinal(found), replay: undefined }
  const inBlock = isByHash ? parsed(upstream, transactionAt, optional(parsePlace), answers[3]!) : undefined
  if (inBlock === undefined) throw await noSuchBlock(upstream, block, isByHash)
  const { before, replay } = await beforeTransaction(upstream, block as Hash, inBlock)
  return { chainId, ...before, isFinal: isFinal(before), replay }
}

function blockRequest(block: ForkBlock, hasTransactions: boolean): UpstreamRequest {
  return {
    method: isHash(block) ? 'eth_getBlockByHash' : 'eth_getBlockByNumber',
    params: [typeof block === 'bigint' ? encodeQuantity(block) : block, hasTransactions],
  }
}

/** Returns the block before that of a transaction, and the transactions of its block that come before it. */
async function beforeTransaction(upstream: Upstream, hash: Hash, blockHash: Hash) {
  const ownAt = { ...blockRequest(blockHash, true), isImmutable: true }
  const [own] = await upstream.send([ownAt])
  const { header, transactions, ...rest } = parsed(upstream, ownAt, parseBlockBefore(hash), own!)
  const beforeAt = { ...blockRequest(header.parentHash, false), isImmutable: true }
  const [answer] = await upstream.send([beforeAt])
  const before = parsed(upstream, beforeAt, parseBlockAt(header.parentHash), answer!)
  return { before, replay: { header, transactions, ...rest } }
}

/** The same for the answer to the request of a block: a number or a hash has to be that of the block. */
function parseBlockAt(block: ForkBlock): Parser<RemoteBlockHeader> {
  return (value, path) => {
    const found = parseBlock(value, path)
    const isOther =
      typeof block === 'bigint'
        ? found.header.number !== block
        : isHash(block) && found.hash !== block.toLowerCase()
    if (!isOther) return found
    const came = { number: encodeQuantity(found.header.number), hash: found.hash }
    throw new InvalidValue(path, `the block that was asked for (${block})`, came)
  }
}

const parseBlock: Parser<RemoteBlockHeader> = (value, path) => {
  const header = parseHeader(value, path)
  const hash = parseHash(recordOf(value, path, 'a block').hash, `${path}.hash`)
  return { header, hash, isVerified: hashHeader(header) === hash }
}

function parseBlockBefore(hash: Hash): Parser<RemoteBlockHeader & { transactions: readonly Transaction[] }> {
  return (value, path) => {
    const { transactions } = recordOf(value, path, 'a block')
    const list = Array.isArray(transactions) ? transactions : []
    const end = list.findIndex((one) => (one as { hash?: unknown } | null)?.hash === hash)
    if (end === -1)
      throw new InvalidValue(`${path}.transactions`, `transactions with ${hash} among them`, transactions)
    const earlier = list
      .slice(0, end)
      .map((one, index) => parseIncludedTransaction(one, `${path}.transactions[${index}]`))
    return { ...parseBlock(value, path), transactions: earlier }
  }
}

/** Returns the hash of the block of a transaction; `undefined` if it is in none yet. */
const parsePlace: Parser<Hash | undefined> = (value, path) =>
  optional(parseHash)(recordOf(value, path, 'a transaction').blockHash, `${path}.blockHash`)

/** Returns the number of the newest final block; `undefined` if the node does not say. */
function finalNumberIn(answer: UpstreamAnswer): bigint | undefined {
  if ('error' in answer || typeof answer.result !== 'object' || answer.result === null) return undefined
  const { number } = answer.result as { number?: unknown }
  return typeof number === 'string' && /^0x[0-9a-f]+$/i.test(number) ? BigInt(number) : undefined
}

async function noSuchBlock(upstream: Upstream, block: ForkBlock, isHash: boolean): Promise<UpstreamFailed> {
  const request: UpstreamRequest = { method: 'eth_blockNumber', params: [] }
  const [answer] = await upstream.send([request])
  const newest = parsed(upstream, request, parseQuantity, answer!)
  return new UpstreamFailed({
    kind: 'behind',
    upstream: upstream.name,
    wrong: `no block to fork from: ${isHash ? `a block or a transaction of a block with the hash ${block}` : `block ${block}`}`,
    came: 'the node does not have it',
    right: `the newest block is ${newest}; fork from that or an older one`,
  })
}

function parsed<T>(
  upstream: Upstream,
  request: UpstreamRequest,
  parse: Parser<T>,
  answer: UpstreamAnswer,
): T {
  return parsedAnswer(upstream.name, request, parse, resultOf(upstream.name, request, answer))
}
