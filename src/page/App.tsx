import type { ComponentChildren } from 'preact'
import { useNames } from './accounts/names.ts'
import { isReadOnly, isReport } from './environment.ts'
import { bridge, otherEnd, pageOf } from './live/bridge.ts'
import { otherChain } from './live/chain.ts'
import { chainId, connection, head, isSilent } from './live/head.ts'
import { hrefOf, route } from './navigation.ts'
import { Announcer } from './parts/accessibility.tsx'
import { Logo, ThemeButton } from './parts/Brand.tsx'
import { BlockLink } from './parts/chain.tsx'
import { Button, HintText } from './parts/controls.tsx'
import { Search } from './parts/Search.tsx'
import { PLAIN, pathOf } from './routes.ts'
import type { SourceState } from './source/source.ts'
import { titleOf, View } from './views/View.tsx'
import './styles/tokens.css'
import './styles/base.css'
import './styles/parts.css'

const PLACES = (['now', ...PLAIN] as const).filter((view) => !isReadOnly || view !== 'controls')

export function App({ children }: { children?: ComponentChildren }) {
  useNames(pathOf(route.value))
  return (
    <>
      <a class="skip" href="#main">
        skip to content
      </a>
      {children}
      <header class="top">
        <a class="brand" href={hrefOf({ view: 'now' })}>
          <Logo /> preseal
        </a>
        <nav aria-label="views">
          {PLACES.filter((view) => view !== 'bridge' || bridge.value).map((view) => (
            <a
              key={view}
              href={hrefOf({ view })}
              aria-current={route.value.view === view ? 'page' : undefined}
            >
              {view[0]!.toUpperCase() + view.slice(1)}
            </a>
          ))}
        </nav>
        <Search />
        <Chain />
        <ThemeButton />
      </header>
      {connection.value === 'lost' && !isReport && (
        <p class="lost" role="alert">
          The connection to the devnet was lost. The page shows its last state, and reconnects by itself.
        </p>
      )}
      {isStanding() && (
        <p class="lost" role="alert">
          The devnet has not responded for some seconds: its process may be busy or paused at a breakpoint.
          The page shows its last state, and continues when the devnet responds.
        </p>
      )}
      {otherChain.value !== undefined && connection.value === 'open' && (
        <div class="other-chain" role="alert">
          <p>{otherChain.value} The events of the previous chain are cleared; links to it may not work.</p>
          <Button
            onClick={() => {
              otherChain.value = undefined
              document.getElementById('main')!.focus({ preventScroll: true })
            }}
            text="close"
          />
        </div>
      )}
      <main id="main" tabIndex={-1} aria-label={titleOf(route.value)}>
        <View route={route.value} />
      </main>
      <Announcer />
      <HintText />
    </>
  )
}

const isStanding = () => connection.value === 'open' && isSilent.value

const CONNECTION_WORDS: Readonly<Record<SourceState, string>> = {
  connecting: 'connecting',
  open: 'live',
  lost: 'connection lost',
}

function Chain() {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div class="chain" role="group" aria-label="chain">
      <span class={`connection connection-${isStanding() ? 'lost' : connection.value}`} role="status">
        {isReport ? 'recording' : isStanding() ? 'no answer' : CONNECTION_WORDS[connection.value]}
      </span>
      {chainId.value !== undefined && <span class="chain-id">chain {chainId.value}</span>}
      <OtherEnd />
      {head.value !== undefined && (
        <span>
          block <BlockLink id={head.value.number} />
        </span>
      )}
    </div>
  )
}

/** A link to the page of the L1 of this L2, or of the L2 of this L1. */
function OtherEnd() {
  if (!bridge.value) return null
  const other = otherEnd(bridge.value)
  const href = pageOf(other)
  return href && <a href={href}>its {other.toUpperCase()}</a>
}
