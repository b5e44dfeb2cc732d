import { render } from 'preact'
import { App } from './App.tsx'
import { base, hasManyChains } from './environment.ts'
import { followChain } from './live/chain.ts'
import { followHead } from './live/head.ts'
import { followLinks, route } from './navigation.ts'
import { followCopies, followHints } from './parts/controls.tsx'
import { loadView, loadViews } from './views/View.tsx'

const OTHERS_AFTER_MS = 2_000

followHints()
followCopies()

const root = document.getElementById('page')!

if (hasManyChains && base === '') {
  const { ChainsPage } = await import('./views/chains/ChainsPage.tsx')
  render(<ChainsPage />, root)
} else {
  document.addEventListener('click', followLinks)
  followHead()
  followChain()
  loadView(route.value)
  // The page is rendered in a separate task, so that no task takes long.
  setTimeout(() => render(<App />, root))
  const loadOthers = () => loadViews().then(() => import('./search.ts'))
  // Errors are ignored: opening a view or the search later loads the module again and shows the error.
  setTimeout(() => void loadOthers().catch(() => {}), OTHERS_AFTER_MS)
}
