/** Formats each event as one JSON object per line. */

import type { Hash } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { pagePaths } from '../model/api/text.ts'
import { dropText } from '../rpc/errors/refusals.ts'
import { callsOf, describeTransaction } from './callTree.ts'
import { type LinkOptions, urlOf } from './links.ts'
import { failureReason, type Lines, nameOf, shortParams } from './textLines.ts'

/** Returns the formatters of JSON lines. `trace` adds each transaction's calls in geth's callTracer format. */
export function jsonLines(devnet: Devnet, trace: boolean, links: Pick<LinkOptions, 'pageUrl'>): Lines {
  const pageOf = (hash: Hash) => urlOf(links, pagePaths.transaction(hash))
  return {
    console: async (log) => [json({ event: 'console', ...log, name: await nameOf(devnet, log) })],

    async sealed({ block, state }) {
      const { header, hash, transactions, receipts } = block
      const included = await Promise.all(
        transactions.map(async (transaction, index) => {
          const { status, gasUsed } = receipts[index]!
          const what = await describeTransaction(devnet, transaction, receipts[index]!, state)
          return { hash: transaction.hash, status, gasUsed: Number(gasUsed), ...what }
        }),
      )
      const failed = await Promise.all(
        transactions.flatMap(({ hash }, index) => {
          const { status, failure } = receipts[index]!
          if (status === 'success') return []
          return failureReason(devnet, hash, failure).then(({ text, error, stackTrace }) => ({
            hash,
            reason: text,
            ...(error === undefined ? {} : { error: { name: error.name, args: error.args } }),
            stackTrace,
            page: pageOf(hash),
          }))
        }),
      )
      const sealed = {
        event: 'sealed',
        number: Number(header.number),
        hash,
        transactions: transactions.map((transaction) => transaction.hash),
        included,
        failed,
        gasUsed: Number(header.gasUsed),
        page: urlOf(links, pagePaths.block(hash)),
      }
      if (!trace || transactions.length === 0) return [json(sealed)]
      const calls = await callsOf(devnet, block)
      if (!Array.isArray(calls)) return [json(sealed), json({ event: 'notTraced', block: hash, ...calls })]
      const traces = calls.map((call, i) =>
        json({ event: 'trace', transaction: transactions[i]!.hash, call }),
      )
      return [json(sealed), ...traces]
    },

    dropped: ({ hash }, reason) => [
      json({ event: 'dropped', hash, reason: dropText(reason), page: pageOf(hash) }),
    ],

    request: ({ method, params }) => [json({ event: 'request', method, params: shortParams(params) })],

    refused: ({ code, message }, request, stackTrace) => [
      json({
        event: 'refused',
        method: request?.method,
        params: request && shortParams(request.params),
        code,
        message,
        stackTrace,
      }),
    ],

    reorged: (removed) => [json({ event: 'reorged', removed: removed.map(({ block }) => block.hash) })],
  }
}

/** Returns `value` as JSON. Bigints become decimal strings, because a JSON number would lose digits. */
function json(value: object): string {
  return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member))
}
