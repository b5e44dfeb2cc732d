/** Whether the page is as narrow as a phone: for what styles alone cannot decide. */
import { signal } from '@preact/signals'

const query = matchMedia('(max-width: 40rem)')

export const isNarrow = signal(query.matches)

query.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches
})
