import { signal } from '@preact/signals'
import type { RpcBridge } from '../../wire/bridgeMessages.ts'
import type { RpcBlock } from '../../wire/encode.ts'
import { isReport } from '../environment.ts'
import { type SourceState, source } from '../source/source.ts'
import { bridge } from './bridge.ts'
import { Silence } from './connection.ts'
import { onEvents } from './events.ts'

export const connection = signal<SourceState>('connecting')
export const chainId = signal<number | undefined>(undefined)
export const head = signal<RpcBlock | undefined>(undefined)

const LOOK_MS = 1_000
const GIVE_UP_MS = 60_000

/** Pings the devnet by `/health`, because a JSON-RPC request would be recorded and might trigger a planned fault. */
const silence = new Silence(() =>
  fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(GIVE_UP_MS) }),
)

export const { isSilent } = silence

export function followHead(): void {
  const from = source()
  const ask = () => {
    void from.request<string>('eth_chainId').then((id) => {
      chainId.value = Number(id)
    }, ignore)
    void from.request<RpcBridge | null>('preseal_getBridge').then((found) => {
      bridge.value = found
    }, ignore)
    void from.request<RpcBlock>('eth_getBlockByNumber', ['latest', false]).then((block) => {
      head.value = block
    }, ignore)
  }
  from.state.subscribe((state) => {
    connection.value = state
    if (state === 'open') ask()
  })
  // Restoring a snapshot sends no `newHeads` notification, so events are observed too.
  onEvents((events) => {
    if (events.some(({ kind }) => kind === 'restored' || kind === 'cheatsChanged')) ask()
  })
  from.subscribe('newHeads', [], (header: RpcBlock) => {
    head.value = header
  })
  if (isReport) return
  from.onMessage(() => silence.hear())
  from.state.subscribe(() => silence.hear())
  setInterval(() => {
    if (!document.hidden && connection.peek() === 'open') silence.look()
  }, LOOK_MS)
}

function ignore(): void {}
