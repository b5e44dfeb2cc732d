/** The reason why an included transaction failed, as text. */

import { toHex } from '../../bytes/hex.ts'
import { isMoment } from '../../chain/chain.ts'
import type { Inclusion } from '../../chain/moment.ts'
import { revertReason } from '../../model/execution/call.ts'
import { minimumGas } from '../../model/transaction/intrinsicGas.ts'
import type { WhyWaiting } from '../../sequencer/waiting.ts'
import type { ReadContext } from '../readContext.ts'
import { haltText } from './errors.ts'
import { rejection } from './refusals.ts'

/** Returns the reason of a failed transaction: the halt of the EVM, or the revert data, and their cause. */
export async function failureText(context: ReadContext, inclusion: Inclusion): Promise<string> {
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
export function tooEarlyText(context: ReadContext, { block, index }: Inclusion): string | undefined {
  const { failure } = block.receipts[index]!
  if (failure?.kind !== 'halt' || failure.reason !== 'outOfGas') return undefined
  const { hash, to, gasLimit, ...transaction } = block.transactions[index]!
  if (to === undefined) return undefined
  const least = minimumGas(context.evms.schedule.at(block.header), { ...transaction, to })
  if (gasLimit * MARGIN.per > least * MARGIN.of) return undefined
  const sent = context.timeline.of(hash).findLast(({ kind }) => kind === 'pooled')
  if (sent?.kind !== 'pooled') return undefined
  const then = context.chain.at({ kind: 'number', number: sent.latest })
  if (!isMoment(then) || then.state.code(to).length > 0) return undefined
  return (
    `its gas was estimated too early: when it was sent, latest was block ${sent.latest}, where ${to} had no code yet, ` +
    `and its gas limit of ${gasLimit} is enough for a plain transfer only. Estimate on pending, or wait until the ` +
    'deployment is sealed (receipts: "sealed" makes clients wait)'
  )
}

/** Returns the reason why the transaction waits, and the event that ends the wait. */
export function waitingText(why: WhyWaiting): string {
  switch (why.kind) {
    case 'hidden':
      return 'it is in the block under construction; a fault that was asked for hides that'
    case 'nonceGap':
      return `its nonce is ${why.got}, and one with nonce ${why.next} has to come first`
    case 'behind':
      return `${why.first.hash}, its sender’s with nonce ${why.first.nonce}, has to come first, and of that: ${waitingText(why.why)}`
    case 'feeTooLow':
      return `it offers ${why.maxFeePerGas} wei per gas, the base fee is ${why.baseFeePerGas}: it waits until that falls`
    case 'noGasLeft':
      return `it asks for ${why.gasLimit} gas, and ${why.left} are left in the block: it waits for the next`
    case 'impossible':
      return `it will be dropped: ${rejection(why.rejection)}`
    case 'nextSlice':
      return why.inMs === undefined
        ? `the next slice takes it in, and nothing happens under the rhythm ${why.rhythm} until somebody asks: devnet.tick(), devnet.mine(), evm_mine`
        : `the next slice takes it in, which falls due in ${Math.max(0, Math.round(why.inMs))} ms`
  }
}
