/** How full a block is. */
import { grouped } from '../format/quantity.ts'
import './gasBar.css'

/** The numbers stand beside the bar, in a table of many only the share. */
export function GasBar({ used, limit, isShort = false }: { used: number; limit: number; isShort?: boolean }) {
  return (
    <span class="gas" title={`${used} of ${limit} gas`}>
      <span class="gas-bar" aria-hidden="true">
        <span class="gas-used" style={{ width: `${100 * Math.min(1, shareOf(used, limit))}%` }} />
      </span>
      <span class="number">
        {isShort ? percent(used, limit) : `${grouped(used)} of ${grouped(limit)}, ${percent(used, limit)}`}
      </span>
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
