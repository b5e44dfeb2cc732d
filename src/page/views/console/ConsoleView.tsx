import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { base, isReadOnly, isReport } from '../../environment.ts'
import type { Load } from '../../live/load.ts'
import { query, setQuery, useKept } from '../../navigation.ts'
import { Nothing, Problem } from '../../parts/Answer.tsx'
import { Button, Copy, TextField } from '../../parts/controls.tsx'
import { Json } from '../../parts/Value.tsx'
import { request } from '../../source/source.ts'
import {
  type Asking,
  asCurl,
  history,
  isReading,
  methodNamed,
  methodsWith,
  paramsOf,
  readingOnly,
  remember,
  TOPICS,
} from './requests.ts'
import './console.css'

const ALL = isReadOnly ? readingOnly() : TOPICS

export function ConsoleView() {
  const method = useKept('method', query.value.get('method') ?? 'eth_blockNumber')
  const params = useKept('params', query.value.get('params') ?? '')
  const outcome = useSignal<Load<Response> | undefined>(undefined)
  const asked = useSignal<readonly Asking[]>(history(sessionStorage))
  const field = useRef<HTMLTextAreaElement>(null)

  function choose(next: Asking): void {
    method.value = next.method
    params.value = next.params
    field.current?.focus()
  }

  async function send(event?: Event): Promise<void> {
    event?.preventDefault()
    const asking = { method: method.value.trim(), params: params.value }
    outcome.value = { state: 'loading' }
    try {
      const given = paramsOf(asking.params)
      if (isReadOnly && !isReading(asking.method)) {
        throw new Error(`this page is read-only, and ${asking.method} may change the chain`)
      }
      asked.value = remember(asking, sessionStorage)
      setQuery({ method: asking.method, params: asking.params })
      const startMs = performance.now()
      const result = await request(asking.method, given)
      outcome.value = { state: 'here', value: { result, ms: performance.now() - startMs } }
    } catch (error) {
      const isSyntax = error instanceof SyntaxError
      outcome.value = {
        state: 'failed',
        error: isSyntax ? new Error(`the parameters are not JSON: ${error.message}`) : (error as Error),
      }
    }
  }

  return (
    <>
      <h1>Console</h1>
      <div class="console">
        <section aria-labelledby="console-request">
          <h2 id="console-request">Request</h2>
          <form class="console-form" onSubmit={(event) => void send(event)}>
            <label>
              method
              <TextField name="method" of={method} />
            </label>
            <Meaning method={method.value} />
            <label>
              parameters, as JSON
              <textarea
                ref={field}
                name="params"
                rows={4}
                value={params.value}
                spellcheck={false}
                placeholder={'"0x…", "latest"'}
                onInput={({ currentTarget }) => (params.value = currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send(event)
                }}
              />
            </label>
            <div class="console-buttons">
              <Button type="submit" class="primary" text="send" />
              <span class="quiet">or Ctrl+Enter</span>
              <CurlButton asking={{ method: method.value.trim(), params: params.value }} />
            </div>
          </form>
          <h2>Response</h2>
          <Shown outcome={outcome.value} />
          <h2>History</h2>
          {asked.value.length === 0 ? (
            <Nothing>no requests in this tab yet</Nothing>
          ) : (
            <ul class="console-history">
              {asked.value.map((before) => (
                <li key={`${before.method} ${before.params}`}>
                  <button type="button" class="plain" onClick={() => choose(before)}>
                    {before.method} <span class="quiet">{before.params}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </section>
        <Methods choose={(name) => choose({ method: name, params: '' })} />
      </div>
    </>
  )
}

function Meaning({ method }: { method: string }) {
  const listed = methodNamed(method.trim())
  if (listed === undefined) return <p class="quiet">not a method of the devnet; its network may have it</p>
  return (
    <p class="quiet">
      {listed.meaning}. Parameters:{' '}
      {listed.parameters.length === 0 ? 'none' : <code>{listed.parameters.join(', ')}</code>}
    </p>
  )
}

function CurlButton({ asking }: { asking: Asking }) {
  // A report has no server that could receive requests.
  if (isReport) return null
  try {
    return (
      <span>
        copy as curl{' '}
        <Copy text={asCurl(location.origin + (base || '/'), asking)} what="the request as a curl command" />
      </span>
    )
  } catch {
    return null
  }
}

interface Response {
  readonly result: unknown
  readonly ms: number
}

function Shown({ outcome }: { outcome: Load<Response> | undefined }) {
  if (outcome === undefined) return <Nothing>no request yet</Nothing>
  if (outcome.state === 'loading') return <p role="status">waiting …</p>
  if (outcome.state === 'failed') {
    const data = (outcome.error as { data?: unknown }).data
    return (
      <>
        <Problem error={outcome.error} />
        {data !== undefined && <Json value={data} what="the data of the error" />}
      </>
    )
  }
  return (
    <>
      <p class="quiet" role="status">
        response after {outcome.value.ms.toFixed(1)} ms
      </p>
      <Json value={outcome.value.result} what="the result" />
    </>
  )
}

function Methods({ choose }: { choose: (name: string) => void }) {
  const wanted = useKept('wanted method', '')
  const topics = methodsWith(wanted.value, ALL)
  return (
    <section class="console-methods" aria-labelledby="console-methods">
      <h2 id="console-methods">Methods</h2>
      <label>
        find
        <TextField type="search" of={wanted} />
      </label>
      {topics.length === 0 && <Nothing>no matching methods</Nothing>}
      {topics.map(({ topic, methods }) => (
        <details key={topic} open={wanted.value !== ''}>
          <summary>
            {topic} <span class="quiet">{methods.length}</span>
          </summary>
          <ul>
            {methods.map(({ names, parameters, meaning }) => (
              <li key={names[0]}>
                <button type="button" class="plain" onClick={() => choose(names[0]!)}>
                  {names[0]}({parameters.join(', ')})
                </button>
                <p class="quiet">
                  {meaning}
                  {names.length > 1 && `; also ${names.slice(1).join(', ')}`}
                </p>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}
