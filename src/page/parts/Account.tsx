/** An account by the name of its contract. */
import type { ContractsByAddress } from '../decode/index.ts'
import { AddressLink } from './links.tsx'
import { Text } from './Text.tsx'

/** Shows the link to an account, after the name of the contract there if it is among `known`. */
export function Account({
  address,
  known,
  whole = false,
}: {
  address: string
  known: ContractsByAddress
  whole?: boolean
}) {
  const name = known.get(address.toLowerCase())?.info.name
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
