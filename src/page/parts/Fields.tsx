/** Names and values, one below the other. */
import type { ComponentChildren } from 'preact'

export function Fields({ children }: { children: ComponentChildren }) {
  return <dl class="fields">{children}</dl>
}

/** `hint` explains the name. */
export function Field({
  name,
  hint,
  children,
}: {
  name: string
  hint?: string
  children: ComponentChildren
}) {
  return (
    <div class="field">
      <dt title={hint}>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
