import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { isReport } from '../../environment.ts'

/** A section with a heading. `rows` is its minimum height. */
export function Panel({
  title,
  count,
  class: name = '',
  rows,
  children,
}: {
  title: ComponentChildren
  count?: ComponentChildren
  class?: string
  rows?: number | undefined
  children: ComponentChildren
}) {
  const id = useId()
  // In a report nothing shrinks.
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
      {children}
    </section>
  )
}
