/** The block under construction. */

import { pace } from '../../live/chain.ts'
import { counted, type LiveBlock, type LiveSlice } from '../../live/rhythm.ts'
import { hrefOf } from '../../navigation.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { Wei } from '../../parts/amounts.tsx'
import { Field, Fields } from '../../parts/Fields.tsx'
import { GasBar } from '../../parts/GasBar.tsx'
import { isReport } from '../../served.ts'
import { Panel } from './Panel.tsx'

/** The newest slices that are shown one by one. */
const SLICES = 10

export function OpenBlock({ open }: { open: LiveBlock | undefined }) {
  if (open === undefined)
    return (
      <Panel title="Open block">
        <Nothing>
          {isReport ? 'no block was open' : 'no block is open: the next transaction or tick opens one'}
        </Nothing>
      </Panel>
    )
  const planned = plannedSlices(open.slices.length)
  return (
    <Panel title="Open block">
      <Fields>
        <Field name="number">
          <a class="number" href={hrefOf({ view: 'block', id: 'pending' })}>
            {open.number}
          </a>
        </Field>
        <Field name="gas">
          <GasBar used={open.gasUsed} limit={open.gasLimit} state="preconfirmed" />
        </Field>
        <Field name="transactions">
          <span class="number">{open.transactions}</span>
        </Field>
        {open.baseFeePerGas !== undefined && (
          <Field name="base fee">
            <Wei amount={`0x${open.baseFeePerGas.toString(16)}`} />
          </Field>
        )}
        <Field name="slices">
          <span class="number">{open.slices.length === 0 ? 'none yet' : open.slices.length}</span>
          {planned !== undefined && <span class="quiet"> of {planned}</span>}
        </Field>
      </Fields>
      <Slices slices={open.slices} planned={planned} />
    </Panel>
  )
}

/** Returns how many slices the open block will have by its rhythm; `undefined` where that is not known, or it has more already. */
function plannedSlices(count: number): number | undefined {
  const { rhythm, ticksPerBlock } = pace.value ?? { rhythm: 'manual', ticksPerBlock: 0 }
  return rhythm === 'interval' && ticksPerBlock >= Math.max(1, count) ? ticksPerBlock : undefined
}

function Slices({ slices, planned = 0 }: { slices: readonly LiveSlice[]; planned: number | undefined }) {
  const hidden = Math.max(0, slices.length - SLICES)
  const awaited = planned <= SLICES ? Math.max(0, planned - slices.length) : 0
  if (slices.length + awaited === 0) return null
  return (
    <ul class="slices" aria-label="slices">
      {hidden > 0 && <li class="nothing">{hidden} earlier</li>}
      {slices.slice(-SLICES).map(({ index, transactions, gasUsed }) => (
        <li key={index} title={`slice ${index}: ${counted(transactions, 'transaction')}, ${gasUsed} gas`}>
          <span class="slice-index">{index}</span>
          <span class="number">{transactions} tx</span>
        </li>
      ))}
      {Array.from({ length: awaited }, (_, i) => (
        <li key={`awaited ${i}`} class="slice-awaited" aria-hidden="true" />
      ))}
    </ul>
  )
}
