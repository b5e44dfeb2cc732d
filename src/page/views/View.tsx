import { signal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { addressBar } from '../environment.ts'
import type { Load } from '../live/load.ts'
import { Answer } from '../parts/Answer.tsx'
import { Text } from '../parts/Value.tsx'
import { pathOf, type Route, wrongPath } from '../routes.ts'

const VIEWS: {
  readonly [Name in Exclude<Route['view'], 'unknown'>]: LazyView<Extract<Route, { view: Name }>>
} = {
  now: lazyView(async () => (await import('./now/NowView.tsx')).NowView),
  blocks: lazyView(async () => (await import('./blocks/BlocksView.tsx')).BlocksView),
  transactions: lazyView(async () => (await import('./transactions/TransactionsView.tsx')).TransactionsView),
  block: lazyView(async () => (await import('./block/BlockView.tsx')).BlockView),
  transaction: lazyView(async () => (await import('./transaction/TransactionView.tsx')).TransactionView),
  contracts: lazyView(async () => (await import('./contracts/ContractsView.tsx')).ContractsView),
  account: lazyView(async () => (await import('./account/AccountView.tsx')).AccountView),
  logs: lazyView(async () => (await import('./logs/LogsView.tsx')).LogsView),
  bridge: lazyView(async () => (await import('./bridge/BridgeView.tsx')).BridgeView),
  controls: lazyView(async () => (await import('./controls/ControlsView.tsx')).ControlsView),
  console: lazyView(async () => (await import('./console/ConsoleView.tsx')).ConsoleView),
}

export function View({ route }: { route: Route }) {
  const title = titleOf(route)
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    document.title = `${title} · preseal`
    // Focusing `main` makes screen readers read the title of the new view.
    if (!isFirst.current) document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    isFirst.current = false
  }, [pathOf(route)])
  if (route.view === 'unknown') return <NotFound path={route.path} />
  const { Show } = VIEWS[route.view] as LazyView<Route>
  return <Show route={route} />
}

function NotFound({ path }: { path: string }) {
  const { text, meant } = wrongPath(path)
  return (
    <>
      <h1>Not found</h1>
      <p class="not-found">
        <Text limit={400}>{text}</Text>.
      </p>
      {meant.length > 0 && (
        <p>
          Did you mean{' '}
          {meant.map(({ path, what }, i) => (
            <>
              {i > 0 && ' or '}
              <a key={path} href={addressBar.href(path)}>
                {what}
              </a>
            </>
          ))}
          ?
        </p>
      )}
    </>
  )
}

export function loadView({ view }: Route): void {
  if (view !== 'unknown') void VIEWS[view].load()
}

/** Loads all views while the browser is idle, so that they open immediately, even if the devnet has ended. */
export async function loadViews(): Promise<void> {
  for (const view of Object.values(VIEWS)) {
    await idle()
    await view.load()
  }
}

function idle(): Promise<unknown> {
  return new Promise((resolve) =>
    typeof requestIdleCallback === 'function' ? requestIdleCallback(resolve) : setTimeout(resolve, 200),
  )
}

export function titleOf(route: Route): string {
  switch (route.view) {
    case 'block':
      return `block ${route.id.slice(0, 15)}`
    case 'transaction':
      return `transaction ${route.hash.slice(0, 10)}`
    case 'account':
      return `account ${route.address.slice(0, 10)}`
    case 'unknown':
      return 'not found'
    default:
      return route.view
  }
}

interface LazyView<Props> {
  /** Loads the view's module once, or again after a failure. Never rejects, because `Show` shows the error. */
  load(): Promise<void>
  readonly Show: FunctionComponent<{ route: Route & Props }>
}

function lazyView<Props extends object>(load: () => Promise<FunctionComponent<Props>>): LazyView<Props> {
  const component = signal<Load<FunctionComponent<Props>>>({ state: 'loading' })
  let isAsked = false
  const view: LazyView<Props> = {
    async load() {
      if (isAsked) return
      isAsked = true
      try {
        component.value = { state: 'here', value: await load() }
      } catch (cause) {
        isAsked = false
        const text = 'the view could not be loaded: reload the page, the devnet may run another version'
        component.value = { state: 'failed', error: new Error(text, { cause }) }
      }
    },
    Show({ route }) {
      // The view is loaded only at mount. Otherwise, each rendering after a failure would load it again.
      useMemo(() => void view.load(), [])
      // The key creates a new component for each block, transaction and account.
      return <Answer asked={component.value}>{(Loaded) => <Loaded key={pathOf(route)} {...route} />}</Answer>
    },
  }
  return view
}
