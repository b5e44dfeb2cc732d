/** The view of a route. */
import { useEffect } from 'preact/hooks'
import { Nothing } from '../parts/Answer.tsx'
import type { Route } from '../routes.ts'
import { AccountView } from './account/AccountView.tsx'
import { BlockView } from './block/BlockView.tsx'
import { BlocksView } from './blocks/BlocksView.tsx'
import { ConsoleView } from './console/ConsoleView.tsx'
import { ContractsView } from './contracts/ContractsView.tsx'
import { ControlsView } from './controls/ControlsView.tsx'
import { LogsView } from './logs/LogsView.tsx'
import { NowView } from './now/NowView.tsx'
import { TransactionView } from './transaction/TransactionView.tsx'

export function View({ route }: { route: Route }) {
  const title = titleOf(route)
  useEffect(() => {
    document.title = `${title} · preseal`
  }, [title])
  switch (route.view) {
    case 'now':
      return <NowView />
    case 'blocks':
      return <BlocksView />
    case 'block':
      return <BlockView key={route.id} id={route.id} />
    case 'transaction':
      return <TransactionView key={route.hash} hash={route.hash} />
    case 'contracts':
      return <ContractsView />
    case 'account':
      return <AccountView key={route.address} address={route.address} />
    case 'logs':
      return <LogsView />
    case 'controls':
      return <ControlsView />
    case 'console':
      return <ConsoleView />
    case 'unknown':
      return (
        <>
          <h1>Not found</h1>
          <Nothing>there is nothing at {route.path}</Nothing>
        </>
      )
  }
}

function titleOf(route: Route): string {
  switch (route.view) {
    case 'block':
      return `block ${route.id}`
    case 'transaction':
      return `transaction ${route.hash.slice(0, 10)}`
    case 'account':
      return `account ${route.address.slice(0, 10)}`
    default:
      return route.view
  }
}
