/** Addresses as EthereumJS holds them: objects around bytes, which know their text here once it was asked for. */
import { Address as AddressObject } from '@ethereumjs/util'
import { type Address, fromHex, toHex } from '../model/bytes/hex.ts'

/** The same object goes through all of a run, and is asked for its account again and again. */
interface Named extends AddressObject {
  text?: Address
}

/** `address` as EthereumJS holds it. */
export function addressObject(address: Address): AddressObject {
  const object: Named = new AddressObject(fromHex(address))
  object.text = address
  return object
}

/** The address that `object` stands for. */
export function addressOf(object: Named): Address {
  object.text ??= toHex(object.bytes)
  return object.text
}
