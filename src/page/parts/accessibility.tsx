import { signal } from '@preact/signals'

const told = signal('')

/** Makes screen readers read `text` when they are idle. */
export function announce(text: string): void {
  // The same text twice would not be read again.
  told.value = text === told.value ? `${text}\u00a0` : text
}

/** Renders the live region from which screen readers read announcements. The page contains it once. */
export function Announcer() {
  return (
    <p class="unseen" role="status">
      {told.value}
    </p>
  )
}

/** Moves the focus to the heading of the section around `element`. */
export function focusHeading(element: Element): void {
  const heading = element.closest('section')?.querySelector<HTMLElement>('h1, h2, h3')
  if (!heading) return
  heading.tabIndex = -1
  heading.addEventListener('blur', () => heading.removeAttribute('tabindex'), { once: true })
  heading.focus()
}

/** Moves the focus from a list item to the button of its neighbour, or to the heading of the section. */
export function leaveItem(item: Element): void {
  const beside = (item.nextElementSibling ?? item.previousElementSibling)?.querySelector('button')
  if (beside) beside.focus()
  else focusHeading(item)
}

/** Calls `focus` after the next rendering. */
export function afterRender(focus: () => void): void {
  requestAnimationFrame(focus)
}
