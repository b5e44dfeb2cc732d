/** Tables that scroll horizontally on narrow screens, and tables of which only the visible rows are in the document. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { keepAs, takeKept } from '../navigation.ts'
import { isPrinted } from '../theme.ts'
import { afterRender } from './accessibility.tsx'
import { topToSee, visibleRows } from './visibleRows.ts'
import './virtualRows.css'
import './wideTable.css'

export interface Column {
  readonly name: ComponentChildren
  /** The CSS width. Columns without a width share the remaining space. */
  readonly width?: string
  /** A class of the cells. `end`: right-aligned. `wide`: hidden on narrow screens. `wider`: hidden on tablets too. */
  readonly class?: string
}

interface VirtualRowsProps {
  label: string
  columns: readonly Column[]
  count: number
  row: (index: number) => readonly ComponentChildren[]
  /** Returns the key of a row. Default: its index. */
  keyOf?: (index: number) => string | number
  rowClass?: (index: number) => string | undefined
  rowRem?: number
  /** Where rows are added. With `above`, visible rows keep their position. */
  grows?: 'above' | 'below'
  onShown?: (first: number, end: number) => void
}

/** Scroll position and number of rows, saved in the history entry when the user leaves the view. */
interface Kept {
  readonly top: number
  readonly count: number
}

const MOVES: Readonly<Record<string, (at: number, count: number, page: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, count, page) => Math.min(count - 1, at + page),
  PageUp: (at, _, page) => Math.max(0, at - page),
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Maximum number of rows on paper when the page is printed. The first is the first visible row. */
export const MOST_PRINTED = 1_000

const LINKS = 'a, button, summary'

/** Renders the visible rows. Tab visits the links and buttons of one row. Arrow and paging keys move to another row. */
export function VirtualRows({
  label,
  columns,
  count,
  row,
  keyOf = (index) => index,
  rowClass,
  rowRem = 2,
  grows = 'below',
  onShown,
}: VirtualRowsProps) {
  const frame = useRef<HTMLElement>(null)
  /** The saved scroll position. `undefined` once it is restored. */
  const wanted = useRef(useMemo(() => takeKept(`rows ${label}`) as Kept | undefined, []))
  const top = useSignal(wanted.current?.top ?? 0)
  const seenPx = useSignal(600)
  const rowPx = useMemo(() => rowRem * rootPx(), [rowRem])
  const seen = visibleRows({ count, rowPx, seenPx: seenPx.value, top: top.value })
  const end = Math.min(count, seen.top + MOST_PRINTED)
  const shown = isPrinted() ? { ...seen, first: seen.top, end, abovePx: 0, belowPx: 0 } : seen
  const last = useRef<HTMLElement>(undefined)

  useLayoutEffect(() => {
    const element = frame.current!
    const observer = new ResizeObserver(() => {
      seenPx.value = element.clientHeight
    })
    // The observer measures before the browser paints, when the layout has been computed.
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const before = useRef(count)
  useLayoutEffect(() => {
    const added = count - before.current
    before.current = count
    const isRead = frame.current!.scrollTop > 0 || last.current === document.activeElement
    if (grows === 'above' && added > 0 && isRead) frame.current!.scrollTop += added * rowPx
  }, [count])

  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const { top: before, count: of } = wanted.current
    frame.current!.scrollTop = before + (grows === 'above' && before > 0 ? (count - of) * rowPx : 0)
    top.value = frame.current!.scrollTop
    // The saved position is kept until as many rows as before have loaded.
    if (count >= of) wanted.current = undefined
  }, [count])
  useEffect(
    () => keepAs(`rows ${label}`, () => ({ top: frame.current!.scrollTop, count: before.current })),
    [label],
  )

  useEffect(() => onShown?.(seen.first, seen.end), [seen.first, seen.end])

  useLayoutEffect(() => {
    if (last.current?.isConnected === false) {
      last.current = undefined
      if (document.activeElement === document.body) frame.current!.focus({ preventScroll: true })
    }
    orderTabs()
  })

  /** Makes Tab visit only one row: the row with the last focused link or, without one, the first visible row. */
  function orderTabs() {
    const element = frame.current!
    const own = last.current?.closest('tr') ?? element.querySelector(`tr[data-row="${shown.top}"]`)
    for (const link of element.querySelectorAll<HTMLElement>(`tbody :is(${LINKS})`)) {
      const order = own === null || own.contains(link) ? 0 : -1
      if (link.tabIndex !== order) link.tabIndex = order
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    const own = (event.target as Element).closest<HTMLElement>('tr[data-row]')
    if (own === null || event.ctrlKey || event.metaKey || event.altKey) return
    const element = frame.current!
    const page = Math.max(1, Math.floor(element.clientHeight / rowPx) - 2)
    const next = MOVES[event.key]?.(Number(own.dataset.row), count, page)
    if (next === undefined) return
    event.preventDefault()
    if (next < 0 || next >= count) return
    const column = (event.target as Element).closest('td')?.cellIndex ?? 0
    element.scrollTop = topToSee(next, {
      count,
      rowPx,
      seenPx: element.clientHeight - rowPx,
      top: element.scrollTop,
    })
    top.value = element.scrollTop
    // The row may not be rendered until the table has scrolled.
    afterRender(() => {
      const to = element.querySelector<HTMLTableRowElement>(`tr[data-row="${next}"]`)
      const link =
        to?.cells[column]?.querySelector<HTMLElement>(LINKS) ?? to?.querySelector<HTMLElement>(LINKS)
      ;(link ?? element).focus({ preventScroll: true })
    })
  }

  const rows = []
  for (let index = shown.first; index < shown.end; index++) {
    rows.push(
      <tr
        key={keyOf(index)}
        data-row={index}
        aria-rowindex={index + 2}
        class={rowClass?.(index)}
        style={{ height: `${rowPx}px` }}
      >
        {row(index).map((cell, column) => (
          <td key={column} class={columns[column]!.class}>
            {cell}
          </td>
        ))}
      </tr>,
    )
  }
  return (
    <section
      ref={frame}
      class="virtual"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable.
      tabIndex={0}
      onScroll={(event) => (top.value = event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onFocusIn={({ target }) => {
        if (target === frame.current) return
        last.current = target as HTMLElement
        orderTabs()
      }}
    >
      {/* The padding replaces the rows that are not rendered. */}
      <div style={{ paddingTop: `${shown.abovePx}px`, paddingBottom: `${shown.belowPx}px` }}>
        <table aria-label={label} aria-rowcount={count + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column, index) => (
                // When the page is printed, columns are as wide as their content.
                <th
                  key={index}
                  scope="col"
                  class={column.class}
                  style={{ width: isPrinted() ? undefined : column.width }}
                >
                  {column.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{rows}</tbody>
        </table>
      </div>
    </section>
  )
}

let knownRootPx: number | undefined

/** Returns the pixels of 1 rem. Measured only once, because measuring forces a layout. */
function rootPx(): number {
  knownRootPx ??= Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return knownRootPx
}

/** Scrolls its content horizontally on narrow screens. It can be focused, so that the keyboard scrolls it. */
export function WideTable({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable.
    <section class="wide-table" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

interface TableProps {
  label?: string
  class?: string
  columns: readonly Column[]
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

export function TableHead({ columns }: { columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column, i) => (
          <th key={i} scope="col" class={column.class}>
            {column.name}
          </th>
        ))}
      </tr>
    </thead>
  )
}
