/** The page's beginning. */
import { render } from 'preact'
import { App } from './App.tsx'
import { base, hasManyChains } from './environment.ts'
import { followChain } from './live/chain.ts'
import { followHead } from './live/head.ts'
import { followLinks, route } from './navigation.ts'
import { followHints } from './parts/Hint.tsx'
import { loadView, loadViews } from './views/View.tsx'
import './styles/tokens.css'
import './styles/base.css'
import './styles/parts.css'

/** When the views that are not shown are loaded. */
const OTHERS_AFTER_MS = 2_000

followHints()

const root = document.getElementById('page')!

if (hasManyChains && base === '') {
  const { ChainsPage } = await import('./views/chains/ChainsPage.tsx')
  render(<ChainsPage />, root)
} else {
  document.addEventListener('click', followLinks)
  followHead()
  followChain()
  loadView(route.value)
  // In a task of its own: to run the script is one already.
  setTimeout(() => render(<App />, root))
  // Behind what the first view asks and shows.
  setTimeout(() => void loadViews().then(() => import('./search.ts')), OTHERS_AFTER_MS)
}
