/** Sends a transaction and waits for its receipt (EIP-7966; CONTRACT 6). */

import type { Hash } from '../../bytes/hex.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { longMethod, method, params } from '../../rpc/method.ts'
import type { TimeSource } from '../../sequencer/clock.ts'
import { encodeReceipt } from '../../wire/encode.ts'
import { InvalidValue, optional, type Parser } from '../../wire/parser.ts'
import { parseRawTransaction } from '../../wire/rawTransaction.ts'
import { sendAllowed, submitSent } from './send.ts'
import { parseTransactionRequest } from './transactionRequest.ts'

/** The longest wait, and the default, in milliseconds: those of Base. */
const MAX_WAIT_MS = 6_000

const parseWait: Parser<number> = (value, path) => {
  const ms = typeof value === 'string' && /^0x(0|[1-9a-f][0-9a-f]*)$/i.test(value) ? Number(value) : value
  if (typeof ms !== 'number' || !Number.isInteger(ms) || ms < 0 || ms > MAX_WAIT_MS) {
    throw new InvalidValue(path, `milliseconds to wait, from 0 to ${MAX_WAIT_MS}`, value)
  }
  return ms
}

/**
 * Returns the receipt as soon as `eth_getTransactionReceipt` has it: when the transaction is pre-confirmed or sealed,
 * by the option `receipts`.
 */
export const eth_sendRawTransactionSync = method(
  params(parseRawTransaction, optional(parseWait)),
  async (context, sent, waitMs = MAX_WAIT_MS) => {
    const after = context.sequencer.clock.timeSource.timer()
    const hash = await submitSent(context, sent)
    return receiptWithin(context, hash, waitMs, after)
  },
)

/** Sends a transaction like `eth_sendTransaction` and returns its receipt, as in anvil. The timeout is optional. */
export const eth_sendTransactionSync = longMethod(
  params(parseTransactionRequest, optional(parseWait)),
  async (context, request, waitMs = MAX_WAIT_MS) => {
    const after = context.sequencer.clock.timeSource.timer()
    const hash = await sendAllowed(context, request)
    return receiptWithin(context, hash, waitMs, after)
  },
)

/** Resolves with the receipt of an accepted transaction as soon as it exists. */
function receiptWithin(
  context: RpcContext,
  hash: Hash,
  waitMs: number,
  after: ReturnType<TimeSource['timer']>,
): unknown {
  const receipt = () => {
    const inclusion = context.inclusionOf(hash)
    return inclusion && encodeReceipt(inclusion.block, inclusion.index)
  }
  const there = receipt()
  if (there !== undefined) return there
  return new Promise((resolve, reject) => {
    const { listeners } = context.sequencer
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
