/** The shape of a state in its colour: what the line draws, beside the word. */
import { type Look, SHAPES } from '../../parts/stateShapes.ts'

export function StateShape({ state }: { state: Look }) {
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
