import { type Hash, ZERO_ADDRESS } from '../../bytes/hex.ts'
import type { Chain } from '../../chain/chain.ts'
import { type Block, transactionCount } from '../../model/block/block.ts'
import { impersonate } from '../../model/transaction/signedTransaction.ts'
import type { SendContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { params, read, send } from '../../rpc/method.ts'
import { encodeIncludedTransaction, encodePooledTransaction, encodeReceipt } from '../../wire/encode.ts'
import { encodeBytes, parseAddress, parseHash, parseUint64 } from '../../wire/hex.ts'
import { parseRawTransaction } from '../../wire/includedTransaction.ts'
import { InvalidValue, optional, type Parser } from '../../wire/parser.ts'
import { ofPlace } from './blocks.ts'
import { filled, sendAllowed, senderOf, sendFrom, signatory, submitSent } from './send.ts'
import { parseTransactionRequest } from './transactionRequest.ts'

export const eth_sendRawTransaction = send(params(parseRawTransaction), submitSent)

/** Returns whether the transaction is accepted but not sealed, as `base_transactionStatus` of Base's nodes does. */
export const base_transactionStatus = read(params(parseHash), ({ chain, pool }, hash) => {
  const isPreconfirmed = chain.open?.positions.has(hash) === true
  return { status: pool.get(hash) !== undefined || isPreconfirmed ? 'Known' : 'Unknown' }
})

export const eth_sendTransaction = send.long(params(parseTransactionRequest), sendAllowed)

/** Sends from any account, impersonated or not. Signs the transaction if the devnet has the key. */
export const eth_sendUnsignedTransaction = send.long(params(parseTransactionRequest), (context, request) => {
  const from = senderOf(context, request)
  return sendFrom(context, request, from, signatory(context, from) ?? impersonate)
})

/** Signs without sending. Returns the bytes, as anvil does, or `{raw, tx}` in the dialect `geth`. */
export const eth_signTransaction = send.long(params(parseTransactionRequest), async (context, request) => {
  const from = senderOf(context, request)
  const signs = signatory(context, from)
  if (signs === undefined) throw new Problem({ kind: 'unknownAccount', address: from })
  const signed = signs(await filled(context, request, from), from)
  const raw = encodeBytes(signed.raw)
  return context.options.dialect === 'base' ? raw : { raw, tx: encodePooledTransaction(signed) }
})

/**
 * Returns the transaction of `eth_sendTransaction` with a zero signature. As in anvil, type 0 also has a chain id. On an L2,
 * `gasPrice` is null beside `maxFeePerGas`, as in op-geth: the OP Stack actions of viem pass all fees on to `eth_estimateGas`,
 * which takes one kind.
 */
export const eth_fillTransaction = send.long(params(parseTransactionRequest), async (context, request) => {
  const from = senderOf(context, request)
  // An impersonated transaction has its sender in place of a signature: the zero address makes a zero signature.
  const unsigned = impersonate(await filled(context, request, from), ZERO_ADDRESS)
  const tx = encodePooledTransaction({ ...unsigned, from })
  const hasNoPrice = context.rules.l2 !== undefined && unsigned.type >= 2
  return { raw: encodeBytes(unsigned.raw), tx: hasNoPrice ? { ...tx, gasPrice: null } : tx }
})

/** The block number is set only if there is a receipt: otherwise viem would report the transaction as replaced. */
export const eth_getTransactionByHash = read(params(parseHash), (context, hash) => {
  const { chain, pool } = context
  const inclusion = context.inclusionOf(hash)
  if (inclusion !== undefined) return encodeIncludedTransaction(inclusion.block, inclusion.index)
  const waiting = pool.get(hash) ?? chain.unsealed(hash)
  return waiting === undefined ? null : encodePooledTransaction(waiting)
})

export const [eth_getTransactionByBlockNumberAndIndex, eth_getTransactionByBlockHashAndIndex] = ofPlace(
  (block, index) => (index < transactionCount(block) ? encodeIncludedTransaction(block, index) : null),
)

/** Returns the included or waiting transaction. If cheats let the nonce be used again, returns the newest. */
export const eth_getTransactionBySenderAndNonce = read(
  params(parseAddress, parseUint64),
  ({ chain, pool, options }, sender, nonce) => {
    const waiting = pool.of(sender).find(({ transaction }) => transaction.nonce === nonce)
    if (waiting !== undefined) return encodePooledTransaction(waiting.transaction)
    for (const block of blocksBackwards(chain)) {
      const index = block.transactions.findLastIndex((one) => one.from === sender && one.nonce === nonce)
      if (index < 0) continue
      const isPlaced = options.receipts === 'preconfirmed' || block !== chain.preconfirmed?.block
      return isPlaced
        ? encodeIncludedTransaction(block, index)
        : encodePooledTransaction(block.transactions[index]!)
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

export const eth_getTransactionReceipt = read(params(parseHash), (context, hash) => {
  const inclusion = context.inclusionOf(hash)
  return inclusion === undefined ? null : encodeReceipt(inclusion.block, inclusion.index)
})

/** The maximum and default wait in milliseconds, as on Base. */
const MAX_WAIT_MS = 6_000

const parseWait: Parser<number> = (value, path) => {
  const ms = typeof value === 'string' && /^0x(0|[1-9a-f][0-9a-f]*)$/i.test(value) ? Number(value) : value
  if (typeof ms !== 'number' || !Number.isInteger(ms) || ms < 0 || ms > MAX_WAIT_MS) {
    throw new InvalidValue(path, `milliseconds to wait, from 0 to ${MAX_WAIT_MS}`, value)
  }
  return ms
}

export const eth_sendRawTransactionSync = send(
  params(parseRawTransaction, optional(parseWait)),
  (context, sent, waitMs) => receiptWithin(context, waitMs, () => submitSent(context, sent)),
)

/** Sends a transaction as `eth_sendTransaction` does. Returns its receipt, as in anvil. The timeout is optional. */
export const eth_sendTransactionSync = send.long(
  params(parseTransactionRequest, optional(parseWait)),
  (context, request, waitMs) => receiptWithin(context, waitMs, () => sendAllowed(context, request)),
)

async function receiptWithin(
  context: SendContext,
  waitMs: number | undefined = MAX_WAIT_MS,
  submit: () => Promise<Hash>,
): Promise<unknown> {
  const after = context.clock.timeSource.timer()
  const hash = await submit()
  const receipt = () => {
    const inclusion = context.inclusionOf(hash)
    return inclusion && encodeReceipt(inclusion.block, inclusion.index)
  }
  const there = receipt()
  if (there !== undefined) return there
  return new Promise((resolve, reject) => {
    const { listeners } = context
    const ends: (() => void)[] = []
    const settle = (outcome: () => void) => {
      for (const end of ends) end()
      outcome()
    }
    const look = () => {
      const found = receipt()
      if (found !== undefined) settle(() => resolve(found))
    }
    ends.push(
      listeners.on('preconfirmed', look),
      listeners.on('sealed', look),
      listeners.on('dropped', (transaction, reason) => {
        if (transaction.hash !== hash || (reason.kind === 'fault' && reason.lands === 'next')) return
        settle(() => reject(new Problem({ kind: 'droppedTransaction', hash, reason })))
      }),
      after(waitMs, () => settle(() => reject(new Problem({ kind: 'unconfirmed', hash, waitMs })))),
    )
  })
}
