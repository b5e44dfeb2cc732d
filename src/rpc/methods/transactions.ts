/** Sending transactions, and finding them again. */

import type { Chain } from '../../chain/chain.ts'
import { type BlobSidecar, decodeBlobTransaction } from '../../model/blobSidecar.ts'
import type { Block } from '../../model/block.ts'
import { ZERO_ADDRESS } from '../../model/hex.ts'
import { isProven } from '../../model/kzgSidecar.ts'
import { byHash } from '../../model/selector.ts'
import { decodeTransaction, impersonate } from '../../model/signedTransaction.ts'
import type { Transaction } from '../../model/transaction.ts'
import { MalformedTransaction } from '../../model/transactionFields.ts'
import { breathe } from '../../sequencer/clock.ts'
import { encodeIncludedTransaction, encodePooledTransaction, encodeReceipt } from '../../wire/encode.ts'
import { encodeBytes, parseAddress, parseBytes, parseHash, parseUint64 } from '../../wire/hex.ts'
import { InvalidValue, type Parser } from '../../wire/parser.ts'
import { parseNumberOrTag } from '../../wire/selector.ts'
import { method, params } from '../method.ts'
import { Problem } from '../problem.ts'
import { lookedUp } from './lookedUp.ts'
import { accepted, filled, send, senderOf, signatory } from './send.ts'
import { parseTransactionRequest } from './transactionRequest.ts'

/** A transaction as it is sent: one of type 3 with its blobs (EIP-4844). */
interface Sent {
  readonly transaction: Transaction
  readonly sidecar?: BlobSidecar
}

/** Signed bytes as a transaction, its sender recovered. */
const parseRawTransaction: Parser<Sent> = (value, path) => {
  const raw = parseBytes(value, path)
  try {
    return raw[0] === 3 ? decodeBlobTransaction(raw) : { transaction: decodeTransaction(raw) }
  } catch (error) {
    if (!(error instanceof MalformedTransaction)) throw error
    throw new InvalidValue(path, `a signed transaction (${error.reason})`, value)
  }
}

export const eth_sendRawTransaction = method(params(parseRawTransaction), async (context, sent) => {
  const { transaction, sidecar } = sent
  if (sidecar !== undefined) await requireProven(sidecar)
  return accepted(await context.sequencer.submit(transaction))
})

async function requireProven(sidecar: BlobSidecar): Promise<void> {
  for (const index of sidecar.blobs.keys()) {
    const isRight = await isProven(sidecar, index)
    if (!isRight) throw new Problem({ kind: 'rejected', rejection: { kind: 'unprovenBlob', index } })
    // Each takes long enough for a tick to fall due.
    await breathe()
  }
}

export const eth_sendTransaction = method(params(parseTransactionRequest), (context, request) => {
  const from = senderOf(context, request)
  const signs = signatory(context, from)
  if (signs === undefined && !context.sequencer.steering.isImpersonated(from)) {
    throw new Problem({ kind: 'unknownAccount', address: from })
  }
  return send(context, request, from, signs ?? impersonate)
})

/** From whomever it says, impersonated or not: a signature is made only where there is a key. */
export const eth_sendUnsignedTransaction = method(params(parseTransactionRequest), (context, request) => {
  const from = senderOf(context, request)
  return send(context, request, from, signatory(context, from) ?? impersonate)
})

/**
 * Signs and does not send: the bytes for `eth_sendRawTransaction` and nothing else, as execution-apis and anvil have it
 * and viem and ethers read it (geth answers an object).
 */
export const eth_signTransaction = method(params(parseTransactionRequest), async (context, request) => {
  const from = senderOf(context, request)
  const signs = signatory(context, from)
  if (signs === undefined) throw new Problem({ kind: 'unknownAccount', address: from })
  return encodeBytes(signs(await filled(context, request, from), from).raw)
})

/**
 * What `eth_sendTransaction` would send, and nothing more: with a signature of zeros, for somebody to sign. The bytes are as
 * anvil has them; in those of a legacy transaction geth leaves the chain id out.
 */
export const eth_fillTransaction = method(params(parseTransactionRequest), async (context, request) => {
  const from = senderOf(context, request)
  // The sender of an impersonated transaction is its signature.
  const unsigned = impersonate(await filled(context, request, from), ZERO_ADDRESS)
  return { raw: encodeBytes(unsigned.raw), tx: encodePooledTransaction({ ...unsigned, from }) }
})

export const eth_getTransactionByHash = method(params(parseHash), ({ chain, pool }, hash) => {
  const inclusion = chain.find(hash)
  if (inclusion !== undefined) return encodeIncludedTransaction(inclusion.block, inclusion.index)
  const waiting = pool.get(hash)
  return waiting === undefined ? null : encodePooledTransaction(waiting)
})

export const eth_getTransactionByBlockNumberAndIndex = method(
  params(parseNumberOrTag, parseUint64),
  ({ chain }, at, index) => lookedUp(chain.at(at), included(index)),
)

export const eth_getTransactionByBlockHashAndIndex = method(
  params(parseHash, parseUint64),
  ({ chain }, hash, index) => lookedUp(chain.at(byHash(hash)), included(index)),
)

/** In a block or waiting; of several, which only cheats can bring about, the newest. */
export const eth_getTransactionBySenderAndNonce = method(
  params(parseAddress, parseUint64),
  ({ chain, pool }, sender, nonce) => {
    const waiting = pool.of(sender).find(({ transaction }) => transaction.nonce === nonce)
    if (waiting !== undefined) return encodePooledTransaction(waiting.transaction)
    for (const block of blocksBackwards(chain)) {
      const index = block.transactions.findLastIndex((one) => one.from === sender && one.nonce === nonce)
      if (index >= 0) return encodeIncludedTransaction(block, index)
    }
    return null
  },
)

function* blocksBackwards({ preconfirmed, state: { history } }: Chain): Generator<Block> {
  if (preconfirmed !== undefined) yield preconfirmed.block
  for (let { block } = history.latest; ; ) {
    yield block
    const parent = history.block(Number(block.header.number) - 1)
    if (parent === undefined) return
    block = parent
  }
}

export const eth_getTransactionReceipt = method(params(parseHash), ({ chain }, hash) => {
  const inclusion = chain.find(hash)
  return inclusion === undefined ? null : encodeReceipt(inclusion.block, inclusion.index)
})

function included(index: bigint): (block: Block) => unknown {
  return (block) =>
    index < block.transactions.length ? encodeIncludedTransaction(block, Number(index)) : null
}
