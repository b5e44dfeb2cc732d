/** The page's beginning. */
import { render } from 'preact'
import { App } from './App.tsx'
import { followChain } from './live/chain.ts'
import { followHead } from './live/head.ts'
import { followLinks } from './navigation.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/parts.css'

document.addEventListener('click', followLinks)
followHead()
followChain()
render(<App />, document.getElementById('page')!)
