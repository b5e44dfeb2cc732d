/** The route in the address bar, as a signal. */
import { computed, type Signal, signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { addressBar } from './environment.ts'
import { pathOf, type Route, routeOf } from './routes.ts'

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

/**
 * What is kept of the places in the tab's history: how far each was scrolled, what its lists showed, and the link that had the focus. Who
 * goes back finds it as it was, as browsers do it for documents. It is kept for as long as the tab, also when the page is loaded again.
 */
interface Visit {
  readonly y: number
  /** By name, as JSON has it. */
  readonly values: Readonly<Record<string, unknown>>
  /** The link that was followed: what it links to, and which it is of those that link there. */
  readonly link?: { readonly href: string; readonly index: number } | undefined
}

const KEY = 'preseal-visits'
const MOST = 50
/** What comes later than that is not waited for. */
const LONGEST_MS = 10_000
/** What has been found may still move, as more comes above it. */
const SETTLES_MS = 1_000

const visits = new Map<string, Visit>(kept())
/** What is asked at the end of a visit, by name. */
const askers = new Map<string, () => unknown>()
let current = ''
/** What the place had when it was left, as far as nothing has taken it. */
let values: Record<string, unknown> = {}
let endRestoring = () => {}

keepVisits()
addEventListener('popstate', () => {
  leave()
  come()
  const before = place.value
  place.value = addressBar.place()
  // What is kept of the place is scrolled to when it is there.
  if (pathIn(place.value) !== pathIn(before)) scrollTo(0, 0)
})

/** Begins to keep, and restores what there is of the place of a page that was loaded again. */
function keepVisits(): void {
  history.scrollRestoration = 'manual'
  addEventListener('pagehide', () => {
    leave()
    try {
      sessionStorage.setItem(KEY, JSON.stringify([...visits]))
    } catch {
      // No room, or none at all: places begin at the top.
    }
  })
  // A page that was put by whole goes on as it is.
  addEventListener('pageshow', ({ persisted }) => persisted && endRestoring())
  come()
}

/** Keeps what the place has that is being left. */
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

/** Returns the state of the history's entry for a place that is new. */
function newVisit(): { readonly visit: string } {
  return { visit: String(performance.timeOrigin + performance.now()) }
}

/** Takes the place of the history's entry as the one where the reader is. */
function come(): void {
  if (typeof history.state?.visit !== 'string') history.replaceState(newVisit(), '')
  current = history.state.visit
  const visit = visits.get(current)
  values = { ...visit?.values }
  if (visit !== undefined) restore(visit)
}

/** Returns what `name` was when the place was left, once; `undefined` if nothing is kept. */
export function takeKept(name: string): unknown {
  const value = values[name]
  delete values[name]
  return value
}

/** Has `ask` asked for what is to be kept as `name`, when the place is left. Returns a function that ends it. */
export function keepAs(name: string, ask: () => unknown): () => void {
  askers.set(name, ask)
  return () => {
    if (askers.get(name) === ask) askers.delete(name)
  }
}

/** Scrolls to where the reader was, and moves the focus to the link, as soon as what was there has come; unless the reader goes on. */
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
  // The view that was left is gone by then.
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

/** As `useSignal`, of a value that JSON has. `name` is what it is called in its view. */
export function useKept<T>(name: string, initial: T): Signal<T> {
  const first = useMemo(() => (takeKept(name) as T | undefined) ?? initial, [])
  const value = useSignal(first)
  useEffect(() => keepAs(name, () => value.peek()), [name])
  return value
}
