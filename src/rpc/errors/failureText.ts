import { toHex } from '../../bytes/hex.ts'
import { isMoment } from '../../chain/chain.ts'
import type { Inclusion } from '../../chain/moment.ts'
import { revertReason } from '../../model/execution/revertReason.ts'
import { minimumGas } from '../../model/transaction/intrinsicGas.ts'
import type { WhyWaiting } from '../../sequencer/waiting.ts'
import type { ReadContext } from '../readContext.ts'
import { haltText } from './errors.ts'
import { type ByKind, byKind, rejectionText } from './refusals.ts'

/** Returns why an included transaction failed: the halt or the decoded revert data, and a hint if there is one. */
export async function failureText(context: ReadContext, inclusion: Inclusion): Promise<string> {
  const { failure } = inclusion.block.receipts[inclusion.index]!
  switch (failure?.kind) {
    case undefined:
      return 'the reason of the failure is not known'
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

/** 3/2 is more than the factor by which any client increases a gas estimate: forge uses 1.3, others less. */
const MARGIN = { of: 3n, per: 2n }

/** Returns a hint if a transaction ran out of gas because the gas was estimated before the recipient had code. */
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
  hidden: () => 'it is in the block under construction, which a planned fault hides',
  nonceGap: ({ got, next }) => `its nonce is ${got}; a transaction with nonce ${next} must be included first`,
  behind: ({ first: { hash, nonce }, why }) =>
    `${hash}, its sender’s with nonce ${nonce}, has to be included first, and that transaction waits, too: ${waitingText(why)}`,
  feeTooLow: ({ maxFeePerGas, baseFeePerGas }) =>
    `it offers ${maxFeePerGas} wei per gas, and the base fee is ${baseFeePerGas}: it waits until the base fee falls`,
  noGasLeft: ({ gasLimit, left }) =>
    `its gas limit is ${gasLimit}, and the block has ${left} gas left: it waits for the next block`,
  noBlobGasLeft: ({ want, left, limit }) =>
    `its data counts as ${want} blob gas, and the block has ${left} of ${limit} left: ` +
    (want > limit ? 'no block has room for it' : 'it waits for the next block'),
  impossible: ({ rejection }) => `it will be dropped: ${rejectionText(rejection)}`,
  nextSlice: ({ inMs, rhythm }) =>
    inMs === undefined
      ? `the next slice will include it; under the rhythm ${rhythm} a command makes slices: devnet.tick(), devnet.mine(), evm_mine`
      : `the next slice will include it, in ${Math.max(0, Math.round(inMs))} ms`,
}
