/** The newest block, kept up to date. */
import { signal } from '@preact/signals'
import type { RpcBlock } from '../../wire/encode.ts'
import { isReport } from '../environment.ts'
import { type SourceState, source } from '../source/source.ts'
import { Silence } from './connection.ts'
import { onEvents } from './events.ts'

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
