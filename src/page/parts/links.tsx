/** Links to blocks, transactions and accounts. */
import { shortened } from '../format.ts'
import { hrefOf } from '../navigation.ts'
import type { Route } from '../routes.ts'
import { Copy } from './Fields.tsx'

interface LinkProps {
  /** Whether to show all digits, with a copy button. */
  whole?: boolean
}

export function AddressLink({ address, ...props }: { address: string } & LinkProps) {
  return <IdLink {...props} to={{ view: 'account', address }} id={address} what="the address" />
}

export function TransactionLink({ hash, ...props }: { hash: string } & LinkProps) {
  return <IdLink {...props} to={{ view: 'transaction', hash }} id={hash} what="the hash" />
}

function IdLink({ to, id, what, whole = false }: LinkProps & { to: Route; id: string; what: string }) {
  return (
    <span class={whole ? 'id' : 'id short-id'}>
      <a href={hrefOf(to)} title={id}>
        {/* Decoded addresses are checksummed, those of responses are lower case. */}
        {whole ? id : shortened(id.toLowerCase())}
      </a>
      {whole && <Copy text={id} what={what} />}
    </span>
  )
}

/** `id`: the number or hash of a block, in hex. */
export function BlockLink({ id }: { id: string }) {
  const text = id.length === 66 ? shortened(id) : String(Number(id))
  return (
    <span class="id">
      <a href={hrefOf({ view: 'block', id: id.length === 66 ? id : text })}>{text}</a>
    </span>
  )
}

/** A block that a reorg removed is linked by its hash: its number belongs to another block now. */
export function RemovedBlockLink({ number, hash }: { number: number; hash: string | undefined }) {
  return (
    <del class="number">
      {hash === undefined ? number : <a href={hrefOf({ view: 'block', id: hash })}>{number}</a>}
    </del>
  )
}
