/** The one file that knows the package which decodes and encodes: `ox`, viem's own. */
import { from as parseAbi } from 'ox/Abi'
import { getSignature, getSignatureHash } from 'ox/AbiItem'
import { decode, encode } from 'ox/AbiParameters'
import type { Hash, Hex } from '../model/bytes/hex.ts'
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

/** The codec of the contract's ABI, made when it is first asked for. */
export function codecOf(contract: Contract): Codec {
  const codec = codecs.get(contract) ?? new Codec(contract.abi)
  codecs.set(contract, codec)
  return codec
}

/** Decodes by one ABI. What it cannot make sense of is `undefined`. */
export class Codec {
  /** By their type and what their bytes begin with. */
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

  /** What the function that `input` calls has answered. */
  result(input: Hex, output: Hex): Decoded | undefined {
    const [item] = this.#find('function', input.slice(0, SELECTOR))
    if (item === undefined) return undefined
    const values = valuesOf(item.outputs, output)
    return values && describedResult(item.outputs ?? [], values)
  }

  error(data: Hex): Decoded | undefined {
    return this.#decode('error', data)
  }

  event([hash = '0x', ...topics]: readonly Hash[], data: Hex): Decoded | undefined {
    for (const { name = '', inputs = [] } of this.#find('event', hash)) {
      // The same signature may have other topics: those of a token's Transfer have one that an NFT's has, and one less.
      if (inputs.filter(({ indexed }) => indexed).length !== topics.length) continue
      const unindexed = inputs.filter(({ indexed }) => !indexed)
      const rest = valuesOf(unindexed, data)
      if (rest === undefined) continue
      const left = [...topics]
      const values = inputs.map((input) => (input.indexed ? topicValue(input, left.shift()!) : rest.shift()))
      return described(name, inputs, values)
    }
    return undefined
  }

  #decode(type: 'function' | 'error', bytes: Hex): Decoded | undefined {
    const [item] = this.#find(type, bytes.slice(0, SELECTOR))
    if (item === undefined) return undefined
    const values = valuesOf(item.inputs, `0x${bytes.slice(SELECTOR)}`)
    return values && described(item.name ?? '', item.inputs ?? [], values)
  }

  #find(type: string, beginning: string): readonly Item[] {
    return this.#items.get(keyOf(type, beginning)) ?? []
  }
}

/** `0x` and four bytes. */
const SELECTOR = 10

function keyOf(type: string, beginning: string): string {
  return `${type} ${beginning}`
}

/** What is in an ABI; what is written as lines is read. */
export function itemsOf(abi: Abi): readonly Item[] {
  const lines = abi.filter((item) => typeof item === 'string')
  const items = abi.filter((item) => typeof item !== 'string') as Item[]
  const parsed = lines.length === 0 ? [] : (parseAbi(lines) as readonly Item[])
  return [...items, ...parsed]
}

/** Such as `transfer(address,uint256)`. */
export function signatureOf(item: Item): string {
  return getSignature(item as never)
}

/** The four bytes that calldata for a function begins with. */
export function selectorOf(item: Item): Hex {
  return getSignatureHash(item as never).slice(0, SELECTOR) as Hex
}

/** `values` are what the parameters take: that is not looked at. */
export function encodeValues(parameters: readonly Parameter[], values: readonly unknown[]): Hex {
  return encode(parameters as never, values as never)
}

const ITEMS: ReadonlySet<string> = new Set(['function', 'event', 'error'])

/** As viem has addresses. */
const WITH_CHECKSUM = { checksumAddress: true }

/** The values in `data`; `undefined` where they are not there. */
export function valuesOf(parameters: readonly Parameter[] = [], data: Hex): unknown[] | undefined {
  return attempt(() => decode(parameters as never, data, WITH_CHECKSUM) as unknown[])
}

/** Of what does not fit into a topic only the hash is in it. */
function topicValue(parameter: Parameter, topic: Hash): unknown {
  const isHashed = /^(string|bytes|tuple)$|\]$/.test(parameter.type)
  return isHashed ? topic : valuesOf([parameter], topic)?.[0]
}

/** Bytes that are not what they begin like are nobody's fault. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
