/** Reads the fields of an RLP-encoded transaction. Errors name the invalid field. */
import { type Address, type Hash, toHex, toQuantity } from '../../bytes/hex.ts'
import { type RlpValue, viewRlp } from '../../bytes/rlp.ts'
import type { AccessListItem, Authorization } from './transaction.ts'

/** Thrown for bytes that are not a transaction. `reason` completes the sentence "the transaction is malformed: …". */
export class MalformedTransaction extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`malformed transaction: ${reason}`)
    this.reason = reason
  }
}

/** Returns the fields of an RLP list. Byte strings are views of `bytes`. */
export function listOf(bytes: Uint8Array): RlpValue[] {
  let value: RlpValue
  try {
    value = viewRlp(bytes)
  } catch {
    throw new MalformedTransaction('not canonical RLP')
  }
  if (value instanceof Uint8Array) throw new MalformedTransaction('expected a list of fields, got bytes')
  return value
}

/** Returns a field as an integer. Throws if the field has leading zeros or more than `size` bytes. */
export function quantityOf(value: RlpValue | undefined, what: string, size = 32): bigint {
  if (!(value instanceof Uint8Array))
    throw new MalformedTransaction(`${what}: expected a quantity, got a list`)
  if (value.length > size) {
    throw new MalformedTransaction(`${what}: a quantity has at most ${size} bytes, got ${value.length}`)
  }
  if (value[0] === 0) throw new MalformedTransaction(`${what}: a quantity has no leading zero bytes`)
  return toQuantity(value)
}

function bytesOf(value: RlpValue | undefined, length: number, what: string): Uint8Array {
  if (!(value instanceof Uint8Array) || value.length !== length) {
    throw new MalformedTransaction(`${what}: expected ${length} bytes`)
  }
  return value
}

function itemsOf(value: RlpValue | undefined, what: string): RlpValue[] {
  if (!Array.isArray(value)) throw new MalformedTransaction(`${what}: expected a list`)
  return value
}

export class Fields {
  readonly #values: RlpValue[]

  constructor(values: RlpValue[]) {
    this.#values = values
  }

  quantity(index: number): bigint {
    return quantityOf(this.#values[index], `field ${index}`)
  }

  /** Returns a field of at most 64 bits, such as a nonce (EIP-2681) or a gas amount. */
  uint64(index: number): bigint {
    return quantityOf(this.#values[index], `field ${index}`, 8)
  }

  bytes(index: number): Uint8Array {
    const value = this.#values[index]
    if (!(value instanceof Uint8Array))
      throw new MalformedTransaction(`field ${index}: expected bytes, got a list`)
    return value
  }

  hash(index: number): Hash {
    return toHex(bytesOf(this.#values[index], 32, `field ${index}`))
  }

  address(index: number): Address {
    return toHex(bytesOf(this.#values[index], 20, `field ${index}`))
  }

  destination(index: number): Address | undefined {
    const value = this.bytes(index)
    if (value.length === 0) return undefined
    return toHex(bytesOf(value, 20, 'to'))
  }

  hashes(index: number): Hash[] {
    return itemsOf(this.#values[index], `field ${index}`).map((item) =>
      toHex(bytesOf(item, 32, 'versioned hash')),
    )
  }

  accessList(index: number): AccessListItem[] {
    return itemsOf(this.#values[index], 'access list').map((item) => {
      const fields = itemsOf(item, 'access list item')
      if (fields.length !== 2)
        throw new MalformedTransaction(`an access list item has 2 fields, got ${fields.length}`)
      const [address, keys] = fields
      return {
        address: toHex(bytesOf(address, 20, 'access list address')),
        storageKeys: itemsOf(keys, 'storage keys').map((key) => toHex(bytesOf(key, 32, 'storage key'))),
      }
    })
  }

  authorizationList(index: number): Authorization[] {
    return itemsOf(this.#values[index], 'authorization list').map((item) => {
      const tuple = itemsOf(item, 'authorization')
      if (tuple.length !== 6)
        throw new MalformedTransaction(`an authorization has 6 fields, got ${tuple.length}`)
      return {
        chainId: quantityOf(tuple[0], 'authorization chain id'),
        address: toHex(bytesOf(tuple[1], 20, 'authorization address')),
        // EIP-7702 limits nonce (8 bytes) and yParity (1 byte). A yParity above 1 invalidates only the authorization.
        nonce: quantityOf(tuple[2], 'authorization nonce', 8),
        yParity: Number(quantityOf(tuple[3], 'authorization yParity', 1)) as 0 | 1,
        r: quantityOf(tuple[4], 'authorization r'),
        s: quantityOf(tuple[5], 'authorization s'),
      }
    })
  }
}
