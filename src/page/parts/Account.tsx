import { named, nameOf } from '../accounts/names.ts'
import type { ContractsByAddress } from '../decode/contracts.ts'
import { visible } from '../format.ts'
import { AddressLink } from './links.tsx'
import { Text } from './Value.tsx'

interface AccountProps {
  address: string
  known: ContractsByAddress
  whole?: boolean
}

/** A link to an account. A name that `AddressLink` does not show, but `known` contains, precedes the link. */
export function Account({ address, known, whole = false }: AccountProps) {
  const isNamed = !whole && nameOf(address) !== undefined
  const name = isNamed ? undefined : known.get(address.toLowerCase())?.info.name
  return (
    <>
      {name && (
        <>
          <span class="contract-name">
            <Text limit={60}>{name}</Text>
          </span>{' '}
        </>
      )}
      <AddressLink address={address} whole={whole} />
    </>
  )
}

/** The `id` of the datalist, for the attribute `list` of an input. */
export const ADDRESSES = 'known-addresses'

export function KnownAddresses() {
  return (
    <datalist id={ADDRESSES}>
      {named.value.map(({ name, address }) => (
        <option key={`${name} ${address}`} value={address}>
          {visible(name, 60)}
        </option>
      ))}
    </datalist>
  )
}
