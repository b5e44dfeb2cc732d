/** How full a block is. */
import { grouped } from '../format/quantity.ts'
import './gasBar.css'

/** The numbers stand beside the bar, in a table of many only the share. `state` is that of the block, and decides the colour. */
export function GasBar({
  used,
  limit,
  state,
  isShort = false,
}: {
  used: number
  limit: number
  state: FilledState
  isShort?: boolean
}) {
  return (
    <span class="gas" title={`${used} of ${limit} gas`}>
      <Bar share={shareOf(used, limit)} state={state} />
      {isShort ? (
        <span class="number">{percent(used, limit)}</span>
      ) : (
        <span>
          <span class="number">{grouped(used)}</span> of <span class="number">{grouped(limit)}</span>,{' '}
          <span class="number">{percent(used, limit)}</span>
        </span>
      )}
    </span>
  )
}

type FilledState = 'preconfirmed' | 'sealed'

/** A bar that is filled by a share from 0 to 1. Who does not see it reads the numbers beside it. */
export function Bar({ share, state }: { share: number; state: FilledState }) {
  return (
    <span class="gas-bar" aria-hidden="true">
      <span
        class={state === 'sealed' ? 'gas-used gas-sealed' : 'gas-used'}
        // Some of it is seen, however little it is.
        style={{ width: `${100 * Math.min(1, share)}%`, minWidth: share > 0 ? '2px' : undefined }}
      />
    </span>
  )
}

/** Returns the share of `limit` that was used, as people read it. */
export function percent(used: number, limit: number): string {
  const share = shareOf(used, limit)
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
}

function shareOf(used: number, limit: number): number {
  return limit === 0 ? 0 : used / limit
}
