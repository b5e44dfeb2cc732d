/** The route in the address bar, and the state of history entries, restored when the reader goes back. */
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
  // `restore` scrolls to a saved position once its content has loaded.
  if (pathIn(place.value) !== pathIn(before)) scrollTo(0, 0)
}

/** Changes query parameters; `undefined` or an empty value removes one. */
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
    // The browser would change the part after #, which is the route in a report.
    event.preventDefault()
    within.focus()
    return
  }
  const href = addressBar.hrefOf(link)
  if (href === undefined) return
  event.preventDefault()
  go(href)
}

/** State of a history entry, restored when the reader goes back to the entry. Kept until the tab is closed. */
interface Visit {
  readonly y: number
  readonly values: Readonly<Record<string, unknown>>
  /** The focused link: its target, and its index among the links to this target. */
  readonly link?: { readonly href: string; readonly index: number } | undefined
}

const KEY = 'preseal-visits'
const MOST = 50
/** Longest wait for the content of a restored entry. */
const LONGEST_MS = 10_000
/** Time for which the restored position is held, since content above may still load. */
const SETTLES_MS = 1_000

const visits = new Map<string, Visit>(kept())
const askers = new Map<string, () => unknown>()
let current = ''
/** Saved values of the current entry that `takeKept` has not returned yet. */
let values: Record<string, unknown> = {}
let endRestoring = () => {}

history.scrollRestoration = 'manual'
addEventListener('pagehide', () => {
  leave()
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...visits]))
  } catch {
    // Storage is full or blocked: nothing will be restored.
  }
})
// A page from the back-forward cache still has its state.
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

/** Returns a unique `history.state` for a new entry. */
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

/** Returns the value saved as `name`; `undefined` if there is none, or on a second call. */
export function takeKept(name: string): unknown {
  const value = values[name]
  delete values[name]
  return value
}

/** Saves the result of `ask` as `name` when the reader leaves the entry. Returns a function that stops this. */
export function keepAs(name: string, ask: () => unknown): () => void {
  askers.set(name, ask)
  return () => {
    if (askers.get(name) === ask) askers.delete(name)
  }
}

/** Restores scroll position and focus once the content has loaded, unless the reader acts first. */
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
  // The next frame no longer has the previous view.
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

/** Returns a signal whose value (JSON) is restored when the reader comes back. `name` is unique in the view. */
export function useKept<T>(name: string, initial: T): Signal<T> {
  const first = useMemo(() => (takeKept(name) as T | undefined) ?? initial, [])
  const value = useSignal(first)
  useEffect(() => keepAs(name, () => value.peek()), [name])
  return value
}
