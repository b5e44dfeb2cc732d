/** A button that shows more of a long list. */
import type { Signal } from '@preact/signals'
import { grouped } from '../format/quantity.ts'

/** Shows how many of `count` are not shown yet, if any, and adds `by` to `shown` when it is pressed. */
export function More({
  count,
  shown,
  by = 200,
  what,
}: {
  count: number
  shown: Signal<number>
  by?: number
  what: string
}) {
  if (count <= shown.value) return null
  return (
    <button
      type="button"
      onClick={() => {
        shown.value += by
      }}
    >
      {grouped(count - shown.value)} more {what}
    </button>
  )
}
