import { counted } from '../../model/api/text.ts'
import { nameOf } from '../accounts/names.ts'
import { grouped, shortened, visible } from '../format.ts'
import type { State } from '../live/transactions.ts'
import { hrefOf } from '../navigation.ts'
import { Copy } from './Fields.tsx'

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

/** A link to a block that a reorg removed. Links by hash, because another block has its number now. */
export function RemovedBlockLink({ number, hash }: { number: number; hash: string }) {
  return (
    <del class="number">
      <a href={hrefOf({ view: 'block', id: hash })}>{number}</a>
    </del>
  )
}

/** A link to the list of `count` consecutive empty blocks, of which the newest has the number `newest`. */
export function EmptyBlocks({ newest, count }: { newest: number; count: number }) {
  const range = new URLSearchParams({ from: String(newest - count + 1), to: String(newest) })
  return <a href={hrefOf({ view: 'blocks' }, range)}>{counted(count, 'empty block', grouped(count))}</a>
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
