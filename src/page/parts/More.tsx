/** A button that shows more of a long list. */
import { type Signal, useSignal } from '@preact/signals'
import { grouped } from '../format/quantity.ts'

const focused = (element: HTMLElement | null) => element?.focus()

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
  const wasPressed = useSignal(false)
  if (count <= shown.value) {
    // In the place of the button, which had the focus.
    return wasPressed.value ? (
      <span class="quiet" role="status" tabIndex={-1} ref={focused}>
        these are all {grouped(count)} {what}
      </span>
    ) : null
  }
  return (
    <button
      type="button"
      onClick={() => {
        wasPressed.value = true
        shown.value += by
      }}
    >
      {grouped(count - shown.value)} more {what}
    </button>
  )
}
