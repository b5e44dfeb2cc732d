import type { ComponentChildren } from 'preact'
import { absolute } from '../../format.ts'
import type { State } from '../../live/transactions.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { Reason } from '../../parts/Failure.tsx'
import { BlockLink } from '../../parts/links.tsx'
import { StateBadge } from '../../parts/StateBadge.tsx'
import type { Explained } from '../../source/requests.ts'
import type { Step } from './transaction.ts'

const STATES: Readonly<Record<Step['step'], State>> = {
  pooled: 'accepted',
  preconfirmed: 'preconfirmed',
  sealed: 'sealed',
  removed: 'reorged',
  dropped: 'dropped',
  safe: 'sealed',
  finalized: 'sealed',
}

export function Timeline({ steps, explained }: { steps: readonly Step[]; explained: Explained }) {
  if (steps.length === 0)
    return <Nothing>its timeline is no longer known: it was imported, or is too old</Nothing>
  const began = steps[0]!.time ?? 0
  return (
    <>
      <ol class="life">
        {steps.map((step, i) => (
          <li key={i} class={`life-${STATES[step.step]}`}>
            {step.step === 'safe' || step.step === 'finalized' ? (
              <span class="state state-sealed">{step.step}</span>
            ) : (
              <StateBadge state={STATES[step.step]} />
            )}{' '}
            {wordsOf(step)}
            {step.time !== undefined && (
              <span class="life-time">
                <time dateTime={absolute(step.time)}>{absolute(step.time)}</time>
                {i > 0 && <span class="quiet"> {after(step.time - began)}</span>}
              </span>
            )}
          </li>
        ))}
      </ol>
      {explained.status === 'preconfirmed' && (
        <p class="tx-reason">
          <Reason>{explained.reason}</Reason>
        </p>
      )}
    </>
  )
}

function wordsOf({ step, blockNumber, slice, transactionIndex, reason, since }: Step): ComponentChildren {
  const index = transactionIndex === undefined ? '' : `transaction ${Number(transactionIndex)}`
  switch (step) {
    case 'pooled':
      return 'added to the pool'
    case 'preconfirmed':
      return (
        <>
          in block <BlockLink id={blockNumber!} />, slice {Number(slice)}, {index}
        </>
      )
    case 'sealed':
      return (
        <>
          in block <BlockLink id={blockNumber!} />, {index}
        </>
      )
    case 'removed':
      return (
        <>
          with block <BlockLink id={blockNumber!} />, which another replaced
        </>
      )
    case 'dropped':
      return <Reason>{reason ?? ''}</Reason>
    case 'safe':
    case 'finalized':
      return (
        <>
          since block <BlockLink id={since!} />
        </>
      )
  }
}

/** Formats a delay, such as `+200 ms` or `+1.2 s`. */
function after(ms: number): string {
  return Math.abs(ms) < 1_000 ? `+${ms} ms` : `+${(ms / 1_000).toFixed(1)} s`
}
