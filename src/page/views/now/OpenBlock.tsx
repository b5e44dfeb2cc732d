/** The block under construction. */

import type { LiveBlock, LiveSlice } from '../../live/rhythm.ts'
import { hrefOf } from '../../navigation.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { Wei } from '../../parts/amounts.tsx'
import { Field, Fields } from '../../parts/Fields.tsx'
import { GasBar } from '../../parts/GasBar.tsx'
import { Panel } from './Panel.tsx'

/** The newest slices that are shown one by one. */
const SLICES = 10

export function OpenBlock({ open }: { open: LiveBlock | undefined }) {
  if (open === undefined)
    return (
      <Panel title="Open block">
        <Nothing>no block is open: the next transaction or tick opens one</Nothing>
      </Panel>
    )
  return (
    <Panel title="Open block">
      <Fields>
        <Field name="number">
          <a class="number" href={hrefOf({ view: 'block', id: 'pending' })}>
            {open.number}
          </a>
        </Field>
        <Field name="gas">
          <GasBar used={open.gasUsed} limit={open.gasLimit} />
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
          <Slices slices={open.slices} />
        </Field>
      </Fields>
    </Panel>
  )
}

function Slices({ slices }: { slices: readonly LiveSlice[] }) {
  if (slices.length === 0) return <span class="nothing">none yet</span>
  const hidden = Math.max(0, slices.length - SLICES)
  return (
    <>
      <span class="number">{slices.length}</span>
      <ul class="slices" aria-label="slices">
        {hidden > 0 && <li class="nothing">{hidden} earlier</li>}
        {slices.slice(-SLICES).map(({ index, transactions, gasUsed }) => (
          <li key={index} title={`${gasUsed} gas`}>
            <span class="slice-index">{index}</span>
            <span class="number">{transactions} tx</span>
          </li>
        ))}
      </ul>
    </>
  )
}
