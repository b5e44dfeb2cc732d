import { render } from 'preact'
import { App } from './App.tsx'
import { base, hasManyChains } from './environment.ts'
import { followChain } from './live/chain.ts'
import { followHead } from './live/head.ts'
import { followLinks, route } from './navigation.ts'
import { followHints } from './parts/Hint.tsx'
import { loadView, loadViews } from './views/View.tsx'

/** The other views are loaded after this time. */
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
  // In a separate task, to keep tasks short.
  setTimeout(() => render(<App />, root))
  // After the first view has been requested and rendered.
  const loadOthers = () => loadViews().then(() => import('./search.ts'))
  // A failure shows when the view or the search is used, which loads it again.
  setTimeout(() => void loadOthers().catch(() => {}), OTHERS_AFTER_MS)
}
