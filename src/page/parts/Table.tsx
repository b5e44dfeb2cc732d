/** A table that scrolls horizontally on narrow screens, and can be focused, so that the keyboard scrolls it. */
import type { ComponentChildren } from 'preact'
import './wideTable.css'

export function WideTable({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable.
    <section class="wide-table" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

interface DataTableProps extends TableHeadProps {
  label: string
  class: string
  children: ComponentChildren
}

export function DataTable({ label, class: name, children, ...head }: DataTableProps) {
  return (
    <WideTable label={label}>
      <table class={name}>
        <TableHead {...head} />
        <tbody>{children}</tbody>
      </table>
    </WideTable>
  )
}

interface TableHeadProps {
  names: readonly string[]
  numbers?: readonly string[]
  wide?: readonly string[]
}

/** The header row of a table: `names`, then right-aligned `numbers`. Narrow screens hide the columns in `wide`. */
export function TableHead({ names, numbers = [], wide = [] }: TableHeadProps) {
  const classOf = (...classes: readonly (string | false)[]) => classes.filter(Boolean).join(' ') || undefined
  return (
    <thead>
      <tr>
        {[...names, ...numbers].map((name, i) => (
          <th
            key={name}
            scope="col"
            class={classOf(i >= names.length && 'end', wide.includes(name) && 'wide')}
          >
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}
