/** The way through pages of which each begins behind the one before. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

interface PagerProps<T> {
  /** Where the pages begin that were gone through: none for the first page, the shown one last. */
  places: Signal<readonly T[]>
  /** Where the next page begins; `null`: this is the last one. */
  next: T | null
  /** What the buttons say. */
  back?: string
  on?: string
  /** What stands before the buttons. */
  children?: ComponentChildren
}

/** Shows the buttons that go back and on. One that has no use at an end keeps the focus there. */
export function Pager<T>({ places, next, back = 'newer', on = 'older', children }: PagerProps<T>) {
  return (
    <p class="pager">
      {children}
      <button
        type="button"
        aria-disabled={places.value.length === 0}
        onClick={() => {
          places.value = places.value.slice(0, -1)
        }}
      >
        {back}
      </button>
      <button
        type="button"
        aria-disabled={next === null}
        onClick={() => {
          if (next !== null) places.value = [...places.value, next]
        }}
      >
        {on}
      </button>
    </p>
  )
}
