import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { isReport } from '../../environment.ts'
import type { LiveBlock } from '../../live/rhythm.ts'
import { hrefOf } from '../../navigation.ts'
import { Nothing } from '../../parts/Answer.tsx'
import { RemovedBlockLink } from '../../parts/links.tsx'
import { type Look, SHAPES } from './rhythmCanvas.ts'

interface PanelProps {
  title: ComponentChildren
  count?: ComponentChildren
  class?: string
  /** Minimum height, in rows. */
  rows?: number | undefined
  /** Shown instead of the children if the panel is empty. */
  nothing?: ComponentChildren
  children?: ComponentChildren
}

export function Panel({ title, count, class: name = '', rows, nothing, children }: PanelProps) {
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
        {title} {count !== undefined && <span class="count">{count}</span>}
      </h2>
      {nothing ? <Nothing>{nothing}</Nothing> : children}
    </section>
  )
}

export function Age({ ms, nowMs }: { ms: number; nowMs: number | undefined }) {
  const seconds = Math.max(0, ((nowMs ?? ms) - ms) / 1_000)
  const text =
    seconds < 100
      ? `${seconds.toFixed(1)} s`
      : seconds < 6_000
        ? `${Math.floor(seconds / 60)} min`
        : `${Math.floor(seconds / 3_600)} h`
  return <span class="number">{text}</span>
}

export function NumberLink({ block }: { block: Pick<LiveBlock, 'number' | 'hash' | 'removedMs'> }) {
  const { number, hash, removedMs } = block
  if (removedMs !== undefined) return <RemovedBlockLink number={number} hash={hash} />
  return (
    <a class="number" href={hrefOfBlock(number, hash === undefined)}>
      {number}
    </a>
  )
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
