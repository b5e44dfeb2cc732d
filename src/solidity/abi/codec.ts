/** Encodes and decodes values by ABIs. Only this file imports `ox`, the package that viem uses for ABIs. */
import { from as parseAbi } from 'ox/Abi'
import { getSignature, getSignatureHash } from 'ox/AbiItem'
import { decode, encode } from 'ox/AbiParameters'
import { validate } from 'ox/Address'
import { keccak256 } from 'ox/Hash'
import type { Hash, Hex } from '../../bytes/hex.ts'
import { oncePer } from '../../model/collections/oncePer.ts'
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

export const codecOf = oncePer(({ abi }: Contract) => new Codec(abi))

/** Decodes errors, events and calls by one ABI. Methods return `undefined` for bytes that do not fit the ABI. */
export class Codec {
  /** ABI items by type (function, event or error) and selector or first topic. */
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

  signature(selector: Hex): string | undefined {
    const [item] = this.find('function', selector)
    return item && signatureOf(item)
  }

  /** Returns the decoded return values of the function that `input` calls. */
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

  find(type: 'function' | 'error' | 'event', beginning: string): readonly Item[] {
    return this.#items.get(keyOf(type, beginning)) ?? []
  }

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

/** Length of a selector as hex text: `0x` and four bytes. */
const SELECTOR = 10

function keyOf(type: string, beginning: string): string {
  return `${type} ${beginning}`
}

/** Returns the items of an ABI; parses human-readable lines. */
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

export function selectorOf(item: Item): Hex {
  return getSignatureHash(item as never).slice(0, SELECTOR) as Hex
}

/** Returns the first topic of a non-anonymous event: the hash of its signature. */
export function topicOf(item: Item): Hash {
  return getSignatureHash(item as never)
}

/** Encodes `values`. Does not check that they fit `parameters`. */
export function encodeValues(parameters: readonly Parameter[], values: readonly unknown[]): Hex {
  return encode(parameters as never, values as never)
}

/** Returns the keccak-256 hash without WebAssembly, which the page's content security policy forbids. */
export function hashOf(bytes: Hex): Hash {
  return keccak256(bytes)
}

/** Returns whether an address has a valid checksum (EIP-55) or none. */
export function hasRightChecksum(address: string): boolean {
  return validate(address)
}

const ITEMS: ReadonlySet<string> = new Set(['function', 'event', 'error'])

const WITH_CHECKSUM = { checksumAddress: true }

/** Decodes `data`; `undefined` if `data` does not fit `parameters`. */
export function valuesOf(parameters: readonly Parameter[] = [], data: Hex): unknown[] | undefined {
  return attempt(() => decode(parameters as never, data, WITH_CHECKSUM) as unknown[])
}

/** Returns an event's arguments; `undefined` if topics or data do not fit. `topics` excludes the signature's topic. */
export function eventValues(
  inputs: readonly Parameter[],
  topics: readonly Hash[],
  data: Hex,
): unknown[] | undefined {
  // Events with the same signature may index different parameters: `Transfer` of ERC-20 and of ERC-721.
  if (inputs.filter(({ indexed }) => indexed).length !== topics.length) return undefined
  const rest = valuesOf(
    inputs.filter(({ indexed }) => !indexed),
    data,
  )
  if (rest === undefined) return undefined
  const left = [...topics]
  return inputs.map((input) => (input.indexed ? topicValue(input, left.shift()!) : rest.shift()))
}

/** Returns an indexed parameter's value; for strings, bytes, arrays and tuples the hash, as the log has no more. */
function topicValue(parameter: Parameter, topic: Hash): unknown {
  const isHashed = /^(string|bytes|tuple)$|\]$/.test(parameter.type)
  return isHashed ? topic : valuesOf([parameter], topic)?.[0]
}

/** Returns `undefined` if `work` throws: a selector may match by chance, and decoding then fails. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
