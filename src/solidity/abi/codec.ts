/** Encodes and decodes by an ABI. The only file that imports `ox`, the package that viem uses for this. */
import { from as parseAbi } from 'ox/Abi'
import { getSignature, getSignatureHash } from 'ox/AbiItem'
import { decode, encode } from 'ox/AbiParameters'
import { validate } from 'ox/Address'
import { keccak256 } from 'ox/Hash'
import type { Hash, Hex } from '../../bytes/hex.ts'
import type { Abi, Contract } from './contract.ts'
import { type Decoded, described, describedResult, type Parameter } from './decoded.ts'

/** A function, event or error of an ABI, or its constructor. */
export interface Item {
  readonly type: string
  readonly name?: string
  readonly inputs?: readonly Parameter[]
  readonly outputs?: readonly Parameter[]
  readonly stateMutability?: string | undefined
}

const codecs = new WeakMap<Contract, Codec>()

/** Returns the codec of the contract's ABI, which is made at the first call and kept. */
export function codecOf(contract: Contract): Codec {
  const codec = codecs.get(contract) ?? new Codec(contract.abi)
  codecs.set(contract, codec)
  return codec
}

/** Decodes by one ABI. Its methods return `undefined` for bytes that do not fit the ABI. */
export class Codec {
  /** The items by their type and the selector or topic that their bytes begin with. */
  readonly #items = new Map<string, Item[]>()

  constructor(abi: Abi) {
    for (const item of itemsOf(abi)) {
      if (!ITEMS.has(item.type)) continue
      const hash = attempt(() => getSignatureHash(item as never))
      if (hash === undefined) continue
      const key = keyOf(item.type, item.type === 'event' ? hash : hash.slice(0, SELECTOR))
      this.#items.set(key, [...(this.#items.get(key) ?? []), item])
    }
  }

  call(input: Hex): Decoded | undefined {
    return this.#decode('function', input)
  }

  /** Returns the signature of the function with this selector, such as `transfer(address,uint256)`. */
  signature(selector: Hex): string | undefined {
    const [item] = this.find('function', selector)
    return item && signatureOf(item)
  }

  /** Returns the values that the function called by `input` returned. */
  result(input: Hex, output: Hex): Decoded | undefined {
    const [item] = this.find('function', input.slice(0, SELECTOR))
    if (item === undefined) return undefined
    const values = valuesOf(item.outputs, output)
    return values && describedResult(item.outputs ?? [], values)
  }

  error(data: Hex): Decoded | undefined {
    return this.#decode('error', data)
  }

  event([hash = '0x', ...topics]: readonly Hash[], data: Hex): Decoded | undefined {
    for (const { name = '', inputs = [] } of this.find('event', hash)) {
      const values = eventValues(inputs, topics, data)
      if (values !== undefined) return described(name, inputs, values)
    }
    return undefined
  }

  /** Returns the items of a type whose bytes begin with this selector, or whose event has this topic. */
  find(type: 'function' | 'error' | 'event', beginning: string): readonly Item[] {
    return this.#items.get(keyOf(type, beginning)) ?? []
  }

  /** Returns all items of a type. */
  all(type: 'function' | 'error' | 'event'): readonly Item[] {
    return [...this.#items.values()].flat().filter((item) => item.type === type)
  }

  #decode(type: 'function' | 'error', bytes: Hex): Decoded | undefined {
    const [item] = this.find(type, bytes.slice(0, SELECTOR))
    if (item === undefined) return undefined
    const values = valuesOf(item.inputs, `0x${bytes.slice(SELECTOR)}`)
    return values && described(item.name ?? '', item.inputs ?? [], values)
  }
}

/** Characters of a selector in hex: `0x` and four bytes. */
const SELECTOR = 10

function keyOf(type: string, beginning: string): string {
  return `${type} ${beginning}`
}

/** Returns the items of an ABI; parses those that are written as lines. */
export function itemsOf(abi: Abi): readonly Item[] {
  const lines = abi.filter((item) => typeof item === 'string')
  const items = abi.filter((item) => typeof item !== 'string') as Item[]
  const parsed = lines.length === 0 ? [] : (parseAbi(lines) as readonly Item[])
  return [...items, ...parsed]
}

/** Returns the signature of an item, such as `transfer(address,uint256)`. */
export function signatureOf(item: Item): string {
  return getSignature(item as never)
}

/** Returns the selector of a function: the first four bytes of its calldata. */
export function selectorOf(item: Item): Hex {
  return getSignatureHash(item as never).slice(0, SELECTOR) as Hex
}

/** Returns the first topic of an event that is not anonymous: the hash of its signature. */
export function topicOf(item: Item): Hash {
  return getSignatureHash(item as never)
}

/** Encodes `values`. They must fit `parameters`; this is not checked. */
export function encodeValues(parameters: readonly Parameter[], values: readonly unknown[]): Hex {
  return encode(parameters as never, values as never)
}

/** Returns the keccak-256 hash of `bytes`, without WebAssembly. */
export function hashOf(bytes: Hex): Hash {
  return keccak256(bytes)
}

/** Returns whether the capitals of an address are its checksum (EIP-55), or it has none. */
export function hasRightChecksum(address: string): boolean {
  return validate(address)
}

const ITEMS: ReadonlySet<string> = new Set(['function', 'event', 'error'])

/** Addresses have a checksum (EIP-55), as viem returns them. */
const WITH_CHECKSUM = { checksumAddress: true }

/** Returns the values in `data`; `undefined` if `data` does not hold them. */
export function valuesOf(parameters: readonly Parameter[] = [], data: Hex): unknown[] | undefined {
  return attempt(() => decode(parameters as never, data, WITH_CHECKSUM) as unknown[])
}

/** Returns the arguments of an event whose topics behind the first are `topics`; `undefined` if it does not fit. */
export function eventValues(
  inputs: readonly Parameter[],
  topics: readonly Hash[],
  data: Hex,
): unknown[] | undefined {
  // Events with the same signature may differ in the number of topics: ERC-721's Transfer has one more than ERC-20's.
  if (inputs.filter(({ indexed }) => indexed).length !== topics.length) return undefined
  const rest = valuesOf(
    inputs.filter(({ indexed }) => !indexed),
    data,
  )
  if (rest === undefined) return undefined
  const left = [...topics]
  return inputs.map((input) => (input.indexed ? topicValue(input, left.shift()!) : rest.shift()))
}

/** Returns the value of an indexed parameter. Of types that do not fit into a topic the log has only the hash. */
function topicValue(parameter: Parameter, topic: Hash): unknown {
  const isHashed = /^(string|bytes|tuple)$|\]$/.test(parameter.type)
  return isHashed ? topic : valuesOf([parameter], topic)?.[0]
}

/** Returns `undefined` if decoding throws: bytes may match a selector by chance and still not fit. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
