/** The page at `/` of a port of many chains: those there are, and the way to each. */
import { useEffect, useState } from 'preact/hooks'
import { absolute } from '../../format/time.ts'
import { useAsked } from '../../live/asked.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Text } from '../../parts/Text.tsx'
import { isReadOnly } from '../../served.ts'
import { WideTable } from '../account/WideTable.tsx'
import './chains.css'

/** A chain in the answer of `GET /c`. */
interface ChainAnswer {
  readonly name: string
  readonly path: string
  readonly from: string | null
  readonly rhythm: string
  readonly block: number
  readonly createdAt: string
  readonly requests: number
}

/** The list is asked for again after that time. */
const AGAIN_MS = 2_000

/** What a chain may be called. */
const NAME = '[A-Za-z0-9_\\-][A-Za-z0-9_.\\-]{0,63}'

export function ChainsPage() {
  const [round, setRound] = useState(0)
  const asked = useAsked(listChains, [round])
  useEffect(() => {
    document.title = 'chains · preseal'
    const timer = setInterval(() => setRound((before) => before + 1), AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <header class="top">
        <span class="brand">preseal</span>
      </header>
      <main id="main" tabIndex={-1}>
        <h1>Chains</h1>
        <Answer asked={asked.value}>{(chains) => <Chains chains={chains} />}</Answer>
        {!isReadOnly && <Opening />}
      </main>
    </>
  )
}

function Chains({ chains }: { chains: readonly ChainAnswer[] }) {
  if (chains.length === 0) return <Nothing>there is no chain yet: each is made when it is asked for</Nothing>
  return (
    <WideTable label="chains">
      <table class="chains">
        <thead>
          <tr>
            <th scope="col">chain</th>
            <th scope="col">block</th>
            <th scope="col">rhythm</th>
            <th scope="col">fork of</th>
            <th scope="col">requests</th>
            <th scope="col">made</th>
          </tr>
        </thead>
        <tbody>
          {chains.map(({ name, path, from, rhythm, block, createdAt, requests }) => (
            <tr key={name}>
              <th scope="row">
                <a href={path}>
                  <Text>{name}</Text>
                </a>
              </th>
              <td class="number">{block}</td>
              <td>{rhythm}</td>
              <td>{from === null ? 'the base' : <Text>{from}</Text>}</td>
              <td class="number">{requests}</td>
              <td class="number">{absolute(Date.parse(createdAt))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}

/** Goes to a chain by its name, which makes it if there is none. */
function Opening() {
  const [name, setName] = useState('')
  return (
    <form
      class="opening"
      onSubmit={(event) => {
        event.preventDefault()
        location.assign(`/c/${encodeURIComponent(name)}`)
      }}
    >
      <label>
        another chain{' '}
        <input
          name="name"
          required
          pattern={NAME}
          maxLength={64}
          title="letters, digits, _, - and dots"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>{' '}
      <button type="submit">open</button>
    </form>
  )
}

async function listChains(): Promise<readonly ChainAnswer[]> {
  const answer = await fetch('/c', { headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error(`GET /c was answered with ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { chains: readonly ChainAnswer[] }).chains
}
