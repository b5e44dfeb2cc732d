/** The current route, and the state of history entries, which is restored when the user goes back. */
import { computed, type Signal, signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { addressBar } from './environment.ts'
import { pathOf, type Route, routeOf } from './routes.ts'

const place = signal(addressBar.place())

export const route = computed(() => routeOf(pathIn(place.value)))

export const query = computed(() => new URLSearchParams(place.value.split('?')[1] ?? ''))

export function hrefOf(to: Route, search?: URLSearchParams): string {
  const text = search?.toString()
  return addressBar.href(pathOf(to) + (text === undefined || text === '' ? '' : `?${text}`))
}

export function go(href: string, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(history.state, '', href)
    place.value = addressBar.place()
    return
  }
  leave()
  history.pushState(newVisit(), '', href)
  moved()
}

function moved(): void {
  const before = place.value
  come()
  place.value = addressBar.place()
  // `restore` scrolls to a saved scroll position once the content has loaded.
  if (pathIn(place.value) !== pathIn(before)) scrollTo(0, 0)
}

/** Changes query parameters in the address bar. `undefined` or an empty string removes a parameter. */
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

export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = (event.target as Element | null)?.closest?.('a[href]')
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return
  const within = /^#\w+$/.test(link.getAttribute('href')!) && document.querySelector<HTMLElement>(link.hash)
  if (within) {
    // The browser would change the fragment (`#…`), which contains the route in a report.
    event.preventDefault()
    within.focus()
    return
  }
  const href = addressBar.hrefOf(link)
  if (href === undefined) return
  event.preventDefault()
  go(href)
}

/** State of a history entry, restored when the user goes back to the entry. Stored until the tab is closed. */
interface Visit {
  readonly y: number
  readonly values: Readonly<Record<string, unknown>>
  /** The link that had the focus: its target, and its index among the links with this target. */
  readonly link?: { readonly href: string; readonly index: number } | undefined
}

const KEY = 'preseal-visits'
const MOST = 50
/** Maximum time to wait for the content of a restored entry. */
const LONGEST_MS = 10_000
/** Time during which the restored scroll position is maintained, because content above it may still load. */
const SETTLES_MS = 1_000

const visits = new Map<string, Visit>(kept())
const askers = new Map<string, () => unknown>()
let current = ''
/** Saved values of the current entry. `takeKept` removes each value that it returns. */
let values: Record<string, unknown> = {}
let endRestoring = () => {}

history.scrollRestoration = 'manual'
addEventListener('pagehide', () => {
  leave()
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...visits]))
  } catch {
    // If storage is full or blocked, a reload restores nothing.
  }
})
// A page from the browser's back-forward cache needs no restoring.
addEventListener('pageshow', ({ persisted }) => persisted && endRestoring())
addEventListener('popstate', () => {
  leave()
  moved()
})
come()

function leave(): void {
  endRestoring()
  const active = document.activeElement
  const href = active?.matches('main a[href]') ? active.getAttribute('href')! : undefined
  visits.delete(current)
  visits.set(current, {
    y: scrollY,
    values: Object.fromEntries([...askers].map(([name, ask]) => [name, ask()])),
    link: href === undefined ? undefined : { href, index: linksTo(href).indexOf(active as HTMLElement) },
  })
  for (const [oldest] of visits) {
    if (visits.size <= MOST) break
    visits.delete(oldest)
  }
}

/** Returns a `history.state` with a unique id for a new entry. */
function newVisit(): { readonly visit: string } {
  return { visit: String(performance.timeOrigin + performance.now()) }
}

function come(): void {
  if (typeof history.state?.visit !== 'string') history.replaceState(newVisit(), '')
  current = history.state.visit
  const visit = visits.get(current)
  values = { ...visit?.values }
  if (visit !== undefined) restore(visit)
}

/** Returns and removes the value saved as `name`. Returns `undefined` without such a value. */
export function takeKept(name: string): unknown {
  const value = values[name]
  delete values[name]
  return value
}

/** Saves the result of `ask` as `name` when the user leaves the history entry. Returns a function that cancels this. */
export function keepAs(name: string, ask: () => unknown): () => void {
  askers.set(name, ask)
  return () => {
    if (askers.get(name) === ask) askers.delete(name)
  }
}

/** Restores scroll position and focus when the content has loaded, unless the user scrolls, clicks or types before. */
function restore({ y, link }: Visit): void {
  if (y === 0 && link === undefined) return
  let isFocused = link === undefined
  let timer = setTimeout(end, LONGEST_MS)
  const attempt = () => {
    if (link !== undefined && !isFocused) {
      const element = linksTo(link.href)[link.index]
      isFocused = element !== undefined
      element?.focus({ preventScroll: true })
    }
    if (scrollY !== y) scrollTo(0, y)
    if (!isFocused || Math.abs(scrollY - y) > 1) return
    clearTimeout(timer)
    timer = setTimeout(end, SETTLES_MS)
  }
  const watch = new ResizeObserver(attempt)
  const rows = new MutationObserver(() => !isFocused && attempt())
  const acts = ['wheel', 'touchstart', 'pointerdown', 'keydown']
  function end() {
    clearTimeout(timer)
    watch.disconnect()
    rows.disconnect()
    for (const act of acts) removeEventListener(act, end, true)
    endRestoring = () => {}
  }
  endRestoring = end
  for (const act of acts) addEventListener(act, end, true)
  // One frame later, the previous view has been removed.
  requestAnimationFrame(() => {
    if (endRestoring !== end) return
    watch.observe(document.body)
    rows.observe(document.body, { childList: true, subtree: true })
  })
}

function linksTo(href: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`main a[href="${CSS.escape(href)}"]`)]
}

function kept(): [string, Visit][] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as [string, Visit][]
  } catch {
    return []
  }
}

/** Returns a signal that is restored when the user returns. Its value must be JSON, and `name` unique in the view. */
export function useKept<T>(name: string, initial: T): Signal<T> {
  const first = useMemo(() => (takeKept(name) as T | undefined) ?? initial, [])
  const value = useSignal(first)
  useEffect(() => keepAs(name, () => value.peek()), [name])
  return value
}
