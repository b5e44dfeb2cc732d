/** A table that scrolls horizontally on narrow screens, also by keyboard. */
import type { ComponentChildren } from 'preact'
import './wideTable.css'

export function WideTable({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
    <section class="wide-table" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
