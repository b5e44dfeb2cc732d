/** The newest block, kept up to date. */
import { signal } from '@preact/signals'
import type { BlockAnswer } from '../source/answers.ts'
import { source } from '../source/index.ts'
import type { SourceState } from '../source/source.ts'
import { onEvents } from './events.ts'

export const connection = signal<SourceState>('connecting')
export const chainId = signal<number | undefined>(undefined)
/** The header of the newest sealed block. */
export const head = signal<BlockAnswer | undefined>(undefined)

/** Begins to follow the chain. */
export function followHead(): void {
  const from = source()
  const ask = () => {
    void from.request<string>('eth_chainId').then((id) => {
      chainId.value = Number(id)
    }, ignore)
    void from.request<BlockAnswer>('eth_getBlockByNumber', ['latest', false]).then((block) => {
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
  from.subscribe('newHeads', [], (header: BlockAnswer) => {
    head.value = header
  })
}

function ignore(): void {}
