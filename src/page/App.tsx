/** The frame of the page: what chain it shows, where one can go, and the view of the address bar. */
import { chainId, connection, head } from './live/head.ts'
import { hrefOf, route } from './navigation.ts'
import { BlockLink } from './parts/links.tsx'
import { Search } from './parts/Search.tsx'
import { ThemeButton } from './parts/ThemeButton.tsx'
import type { Route } from './routes.ts'
import { View } from './views/View.tsx'

const PLACES: readonly (readonly [name: string, to: Route])[] = [
  ['Now', { view: 'now' }],
  ['Blocks', { view: 'blocks' }],
  ['Contracts', { view: 'contracts' }],
  ['Logs', { view: 'logs' }],
  ['Controls', { view: 'controls' }],
  ['Console', { view: 'console' }],
]

export function App() {
  return (
    <>
      <a class="skip" href="#main">
        to the content
      </a>
      <header class="top">
        <a class="brand" href={hrefOf({ view: 'now' })}>
          preseal
        </a>
        <nav aria-label="views">
          {PLACES.map(([name, to]) => (
            <a key={name} href={hrefOf(to)} aria-current={route.value.view === to.view ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <Search />
        <Chain />
        <ThemeButton />
      </header>
      <main id="main" tabIndex={-1}>
        <View route={route.value} />
      </main>
    </>
  )
}

/** Which chain this is, its newest block, and whether the devnet is there. */
function Chain() {
  return (
    <div class="chain" role="status" aria-label="chain">
      <span class={`connection connection-${connection.value}`}>{connection.value}</span>
      {chainId.value !== undefined && <span>chain {chainId.value}</span>}
      {head.value !== undefined && (
        <span>
          block <BlockLink id={head.value.number} />
        </span>
      )}
    </div>
  )
}
