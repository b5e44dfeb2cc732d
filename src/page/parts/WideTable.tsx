/** A table that is scrolled sideways where the page is narrow, by keyboard too. */
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
