/** The route in the address bar, as a signal. */
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

/** Goes to `href` within this page. `replace` replaces the current entry of the history. */
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

/** Shows the place of the current entry of the history. */
function moved(): void {
  const before = place.value
  come()
  place.value = addressBar.place()
  // A saved scroll position is restored when its content is there.
  if (pathIn(place.value) !== pathIn(before)) scrollTo(0, 0)
}

/** Changes the query; the value `undefined` removes a parameter. */
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

/** Follows links within this page without reloading it. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = (event.target as Element | null)?.closest?.('a[href]')
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return
  const within = /^#\w+$/.test(link.getAttribute('href')!) && document.querySelector<HTMLElement>(link.hash)
  if (within) {
    // Not by the address: in a report, routes stand after #.
    event.preventDefault()
    within.focus()
    return
  }
  const href = addressBar.hrefOf(link)
  if (href === undefined) return
  event.preventDefault()
  go(href)
}

/**
 * State of an entry in the tab's history: scroll position, state of lists, and the focused link. Going back restores it, as browsers do for
 * documents. It lives as long as the tab, and survives a reload.
 */
interface Visit {
  readonly y: number
  /** Values by name; JSON. */
  readonly values: Readonly<Record<string, unknown>>
  /** The link that was followed: its target, and its index among the links to that target. */
  readonly link?: { readonly href: string; readonly index: number } | undefined
}

const KEY = 'preseal-visits'
const MOST = 50
/** Restoring gives up after this time. */
const LONGEST_MS = 10_000
/** Content that loads above the restored position may still move it for this time. */
const SETTLES_MS = 1_000

const visits = new Map<string, Visit>(kept())
/** Callbacks that return the values to save, by name. */
const askers = new Map<string, () => unknown>()
let current = ''
/** Values saved on the last visit and not yet taken. */
let values: Record<string, unknown> = {}
let endRestoring = () => {}

history.scrollRestoration = 'manual'
addEventListener('pagehide', () => {
  leave()
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...visits]))
  } catch {
    // Storage is full or blocked: pages begin at the top.
  }
})
// A page from the back-forward cache still has its state: nothing is to be restored.
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

/** Returns the `history.state` of a new entry. */
function newVisit(): { readonly visit: string } {
  return { visit: String(performance.timeOrigin + performance.now()) }
}

/** Makes the history's current entry the current visit. */
function come(): void {
  if (typeof history.state?.visit !== 'string') history.replaceState(newVisit(), '')
  current = history.state.visit
  const visit = visits.get(current)
  values = { ...visit?.values }
  if (visit !== undefined) restore(visit)
}

/** Returns the value saved as `name`, once; `undefined` if there is none. */
export function takeKept(name: string): unknown {
  const value = values[name]
  delete values[name]
  return value
}

/** Saves the result of `ask` as `name` when the reader leaves. Returns a function that ends it. */
export function keepAs(name: string, ask: () => unknown): () => void {
  askers.set(name, ask)
  return () => {
    if (askers.get(name) === ask) askers.delete(name)
  }
}

/** Restores scroll position and focus as soon as the content has loaded, unless the reader acts first. */
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
  // By then the previous view is gone.
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

/** A signal whose value is restored when the reader comes back. The value is JSON; `name` is unique in the view. */
export function useKept<T>(name: string, initial: T): Signal<T> {
  const first = useMemo(() => (takeKept(name) as T | undefined) ?? initial, [])
  const value = useSignal(first)
  useEffect(() => keepAs(name, () => value.peek()), [name])
  return value
}
