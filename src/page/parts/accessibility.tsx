import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

const announcement = signal('')

/** Announces `text` to screen readers, which read it when they are idle. */
export function announce(text: string): void {
  // Screen readers ignore an unchanged text, so a repeated one gets a space at the end.
  announcement.value = text === announcement.value ? `${text}\u00a0` : text
}

/** The live region whose text screen readers announce. Must be rendered once. */
export function Announcer() {
  return (
    <p class="unseen" role="status">
      {announcement.value}
    </p>
  )
}

/** Focuses the heading of the section that contains `element`. */
export function focusHeading(element: Element): void {
  const heading = element.closest('section')?.querySelector<HTMLElement>('h1, h2, h3')
  if (!heading) return
  heading.tabIndex = -1
  heading.addEventListener('blur', () => heading.removeAttribute('tabindex'), { once: true })
  heading.focus()
}

/** Moves the focus from a list item to the button of a neighbouring item or, without one, to the section's heading. */
export function leaveItem(item: Element): void {
  const beside = (item.nextElementSibling ?? item.previousElementSibling)?.querySelector('button')
  if (beside) beside.focus()
  else focusHeading(item)
}

/** Calls `focus` in the next animation frame, when changed signals have been rendered. */
export function afterRender(focus: () => void): void {
  requestAnimationFrame(focus)
}

/** Calls `onKey` for each key without Ctrl, Meta or Alt that is pressed outside of form fields. */
export function useKeys(onKey: (event: KeyboardEvent, target: HTMLElement) => void): void {
  // This is a layout effect, so that the keys work before the first paint.
  useLayoutEffect(() => {
    const follow = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (!target.matches('input, textarea, select')) onKey(event, target)
    }
    addEventListener('keydown', follow)
    return () => removeEventListener('keydown', follow)
  })
}

/** Keeps the item that `selector` finds in the middle of a list that scrolls. `scrollIntoView` would scroll the page. */
export function useScrolledTo<List extends HTMLElement>(selector: string, keys: readonly unknown[]) {
  const list = useRef<List>(null)
  useEffect(() => {
    const element = list.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      const item = element.querySelector<HTMLElement>(selector)
      if (item) element.scrollLeft = item.offsetLeft - (element.clientWidth - item.offsetWidth) / 2
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, keys)
  return list
}
