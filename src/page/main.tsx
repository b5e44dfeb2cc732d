/** The page's beginning. */
import { render } from 'preact'
import { App } from './App.tsx'
import { followChain } from './live/chain.ts'
import { followHead } from './live/head.ts'
import { followLinks } from './navigation.ts'
import { base } from './place.ts'
import { hasManyChains } from './served.ts'
import { ChainsPage } from './views/chains/ChainsPage.tsx'
import './styles/tokens.css'
import './styles/base.css'
import './styles/parts.css'

const root = document.getElementById('page')!

if (hasManyChains && base === '') render(<ChainsPage />, root)
else {
  document.addEventListener('click', followLinks)
  followHead()
  followChain()
  render(<App />, root)
}
