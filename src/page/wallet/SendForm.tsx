/** The end of a form that sends: who does, what it will cost, what it would return, and what became of it. */
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Codec } from '../../abi/codec.ts'
import { decodeResult } from '../decode/decode.ts'
import { type Asked, useAsked } from '../live/asked.ts'
import { Count } from '../parts/amounts.tsx'
import { Bytes } from '../parts/Bytes.tsx'
import { Failure } from '../parts/Failure.tsx'
import { Values } from '../parts/Value.tsx'
import type { Hex } from '../source/answers.ts'
import { source } from '../source/index.ts'
import { SenderChoice } from './SenderChoice.tsx'
import { SentTransaction } from './SentTransaction.tsx'
import { type Draft, estimated, type Sender, send, sender } from './sender.ts'
import './wallet.css'

/** Typing goes on for so long before anything is asked. */
const PAUSE_MS = 300
/** Transactions that were sent are shown until there are more. */
const MOST_SENT = 5

interface SendFormProps {
  /** What would be sent; `undefined` while something is missing or wrong. */
  draft: Draft | undefined
  codecs: readonly Codec[]
  /** Called when a reader wants to send what is not right yet. */
  onIncomplete: () => void
  /** Sends with this one, whoever was chosen. */
  from?: Sender | undefined
  verb?: string
  children?: ComponentChildren
}

export function SendForm({ draft, codecs, onIncomplete, from, verb = 'send', children }: SendFormProps) {
  const by = from ?? sender.value
  const sent = useSignal<readonly Hex[]>([])
  const error = useSignal<Error | undefined>(undefined)
  const simulated = useSignal<{ input: Hex; output: Hex } | undefined>(undefined)
  const isBusy = useSignal(false)

  async function run(event: Event, isReal: boolean) {
    event.preventDefault()
    if (draft === undefined || by === undefined) return onIncomplete()
    error.value = undefined
    simulated.value = undefined
    isBusy.value = true
    try {
      if (isReal) sent.value = [await send(by, draft), ...sent.value].slice(0, MOST_SENT)
      else {
        const call = [{ from: by.address, ...draft }, 'pending']
        simulated.value = { input: draft.data, output: await source().request<Hex>('eth_call', call) }
      }
    } catch (thrown) {
      error.value = thrown as Error
    } finally {
      isBusy.value = false
    }
  }
  return (
    <form class="send" onSubmit={(event) => void run(event, true)}>
      {children}
      {from === undefined && <SenderChoice />}
      <div class="send-buttons">
        <button type="button" disabled={isBusy.value} onClick={(event) => void run(event, false)}>
          simulate
        </button>
        <button type="submit" class="primary" disabled={isBusy.value}>
          {verb}
        </button>
        {draft !== undefined && by !== undefined && (
          <Estimate from={by.address} draft={draft} codecs={codecs} />
        )}
      </div>
      {error.value && <Failure error={error.value} codecs={codecs} />}
      {simulated.value && <Simulated {...simulated.value} codecs={codecs} />}
      {sent.value.map((hash) => (
        <SentTransaction key={hash} hash={hash} />
      ))}
    </form>
  )
}

interface EstimateProps {
  from: Hex
  draft: Draft
  codecs: readonly Codec[]
}

/** What was estimated of another draft is not shown: it would be taken for that of this one. */
function Estimate({ from, draft, codecs }: EstimateProps) {
  const later = useLater(draft)
  const key = textOf(draft)
  return key === textOf(later) ? (
    <Estimated key={`${from} ${key}`} from={from} draft={later} codecs={codecs} />
  ) : (
    <span class="quiet">estimating …</span>
  )
}

function textOf({ to, value, data }: Draft): string {
  return `${to} ${value} ${data}`
}

function Estimated({ from, draft, codecs }: EstimateProps) {
  const asked: Signal<Asked<Hex>> = useAsked(() => estimated(from, draft), [])
  switch (asked.value.state) {
    case 'loading':
      return <span class="quiet">estimating …</span>
    case 'here':
      return (
        <span class="quiet">
          about <Count value={asked.value.value} /> gas
        </span>
      )
    case 'failed':
      return (
        <div class="send-estimate">
          <span class="quiet">It would fail now:</span>
          <Failure error={asked.value.error} codecs={codecs} />
        </div>
      )
  }
}

/** Returns `value` as it was before the reader began to type. */
function useLater(value: Draft): Draft {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value.to, value.value, value.data])
  return later
}

function Simulated({ input, output, codecs }: { input: Hex; output: Hex; codecs: readonly Codec[] }) {
  const values = decodeResult(input, output, codecs)
  return (
    <div class="result" role="status">
      <p class="quiet">
        {output === '0x' ? 'It would succeed, and return nothing.' : 'It would succeed, and return:'}
      </p>
      {values === undefined
        ? output !== '0x' && <Bytes hex={output} what="the returned bytes" />
        : values.length > 0 && <Values values={values} />}
    </div>
  )
}
