/** Whether the page is being printed: it is light then, and lists are whole. */
import { signal } from '@preact/signals'

const printed = signal(false)

/** Becomes true before the page is laid out for paper. */
export const isPrinted = (): boolean => printed.value

addEventListener('beforeprint', () => {
  printed.value = true
})
addEventListener('afterprint', () => {
  printed.value = false
})
