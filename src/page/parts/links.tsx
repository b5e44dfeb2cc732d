/** Links to what the page shows: blocks, transactions, accounts. */
import { shortened } from '../format.ts'
import { hrefOf } from '../navigation.ts'
import { Copy } from './Fields.tsx'

interface LinkProps {
  /** Shows all digits, and a button that copies them. */
  whole?: boolean
}

export function AddressLink({ address, whole = false }: { address: string } & LinkProps) {
  return (
    <span class={whole ? 'id' : 'id short-id'}>
      <a href={hrefOf({ view: 'account', address })} title={address}>
        {/* Values of contracts have capitals, answers of the devnet have none. */}
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

/** `id`: a number or a hash of a block, in hex. */
export function BlockLink({ id }: { id: string }) {
  const text = id.length === 66 ? shortened(id) : String(Number(id))
  return (
    <span class="id">
      <a href={hrefOf({ view: 'block', id: id.length === 66 ? id : text })}>{text}</a>
    </span>
  )
}

/** A block that a reorg removed: its number is that of another one now, its hash is its own. */
export function RemovedBlockLink({ number, hash }: { number: number; hash: string | undefined }) {
  return (
    <del class="number">
      {hash === undefined ? number : <a href={hrefOf({ view: 'block', id: hash })}>{number}</a>}
    </del>
  )
}
