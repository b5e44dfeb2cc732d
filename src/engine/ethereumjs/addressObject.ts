/** Addresses in EthereumJS's form: objects around bytes, which here cache their text. */
import { Address as AddressObject } from '@ethereumjs/util'
import { type Address, fromHex, toHex } from '../../bytes/hex.ts'

/** An address object with its text. The same object is used throughout a run, and its account is read repeatedly. */
interface Named extends AddressObject {
  text?: Address
}

/** Returns `address` in EthereumJS's form. */
export function addressObject(address: Address): AddressObject {
  const object: Named = new AddressObject(fromHex(address))
  object.text = address
  return object
}

/** Returns the address of `object`. */
export function addressOf(object: Named): Address {
  object.text ??= toHex(object.bytes)
  return object.text
}
