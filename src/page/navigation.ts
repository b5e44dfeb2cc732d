/** The route in the address bar, as a signal. */
import { computed, signal } from '@preact/signals'
import { addressBar } from './place.ts'
import { pathOf, type Route, routeOf } from './routes.ts'
import { come, keepVisits, leave, newVisit } from './visits.ts'

const place = signal(addressBar.place())

/** What the page shows. */
export const route = computed(() => routeOf(pathIn(place.value)))

/** The query of the address bar. */
export const query = computed(() => new URLSearchParams(place.value.split('?')[1] ?? ''))

/** Returns the link to `to`. */
export function hrefOf(to: Route, search?: URLSearchParams): string {
  const text = search?.toString()
  return addressBar.href(pathOf(to) + (text === undefined || text === '' ? '' : `?${text}`))
}

/** Goes to `href`, of this page. With `replace` the place before is not kept in the history. */
export function go(href: string, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(history.state, '', href)
    place.value = addressBar.place()
    return
  }
  leave()
  history.pushState(newVisit(), '', href)
  const before = place.value
  come()
  place.value = addressBar.place()
  if (pathIn(place.value) !== pathIn(before)) scrollTo(0, 0)
}

/** Changes the query of the place; a value `undefined` removes its parameter. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const search = new URLSearchParams(query.value)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') search.delete(name)
    else search.set(name, value)
  }
  go(hrefOf(route.value, search), { replace: true })
}

function pathIn(text: string): string {
  return text.split('?')[0]!
}

keepVisits()
addEventListener('popstate', () => {
  leave()
  come()
  const before = place.value
  place.value = addressBar.place()
  // What is kept of the place is scrolled to when it is there.
  if (pathIn(place.value) !== pathIn(before)) scrollTo(0, 0)
})

/** Follows links of this page without loading it again. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = (event.target as Element | null)?.closest?.('a[href]')
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return
  const within = /^#\w+$/.test(link.getAttribute('href')!) && document.querySelector<HTMLElement>(link.hash)
  if (within) {
    // Not by the address: what stands behind # in a report is a place.
    event.preventDefault()
    within.focus()
    return
  }
  const href = addressBar.hrefOf(link)
  if (href === undefined) return
  event.preventDefault()
  go(href)
}
