import { signal } from '@preact/signals'

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
