/** A part of the view with a heading. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { isReport } from '../../environment.ts'

/** `count` stands beside the title; with `rows` it is as high as that many, also while it has fewer. */
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
  // Where time stands, nothing shrinks.
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
