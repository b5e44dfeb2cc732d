import { useEffect, useState } from 'preact/hooks'
import { isReadOnly } from '../../environment.ts'
import { relative } from '../../format.ts'
import { useLoad } from '../../live/load.ts'
import { Answer, Nothing } from '../../parts/Answer.tsx'
import { Announcer } from '../../parts/accessibility.tsx'
import { Logo, ThemeButton } from '../../parts/Brand.tsx'
import { Button, Copy, Hint, HintText } from '../../parts/controls.tsx'
import { TableHead, WideTable } from '../../parts/tables.tsx'
import { Text } from '../../parts/Value.tsx'
import './chains.css'

interface ChainAnswer {
  readonly name: string
  readonly path: string
  readonly l1?: string
  readonly from: string | null
  readonly rhythm: string
  readonly block: number
  readonly createdAt: string
  readonly requests: number
}

const RELOADED_EACH_MS = 2_000

const NAME = '[A-Za-z0-9_\\-][A-Za-z0-9_.\\-]{0,63}'

export function ChainsPage() {
  const [round, setRound] = useState(0)
  const asked = useLoad(listChains, [round])
  useEffect(() => {
    document.title = 'chains · preseal'
    const timer = setInterval(() => setRound((before) => before + 1), RELOADED_EACH_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <header class="top">
        <span class="brand">
          <Logo /> preseal
        </span>
        <ThemeButton />
      </header>
      <main id="main" tabIndex={-1}>
        <h1>Chains</h1>
        <p class="quiet">
          This port has many independent chains. JSON-RPC and page of a chain are at <code>/c/NAME</code>; the
          first request creates it.
        </p>
        <Answer asked={asked.value}>{(chains) => <Chains chains={chains} />}</Answer>
        {!isReadOnly && <Opening />}
      </main>
      <Announcer />
      <HintText />
    </>
  )
}

const NUMBERS = new Set(['block', 'requests'])
const COLUMNS = ['chain', 'block', 'rhythm', 'fork of', 'requests', 'created', 'JSON-RPC'].map((name) => ({
  name,
  class: NUMBERS.has(name) ? 'end' : '',
}))

function Chains({ chains }: { chains: readonly ChainAnswer[] }) {
  if (chains.length === 0) return <Nothing>no chains yet</Nothing>
  return (
    <WideTable label="chains">
      <table class="chains">
        <TableHead columns={COLUMNS} />
        <tbody>
          {chains.map(({ name, path, l1, from, rhythm, block, createdAt, requests }) => (
            <tr key={name}>
              <th scope="row" class="chain-name">
                <a href={path}>
                  <Text>{name}</Text>
                </a>
                {l1 !== undefined && (
                  <>
                    {' '}
                    <a href={l1} aria-label={`the L1 of ${name}`}>
                      L1
                    </a>
                  </>
                )}
              </th>
              <td class="end number chain-block">{block}</td>
              <td class="chain-rhythm">{rhythm}</td>
              <td class="chain-from">{from === null ? 'the base' : <Text>{from}</Text>}</td>
              <td class="end number chain-requests">{requests}</td>
              <td class="chain-made">
                <Hint text={createdAt}>
                  <time dateTime={createdAt}>{relative(Date.parse(createdAt), Date.now())}</time>
                </Hint>
              </td>
              <td class="chain-url">
                <Text>{location.origin + path}</Text>{' '}
                <Copy text={location.origin + path} what={`the URL of ${name}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}

function Opening() {
  return (
    <form
      class="opening"
      onSubmit={(event) => {
        event.preventDefault()
        const name = new FormData(event.currentTarget).get('name') as string
        location.assign(`/c/${encodeURIComponent(name)}`)
      }}
    >
      <label for="another-chain">another chain</label>
      <div class="opening-line">
        <input
          id="another-chain"
          name="name"
          required
          pattern={NAME}
          maxLength={64}
          title="letters, digits, _, - and dots"
          placeholder="name"
          autocomplete="off"
          spellcheck={false}
        />
        <Button type="submit" text="open" />
      </div>
      <p class="quiet">A chain that does not exist is created.</p>
    </form>
  )
}

async function listChains(): Promise<readonly ChainAnswer[]> {
  const answer = await fetch('/c', { headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error(`GET /c failed with ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { chains: readonly ChainAnswer[] }).chains
}
