/** The addresses that have names, from which inputs let a reader choose. */
import { named } from '../accounts/names.ts'
import { visible } from '../format/untrusted.ts'

/** The `id` of the list: the `list` of an input. */
export const ADDRESSES = 'known-addresses'

/** The list: once in a view. */
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
