import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { isReport } from '../../environment.ts'
import { duration } from '../../format.ts'
import { change, clock } from '../../live/chain.ts'
import { hrefOf } from '../../navigation.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { type Look, SHAPES } from './rhythmCanvas.ts'

interface PanelProps {
  title: ComponentChildren
  /** The URL of the view that lists all items. The panel lists the newest items. */
  all?: string
  count?: ComponentChildren
  class?: string
  /** Minimum height, in rows. */
  rows?: number | undefined
  /** Shown instead of the children if the panel is empty. */
  nothing?: ComponentChildren
  children?: ComponentChildren
}

export function Panel({ title, all, count, class: name = '', rows, nothing, children }: PanelProps) {
  const id = useId()
  // A report needs no minimum height, because its lists never shrink.
  const kept = isReport ? undefined : rows
  return (
    <section
      class={`panel ${kept === undefined ? '' : 'steady'} ${name}`}
      style={kept === undefined ? undefined : { '--rows': kept }}
      aria-labelledby={id}
    >
      <h2 id={id}>
        {title} {all !== undefined && <a href={all}>all</a>}{' '}
        {count !== undefined && <span class="count">{count}</span>}
      </h2>
      {nothing ? <Nothing>{nothing}</Nothing> : children}
    </section>
  )
}

export function Age({ ms }: { ms: number }) {
  change.value
  return <span class="number">{duration(Math.max(0, (clock.nowMs(performance.now()) ?? ms) - ms))}</span>
}

export function hrefOfBlock(number: number, isOpen: boolean): string {
  return hrefOf({ view: 'block', id: isOpen ? 'pending' : String(number) })
}

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

/** Returns the result of `read`. While the view is paused, returns the last result before the pause. */
export function useUnpaused<T>(isPaused: Signal<boolean>, read: () => T): T {
  const last = useRef<T>(undefined)
  // Reading the signal makes the component render again when the chain changes.
  change.value
  const now = read()
  if (!isPaused.value) last.current = now
  last.current ??= now
  return last.current
}
