/** Names and values, one below the other. */
import type { ComponentChildren } from 'preact'
import { Hint } from './Hint.tsx'

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
      <dt>{hint === undefined ? name : <Hint text={hint}>{name}</Hint>}</dt>
      <dd>{children}</dd>
    </div>
  )
}
