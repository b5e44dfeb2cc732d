import type { Hash } from '../bytes/hex.ts'
import { type Header, hashHeader } from '../model/block/header.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { parseHeader } from '../wire/header.ts'
import { encodeQuantity, parseHash, parseQuantity } from '../wire/hex.ts'
import { parseIncludedTransaction } from '../wire/includedTransaction.ts'
import { InvalidValue, optional, type Parser, recordOf } from '../wire/parser.ts'
import { parsedAnswer } from './answers.ts'
import { type ForkTag, isHash } from './forkedNetwork.ts'
import { type Upstream, type UpstreamAnswer, UpstreamFailed, type UpstreamRequest } from './upstream.ts'

/** A block to fork from, by number, hash or tag. The hash of a transaction selects the state before the transaction. */
export type ForkBlock = bigint | Hash | ForkTag

interface RemoteBlockHeader {
  readonly header: Header
  readonly hash: Hash
  /** Whether hashing `header` gives `hash`. False if the block has header fields that preseal does not know. */
  readonly isVerified: boolean
}

export interface ForkPoint extends RemoteBlockHeader {
  readonly chainId: bigint
  readonly isFinal: boolean
  /** If the fork point is a transaction: the transaction's block, and the earlier transactions to execute again. */
  readonly replay: (RemoteBlockHeader & { readonly transactions: readonly Transaction[] }) | undefined
}

/**
 * Returns the block to fork from: by default the newest, as in anvil, because full nodes keep the state of only 128
 * blocks. Rejects with `UpstreamFailed`, of the kind `behind` if the node does not have the block.
 */
export async function forkPoint(upstream: Upstream, block: ForkBlock = 'latest'): Promise<ForkPoint> {
  const chainIdAt: UpstreamRequest = { method: 'eth_chainId', params: [] }
  const blockAt = blockRequest(block, false)
  const finalAt = { ...blockRequest('finalized', false), isOptional: true }
  const isByHash = isHash(block)
  const transactionAt = { method: 'eth_getTransactionByHash', params: [block] }
  const requests = [chainIdAt, finalAt, blockAt, ...(isByHash ? [transactionAt] : [])]
  const answers = await upstream.send(requests)
  const chainId = parsedAnswer(upstream, chainIdAt, parseQuantity, answers[0]!)
  const finalNumber = finalNumberIn(answers[1]!)
  // For the hash of an unknown block, some nodes return an error instead of null.
  const isMissing = isByHash && 'error' in answers[2]!
  const found = isMissing
    ? undefined
    : parsedAnswer(upstream, blockAt, optional(parseBlockAt(block)), answers[2]!)
  const isFinal = ({ header }: RemoteBlockHeader) => finalNumber !== undefined && header.number <= finalNumber
  if (found !== undefined) return { chainId, ...found, isFinal: isFinal(found), replay: undefined }
  const inBlock = isByHash
    ? parsedAnswer(upstream, transactionAt, optional(parsePlace), answers[3]!)
    : undefined
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

async function beforeTransaction(upstream: Upstream, hash: Hash, blockHash: Hash) {
  const ownAt = { ...blockRequest(blockHash, true), isImmutable: true }
  const [own] = await upstream.send([ownAt])
  const { header, transactions, ...rest } = parsedAnswer(upstream, ownAt, parseBlockBefore(hash), own!)
  const beforeAt = { ...blockRequest(header.parentHash, false), isImmutable: true }
  const [answer] = await upstream.send([beforeAt])
  const before = parsedAnswer(upstream, beforeAt, parseBlockAt(header.parentHash), answer!)
  return { before, replay: { header, transactions, ...rest } }
}

function parseBlockAt(block: ForkBlock): Parser<RemoteBlockHeader> {
  return (value, path) => {
    const found = parseBlock(value, path)
    const isOther =
      typeof block === 'bigint'
        ? found.header.number !== block
        : isHash(block) && found.hash !== block.toLowerCase()
    if (!isOther) return found
    const came = { number: encodeQuantity(found.header.number), hash: found.hash }
    throw new InvalidValue(path, `the requested block (${block})`, came)
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

const parsePlace: Parser<Hash | undefined> = (value, path) =>
  optional(parseHash)(recordOf(value, path, 'a transaction').blockHash, `${path}.blockHash`)

function finalNumberIn(answer: UpstreamAnswer): bigint | undefined {
  if ('error' in answer || typeof answer.result !== 'object' || answer.result === null) return undefined
  const { number } = answer.result as { number?: unknown }
  return typeof number === 'string' && /^0x[0-9a-f]+$/i.test(number) ? BigInt(number) : undefined
}

async function noSuchBlock(upstream: Upstream, block: ForkBlock, isHash: boolean): Promise<UpstreamFailed> {
  const request: UpstreamRequest = { method: 'eth_blockNumber', params: [] }
  const [answer] = await upstream.send([request])
  const newest = parsedAnswer(upstream, request, parseQuantity, answer!)
  return new UpstreamFailed({
    kind: 'behind',
    upstream: upstream.name,
    wrong: `no block to fork from: ${isHash ? `a block or transaction with the hash ${block}` : `block ${block}`}`,
    came: 'the node does not have it',
    right: `the newest block is ${newest}; fork from that or an older one`,
  })
}

/**
 * Returns an upstream that checks the hash of `block` in each batch about immutable blocks. State is requested by
 * block number, and after a reorg the node has a different block with this number. Rejects with `UpstreamFailed` of
 * the kind `reorganised` or `behind`. Final blocks need no guard. A cache must wrap this upstream, not the reverse.
 */
export function guardBlock(upstream: Upstream, { number, hash }: { number: bigint; hash: Hash }): Upstream {
  const check: UpstreamRequest = {
    method: 'eth_getBlockByNumber',
    params: [encodeQuantity(number), false],
    isImmutable: true,
  }
  return {
    name: upstream.name,
    async send(requests) {
      if (!requests.some(({ isImmutable }) => isImmutable)) return upstream.send(requests)
      const answers = await upstream.send([...requests, check])
      const last = answers.at(-1)!
      const found = 'result' in last ? (last.result as { hash?: unknown } | null)?.hash : undefined
      if (found === hash) return answers.slice(0, -1)
      const shown = found === undefined ? 'no such block' : `a block with the hash ${String(found)}`
      throw new UpstreamFailed({
        kind: found === undefined ? 'behind' : 'reorganised',
        upstream: upstream.name,
        wrong: `block ${number} no longer has the hash ${hash}`,
        came: shown,
      })
    },
    close: () => upstream.close(),
  }
}
