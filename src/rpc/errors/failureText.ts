/** The reason why an included transaction failed, as text. */

import { toHex } from '../../bytes/hex.ts'
import { isMoment } from '../../chain/chain.ts'
import type { Inclusion } from '../../chain/moment.ts'
import { revertReason } from '../../model/execution/revertReason.ts'
import { minimumGas } from '../../model/transaction/intrinsicGas.ts'
import type { RpcContext } from '../context.ts'
import { haltText } from './halts.ts'

/** Returns the reason of a failed transaction: the halt of the EVM, or the revert data, and their cause. */
export async function failureText(context: RpcContext, inclusion: Inclusion): Promise<string> {
  const { failure } = inclusion.block.receipts[inclusion.index]!
  switch (failure?.kind) {
    case undefined:
      return 'what stopped it is not known'
    case 'halt': {
      const text = haltText(failure.reason as Parameters<typeof haltText>[0])
      const hint = tooEarlyText(context, inclusion)
      return hint === undefined ? text : `${text}; ${hint}`
    }
    case 'revert': {
      const said = revertReason(failure.data) ?? (await context.options.errorText(failure.data))
      if (said !== undefined) return `execution reverted: ${said}`
      return failure.data.length === 0
        ? 'execution reverted, and no reason was given'
        : `execution reverted with ${toHex(failure.data)}`
    }
  }
}

/** The largest factor by which clients raise an estimate: forge 1.3, others less. */
const MARGIN = { of: 3n, per: 2n }

/**
 * Returns a text if a transaction ran out of gas because its gas was estimated too early: when it was sent, `latest`
 * had no code at its recipient yet, and its gas limit is that of a plain transfer with its data. Otherwise
 * `undefined`.
 */
export function tooEarlyText(context: RpcContext, { block, index }: Inclusion): string | undefined {
  const { failure } = block.receipts[index]!
  if (failure?.kind !== 'halt' || failure.reason !== 'outOfGas') return undefined
  const { hash, to, gasLimit, ...transaction } = block.transactions[index]!
  if (to === undefined) return undefined
  const least = minimumGas(context.evms.schedule.at(block.header), { ...transaction, to })
  if (gasLimit * MARGIN.per > least * MARGIN.of) return undefined
  const sent = context.sequencer.timeline.of(hash).findLast(({ kind }) => kind === 'pooled')
  if (sent?.kind !== 'pooled') return undefined
  const then = context.chain.at({ kind: 'number', number: sent.latest })
  if (!isMoment(then) || then.state.code(to).length > 0) return undefined
  return (
    `its gas was estimated too early: when it was sent, latest was block ${sent.latest}, where ${to} had no code yet, ` +
    `and its gas limit of ${gasLimit} is enough for a plain transfer only. Estimate on pending, or wait until the ` +
    'deployment is sealed (receipts: "sealed" makes clients wait)'
  )
}
