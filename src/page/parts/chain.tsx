/** Amounts and times of the chain, and links to its accounts, transactions and blocks. */
import { computed, signal } from '@preact/signals'
import { absolute, grouped, relative, shortened, visible, wei } from '../format.ts'
import { clock, pace } from '../live/chain.ts'
import './gasBar.css'
import { nameOf } from '../accounts/names.ts'
import type { State } from '../live/transactions.ts'
import { hrefOf } from '../navigation.ts'
import { Copy } from './controls.tsx'

const second = signal(0)
setInterval(() => {
  second.value++
}, 1_000)

/** The current time of the devnet. It may differ from real time or stand still. */
const now = computed(() => {
  void [second.value, pace.value]
  return clock.timeMs(performance.now()) ?? Date.now()
})

/** Shows an amount of wei in a suitable unit. A string is a hex quantity. */
export function Wei({ amount }: { amount: string | bigint }) {
  const value = BigInt(amount)
  return (
    <span class="number" title={`${value} wei`}>
      {wei(value)}
    </span>
  )
}

/** Shows an integer with grouped digits. A string is a hex quantity or a decimal number. */
export function Count({ value }: { value: string | number | bigint }) {
  const number = BigInt(value)
  return (
    <span class="number" title={String(number)}>
      {grouped(number)}
    </span>
  )
}

/** Shows a block timestamp, given in hex seconds, relative to the devnet's time. */
export function Time({ seconds }: { seconds: string }) {
  const then = Number(seconds) * 1_000
  return (
    <time dateTime={absolute(then)} title={absolute(then)}>
      {relative(then, now.value)}
    </time>
  )
}

interface GasBarProps {
  used: number
  limit: number
  state: FilledState
  isShort?: boolean
}

/** Shows used gas as a bar with numbers. `isShort` shows only the percentage. `state` decides the colour. */
export function GasBar({ used, limit, state, isShort = false }: GasBarProps) {
  return (
    <span class="gas" title={`${used} of ${limit} gas`}>
      <Bar share={shareOf(used, limit)} state={state} />
      {isShort ? (
        <span class="number">{percent(used, limit)}</span>
      ) : (
        <span>
          <span class="number">{grouped(used)}</span> of <span class="number">{grouped(limit)}</span>,{' '}
          <span class="number">{percent(used, limit)}</span>
        </span>
      )}
    </span>
  )
}

type FilledState = 'preconfirmed' | 'sealed'

/** A bar that is filled to `share`, from 0 to 1. Hidden from screen readers, because the numbers are beside it. */
export function Bar({ share, state }: { share: number; state: FilledState }) {
  return (
    <span class="gas-bar" aria-hidden="true">
      <span
        class={state === 'sealed' ? 'gas-used gas-sealed' : 'gas-used'}
        // A small share stays visible.
        style={{ width: `${100 * Math.min(1, share)}%`, minWidth: share > 0 ? '2px' : undefined }}
      />
    </span>
  )
}

/** Formats a share in percent, with one decimal below 10 %. */
export function percent(used: number, limit: number): string {
  const share = shareOf(used, limit)
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
}

function shareOf(used: number, limit: number): number {
  return limit === 0 ? 0 : used / limit
}

interface LinkProps {
  /** Whether to show all digits and a copy button. */
  whole?: boolean
}

/** A link to an account. It shows the account's name, if it has one, unless `isNamed` is false or `whole` is true. */
export function AddressLink({
  address,
  whole = false,
  isNamed = !whole,
}: { address: string; isNamed?: boolean } & LinkProps) {
  const name = isNamed ? nameOf(address) : undefined
  if (name !== undefined)
    return (
      <a class="contract-name" href={hrefOf({ view: 'account', address })} title={address}>
        {visible(name, 40)}
      </a>
    )
  return (
    <span class={whole ? 'id' : 'id short-id'}>
      <a href={hrefOf({ view: 'account', address })} title={address}>
        {/* Decoded addresses have a checksum, addresses in responses are in lower case. Both are shown alike. */}
        {whole ? address : shortened(address.toLowerCase())}
      </a>
      {whole && <Copy text={address} what="the address" />}
    </span>
  )
}

export function TransactionLink({ hash, whole = false }: { hash: string } & LinkProps) {
  return (
    <span class={whole ? 'id' : 'id short-id'}>
      <a href={hrefOf({ view: 'transaction', hash })} title={hash}>
        {whole ? hash : shortened(hash)}
      </a>
      {whole && <Copy text={hash} what="the hash" />}
    </span>
  )
}

/** A link to a block. `id` is its hash, or its number in hex. */
export function BlockLink({ id }: { id: string }) {
  const text = id.length === 66 ? shortened(id) : String(Number(id))
  return (
    <span class="id">
      <a href={hrefOf({ view: 'block', id: id.length === 66 ? id : text })}>{text}</a>
    </span>
  )
}

export const STATE_WORDS: Readonly<Record<State, string>> = {
  accepted: 'accepted',
  waiting: 'waiting',
  preconfirmed: 'pre-confirmed',
  sealed: 'sealed',
  failed: 'failed',
  dropped: 'dropped',
  reorged: 'reorganised away',
}

export function StateBadge({ state }: { state: State }) {
  return <span class={`state state-${state}`}>{STATE_WORDS[state]}</span>
}
