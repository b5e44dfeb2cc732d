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

/** A column of a table. `end` in `class` aligns it right, `wide` hides it on narrow screens. */
export interface TableColumn {
  readonly name: string
  readonly class?: string
}

interface TableProps {
  label?: string
  class?: string
  columns: readonly TableColumn[]
  /** The cells of each row. */
  rows: readonly (readonly ComponentChildren[])[]
}

/** A table in a `WideTable`. */
export function DataTable({ label, ...table }: TableProps & { label: string }) {
  return (
    <WideTable label={label}>
      <Table label={label} {...table} />
    </WideTable>
  )
}

/** Rows are keyed by their index, because changing text is cheaper than moving rows. */
export function Table({ label, class: name, columns, rows }: TableProps) {
  return (
    <table class={name} aria-label={label}>
      <TableHead columns={columns} />
      <tbody>
        {rows.map((cells, i) => (
          <tr key={i}>
            {cells.map((cell, column) => (
              <td key={column} class={columns[column]!.class}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function TableHead({ columns }: { columns: readonly TableColumn[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.name} scope="col" class={column.class}>
            {column.name}
          </th>
        ))}
      </tr>
    </thead>
  )
}
