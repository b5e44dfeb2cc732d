/** A part of the view with a heading. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** `count` stands beside the title. */
export function Panel({
  title,
  count,
  class: name = '',
  children,
}: {
  title: ComponentChildren
  count?: ComponentChildren
  class?: string
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <section class={`panel ${name}`} aria-labelledby={id}>
      <h2 id={id}>
        {title} {count !== undefined && <span class="count">{count}</span>}
      </h2>
      {children}
    </section>
  )
}
