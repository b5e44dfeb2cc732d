import { toHex } from '../../bytes/hex.ts'
import { isMoment } from '../../chain/chain.ts'
import type { Inclusion } from '../../chain/moment.ts'
import { revertReason } from '../../model/execution/revertReason.ts'
import { minimumGas } from '../../model/transaction/intrinsicGas.ts'
import type { WhyWaiting } from '../../sequencer/waiting.ts'
import type { ReadContext } from '../readContext.ts'
import { haltText } from './errors.ts'
import { type ByKind, byKind, rejectionText } from './refusals.ts'

/**
 * Returns the reason why an included transaction failed: the halt of the EVM or the decoded revert data, and a hint
 * if there is one.
 */
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

/** A factor (3/2) above those by which clients increase an estimate: forge uses 1.3, others less. */
const MARGIN = { of: 3n, per: 2n }

/**
 * Returns a hint if a transaction ran out of gas because its gas was estimated too early. In this case the
 * recipient had no code at `latest` yet, and the gas limit is about that of a plain transfer with the same data.
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

export function waitingText(why: WhyWaiting): string {
  return byKind(WAITS, why)
}

const WAITS: ByKind<WhyWaiting, [], string> = {
  hidden: () => 'it is in the block under construction; a fault that was asked for hides that',
  nonceGap: ({ got, next }) => `its nonce is ${got}, and one with nonce ${next} has to come first`,
  behind: ({ first: { hash, nonce }, why }) =>
    `${hash}, its sender’s with nonce ${nonce}, has to come first, and of that: ${waitingText(why)}`,
  feeTooLow: ({ maxFeePerGas, baseFeePerGas }) =>
    `it offers ${maxFeePerGas} wei per gas, the base fee is ${baseFeePerGas}: it waits until that falls`,
  noGasLeft: ({ gasLimit, left }) =>
    `it asks for ${gasLimit} gas, and ${left} are left in the block: it waits for the next`,
  impossible: ({ rejection }) => `it will be dropped: ${rejectionText(rejection)}`,
  nextSlice: ({ inMs, rhythm }) =>
    inMs === undefined
      ? `the next slice takes it in, and nothing happens under the rhythm ${rhythm} until somebody asks: devnet.tick(), devnet.mine(), evm_mine`
      : `the next slice takes it in, which falls due in ${Math.max(0, Math.round(inMs))} ms`,
}
