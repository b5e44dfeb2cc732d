/** The newest block, kept up to date. */
import { type Signal, signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { RpcBlock } from '../../wire/encode.ts'
import { isReport } from '../served.ts'
import { source } from '../source/socketSource.ts'
import type { SourceState } from '../source/source.ts'
import type { Asked } from './asked.ts'
import { onEvents } from './presealEvent.ts'
import { Silence } from './silence.ts'

export const connection = signal<SourceState>('connecting')
/** Whether nothing comes from the devnet, though it is connected. */
export const isSilent = signal(false)
export const chainId = signal<number | undefined>(undefined)
/** The header of the newest sealed block. */
export const head = signal<RpcBlock | undefined>(undefined)

const LOOK_MS = 1_000
/** What is not answered by then will not be. */
const GIVE_UP_MS = 60_000

/** Begins to follow the chain. */
export function followHead(): void {
  const from = source()
  const ask = () => {
    void from.request<string>('eth_chainId').then((id) => {
      chainId.value = Number(id)
    }, ignore)
    void from.request<RpcBlock>('eth_getBlockByNumber', ['latest', false]).then((block) => {
      head.value = block
    }, ignore)
  }
  from.onState((state) => {
    connection.value = state
    if (state === 'open') ask()
  })
  // A snapshot that is restored has no new head to tell of.
  onEvents((events) => {
    if (events.some(({ kind }) => kind === 'restored' || kind === 'cheatsChanged')) ask()
  })
  from.subscribe('newHeads', [], (header: RpcBlock) => {
    head.value = header
  })
  if (!isReport) followSilence()
}

/** Begins to look whether anything comes. What is asked is no JSON-RPC: no fault, recording or test has to do with it. */
function followSilence(): void {
  const silence = new Silence({
    ask: () => fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(GIVE_UP_MS) }),
    tell: (is) => {
      isSilent.value = is
    },
  })
  source().onMessage(() => silence.hear())
  source().onState(() => silence.hear())
  setInterval(() => {
    if (!document.hidden && connection.peek() === 'open') silence.look()
  }, LOOK_MS)
}

function ignore(): void {}

/** A question that took so long is asked again after a rest of so many times that. */
const REST = 3

/**
 * Asks when `keys` change, and once more when `changes` does. The answer before stays until the next is here. There is never more than one
 * question on its way, and the rest after each is the longer the longer its answer took: a page that follows does not keep the devnet busy.
 */
export function useFollowed<T>(
  ask: () => Promise<T>,
  keys: readonly unknown[],
  changes: number,
): Signal<Asked<T>> {
  const asked = useSignal<Asked<T>>({ state: 'loading' })
  const again = useRef<() => void>(() => {})
  const isFirst = useRef(true)
  useEffect(() => {
    let isOld = false
    let isBusy = false
    let isWanted = false
    async function run() {
      if (isBusy) {
        isWanted = true
        return
      }
      isBusy = true
      const began = performance.now()
      const next = await ask().then(
        (value): Asked<T> => ({ state: 'here', value }),
        (error: Error): Asked<T> => ({ state: 'failed', error }),
      )
      if (isOld) return
      asked.value = next
      await new Promise((done) => setTimeout(done, (performance.now() - began) * REST))
      isBusy = false
      if (!isWanted || isOld) return
      isWanted = false
      void run()
    }
    again.current = () => void run()
    isFirst.current = true
    void run()
    return () => {
      isOld = true
    }
  }, keys)
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else again.current()
  }, [changes, ...keys])
  return asked
}
