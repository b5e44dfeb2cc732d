/** A table of any number of rows of one height, of which only those are in the document that are seen. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { topToSee, visibleRows } from './visibleRows.ts'
import './virtualRows.css'

export interface Column {
  readonly name: ComponentChildren
  /** The width, as CSS has it; what is left is shared by the columns without. */
  readonly width?: string
  /** A class of the cells; `end` puts numbers to the right, `wide` is left out on narrow screens. */
  readonly class?: string
}

interface VirtualRowsProps {
  /** Names the table. */
  label: string
  columns: readonly Column[]
  count: number
  /** Returns the cells of a row: a child for each column. */
  row: (index: number) => readonly ComponentChildren[]
  /** Returns what stays the same when a row moves; the index by default. */
  keyOf?: (index: number) => string | number
  rowClass?: (index: number) => string | undefined
  /** The height of a row, in `rem`. */
  rowRem?: number
  /** Where new rows come: what is read stays where it is when they come above. */
  grows?: 'above' | 'below'
  /** Told which rows are shown, when that changes. */
  onShown?: (first: number, end: number) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * The list itself takes the focus, so that keys scroll it; with the focus in a row, the arrows up and down, Home and End go to
 * the link or button of another.
 */
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
  const top = useSignal(0)
  const seenPx = useSignal(600)
  const rowPx = useMemo(() => rowRem * rootPx(), [rowRem])
  const shown = visibleRows({ count, rowPx, seenPx: seenPx.value, top: top.value })

  useLayoutEffect(() => {
    const element = frame.current!
    const measure = () => {
      seenPx.value = element.clientHeight
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])

  const before = useRef(count)
  useLayoutEffect(() => {
    const added = count - before.current
    before.current = count
    if (grows === 'above' && added > 0 && frame.current!.scrollTop > 0)
      frame.current!.scrollTop += added * rowPx
  }, [count])

  useEffect(() => onShown?.(shown.first, shown.end), [shown.first, shown.end])

  function onKeyDown(event: KeyboardEvent) {
    const own = (event.target as Element).closest<HTMLElement>('tr[data-row]')
    if (own === null || event.ctrlKey || event.metaKey || event.altKey) return
    const index = Number(own.dataset.row)
    const step = STEPS[event.key]
    const next =
      step !== undefined
        ? index + step
        : event.key === 'Home'
          ? 0
          : event.key === 'End'
            ? count - 1
            : undefined
    if (next === undefined || next < 0 || next >= count) return
    event.preventDefault()
    const element = frame.current!
    element.scrollTop = topToSee(next, {
      count,
      rowPx,
      seenPx: element.clientHeight - rowPx,
      top: element.scrollTop,
    })
    top.value = element.scrollTop
    // The row may come into the document only with this scrolling.
    requestAnimationFrame(() =>
      element
        .querySelector<HTMLElement>(`tr[data-row="${next}"] :is(a, button)`)
        ?.focus({ preventScroll: true }),
    )
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
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
      tabIndex={0}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop
      }}
      onKeyDown={onKeyDown}
    >
      {/* The space of the rows that are not there. */}
      <div style={{ paddingTop: `${shown.abovePx}px`, paddingBottom: `${shown.belowPx}px` }}>
        <table aria-label={label} aria-rowcount={count + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column, index) => (
                <th key={index} scope="col" class={column.class} style={{ width: column.width }}>
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

/** Returns the pixels of a `rem`. */
function rootPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
