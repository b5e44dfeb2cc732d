/** What the colours and shapes of the line mean. */

import type { LiveState } from '../../live/transactions.ts'
import { STATE_WORDS } from '../../parts/StateBadge.tsx'
import { SHAPES } from '../../parts/stateShapes.ts'

const STATES: readonly LiveState[] = ['waiting', 'preconfirmed', 'sealed', 'dropped', 'reorged']

export function Legend() {
  return (
    <ul class="legend" aria-label="legend">
      {STATES.map((state) => (
        <li key={state}>
          <StateShape state={state} /> {STATE_WORDS[state]}
        </li>
      ))}
      <li class="legend-more">
        above: blocks, each as high as its slices filled it with gas; below: transactions, where they were
        accepted
      </li>
    </ul>
  )
}

/** The shape of a state in its colour. */
export function StateShape({ state }: { state: LiveState }) {
  const { path, isFilled } = SHAPES[state]
  return (
    <svg class={`shape shape-${state}`} viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">
      <path
        d={path}
        fill={isFilled ? 'currentColor' : 'none'}
        stroke={isFilled ? 'none' : 'currentColor'}
        stroke-width="0.4"
      />
    </svg>
  )
}
