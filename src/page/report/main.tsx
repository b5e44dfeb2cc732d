/** The entry point of a report: renders the page and replays the recorded session. */
import { render } from 'preact'
import { App } from '../App.tsx'
import { followChain } from '../live/chain.ts'
import { followHead } from '../live/head.ts'
import { followLinks } from '../navigation.ts'
import { followCopies, followHints } from '../parts/controls.tsx'
import { setSource } from '../source/source.ts'
import { failureHere, TestFailed } from './Failure.tsx'
import { DevnetSource, playFor, Session, sessionHere } from './Session.tsx'

const source = new DevnetSource()
setSource(source)
document.addEventListener('click', followLinks)
followHints()
followCopies()
followHead()
followChain()
const failure = failureHere()
render(
  <App>
    {failure && <TestFailed failure={failure} />}
    <Session name={sessionHere().name} />
  </App>,
  document.getElementById('page')!,
)
void playFor(source)
