/** For screen readers and keyboards: announcements, and where the focus goes when its element is removed. */
import { signal } from '@preact/signals'

const told = signal('')

/** Has `text` read out when the reader is idle. */
export function announce(text: string): void {
  // What is the same as before is not read out again.
  told.value = text === told.value ? `${text}\u00a0` : text
}

/** What is told stands here: once in the page. */
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

/** Moves the focus from an item of a list to the button of the next, of the one before, or to the heading of the section. */
export function leaveItem(item: Element): void {
  const beside = (item.nextElementSibling ?? item.previousElementSibling)?.querySelector('button')
  if (beside) beside.focus()
  else focusHeading(item)
}

/** Calls `focus` when what was changed is in the document. */
export function afterRender(focus: () => void): void {
  requestAnimationFrame(focus)
}
