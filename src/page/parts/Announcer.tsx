/** Tells those who do not see the page that something was done: copied, taken back, shown. */
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
