/** A value of a variable in storage, as `preseal_getStorage` has it. */
import { grouped, isAddress } from '../../format/quantity.ts'
import { Bytes } from '../../parts/Fields.tsx'
import { AddressLink } from '../../parts/links.tsx'
import { Text } from '../../parts/Value.tsx'
import '../../parts/value.css'

/** Characters of what has no form of its own. */
const MOST_JSON = 2_000

export function StoredValue({ type, value }: { type: string; value: unknown }) {
  if (typeof value === 'string') {
    if (isAddress(value)) return <AddressLink address={value.toLowerCase()} />
    // Of a dynamic array its length.
    if (type.endsWith('[]') && /^\d+$/.test(value)) return <Length count={BigInt(value)} />
    if (/^u?int/.test(type) && /^-?\d+$/.test(value)) return <Integer value={BigInt(value)} />
    if (/^0x[0-9a-f]*$/i.test(value) && type !== 'string') return <Bytes hex={value} what="the value" />
    return (
      <span class={type === 'string' ? 'string' : undefined}>
        <Text limit={500}>{value}</Text>
      </span>
    )
  }
  if (typeof value === 'number' && Number.isSafeInteger(value)) return <Integer value={value} />
  if (value === null || value === undefined) return <span class="quiet">not told</span>
  return (
    <code>
      <Text limit={MOST_JSON}>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</Text>
    </code>
  )
}

function Length({ count }: { count: bigint }) {
  return (
    <span class="quiet">
      {grouped(count)} {count === 1n ? 'item' : 'items'}
    </span>
  )
}

function Integer({ value }: { value: bigint | number }) {
  return (
    <span class="number" title={String(value)}>
      {grouped(value)}
    </span>
  )
}
