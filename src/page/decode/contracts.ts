/** Requests what the devnet knows about contracts, once per account and block. Decodes constructor arguments. */
import { effect, type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Hex } from '../../bytes/hex.ts'
import { Codec, encodeValues, type Item, valuesOf } from '../../solidity/abi/codec.ts'
import type { Parameter } from '../../solidity/abi/decoded.ts'
import { changesAt } from '../live/load.ts'
import { PAST } from '../moment.ts'
import { type Ask, request } from '../source/source.ts'
import { type Typed, typed } from './decode.ts'

/** How much is known about code. `similar`: only metadata differs from an artifact. `named`: only the ABI is known. */
export interface KnownCode {
  readonly address: Hex
  readonly match: 'exact' | 'similar' | 'ambiguous' | 'named' | 'unknown'
  readonly name: string | null
  readonly source: { readonly path: string; readonly line: number | null } | null
  readonly compiler: {
    readonly version: string
    readonly language: string
    readonly optimizer: { readonly enabled: boolean; readonly runs: number | null } | null
    readonly viaIR: boolean
    readonly evmVersion: string | null
  } | null
  readonly candidates: readonly { readonly name: string; readonly path: string }[]
  readonly hasSources: boolean
  readonly hasStorageLayout: boolean
}

interface ContractInfo {
  readonly name: string | null
  /** The merged ABIs of the contract, of the implementations of a proxy, and of the facets of a diamond. */
  readonly abi: readonly { readonly type: string }[]
  readonly code: KnownCode
  readonly proxies: readonly { readonly kind: string; readonly target: KnownCode }[]
  readonly facets: readonly { readonly selectors: readonly Hex[]; readonly code: KnownCode }[]
}

export interface KnownContract {
  readonly info: ContractInfo
  readonly codec: Codec
}

type Found = Promise<KnownContract | undefined>

/** Cache time, in milliseconds, of errors and of results for a tag such as `latest`. */
const TAG_HOLDS_MS = 2_000
const MOST_ENTRIES = 2_000
/** Maximum number of remembered ABIs, which are tried for bytes that a contract's own ABI cannot decode. */
const MOST_SEEN = 50

export class Contracts {
  readonly #request: Ask
  readonly #now: () => number
  readonly #entries = new Map<string, { readonly found: Found; readonly until: number }>()
  /** Codecs, keyed by the JSON text of their ABI, because many accounts share one ABI. */
  readonly #seen = new Map<string, Codec>()

  constructor(request: Ask, now: () => number) {
    this.#request = request
    this.#now = now
  }

  /** Resolves to the contract at `address`, if it is known. `at` is a tag, or a block number or hash in hex. */
  find(address: string, at = 'pending'): Found {
    const key = `${address.toLowerCase()} ${at}`
    const known = this.#entries.get(key)
    if (known !== undefined && known.until > this.#now()) return known.found
    const found = this.#ask(address, at).catch(() => {
      // The block may not exist, or the devnet may lack the method. Errors are cached only briefly.
      if (this.#entries.get(key)?.found === found) this.#entries.set(key, { found, until: this.#soon() })
      return undefined
    })
    this.#entries.delete(key)
    this.#entries.set(key, { found, until: at.startsWith('0x') ? Infinity : this.#soon() })
    if (this.#entries.size > MOST_ENTRIES) this.#entries.delete(this.#entries.keys().next().value!)
    return found
  }

  /** Returns the codecs of all remembered ABIs, most recent first. */
  seen(): readonly Codec[] {
    return [...this.#seen.values()].reverse()
  }

  forget(): void {
    this.#entries.clear()
    this.#seen.clear()
  }

  async #ask(address: string, at: string): Found {
    const info = await this.#request<ContractInfo | null>('preseal_getContract', [address, at])
    return info === null ? undefined : { info, codec: this.#codecOf(info.abi) }
  }

  #soon(): number {
    return this.#now() + TAG_HOLDS_MS
  }

  #codecOf(abi: ContractInfo['abi']): Codec {
    const text = JSON.stringify(abi)
    const codec = this.#seen.get(text) ?? new Codec(abi)
    this.#seen.delete(text)
    this.#seen.set(text, codec)
    if (this.#seen.size > MOST_SEEN) this.#seen.delete(this.#seen.keys().next().value!)
    return codec
  }
}

export interface CreationAnswer {
  readonly name: string
  readonly codeSize: Hex
  readonly constructor: Item | null
}

/** Decodes the arguments after the code of an artifact in `input`. Returns `undefined` for invalid arguments. */
export function constructorArguments(
  input: Hex,
  { codeSize, constructor: item }: CreationAnswer,
): readonly Typed[] | undefined {
  const inputs = item?.inputs ?? []
  if (inputs.length === 0) return []
  const values = valuesOf(inputs, `0x${input.slice(2 + 2 * Number(codeSize))}`)
  return values && typed(inputs, values)
}

const WORD = 64

/** Decodes the arguments at the end of unknown creation code, if exactly one suffix is a valid encoding. */
export function argumentsAtEnd(input: Hex, inputs: readonly Parameter[]): readonly Typed[] | undefined {
  if (inputs.length === 0) return []
  const words = headWords(inputs)
  const firstDynamic = inputs.findIndex(isDynamic)
  if (firstDynamic === -1) return decodeExact(input, input.length - WORD * words, inputs)
  // The head of the first dynamic argument points behind all heads, so the value of this head is known.
  const before = headWords(inputs.slice(0, firstDynamic))
  const offset = (32 * words).toString(16).padStart(WORD, '0')
  let found: readonly Typed[] | undefined
  for (let at = input.length - WORD * words; at > 2; at -= WORD) {
    if (!input.startsWith(offset, at + WORD * before)) continue
    const values = decodeExact(input, at, inputs)
    if (values === undefined) continue
    if (found !== undefined) return undefined
    found = values
  }
  return found
}

/** Decodes the arguments that begin at `at`. Returns `undefined` unless encoding them again gives the same bytes. */
function decodeExact(input: Hex, at: number, inputs: readonly Parameter[]): readonly Typed[] | undefined {
  if (at < 2) return undefined
  const end: Hex = `0x${input.slice(at)}`
  const values = valuesOf(inputs, end)
  return values !== undefined && encodeValues(inputs, values) === end ? typed(inputs, values) : undefined
}

function isDynamic({ type, components = [] }: Parameter): boolean {
  if (/^(string|bytes)$|\[\]$/.test(type)) return true
  const item = /^(.*)\[\d+\]$/.exec(type)?.[1]
  return item === undefined ? components.some(isDynamic) : isDynamic({ type: item, components })
}

function headWords(parameters: readonly Parameter[]): number {
  return parameters.reduce((sum, one) => sum + (isDynamic(one) ? 1 : staticWords(one)), 0)
}

function staticWords({ type, components = [] }: Parameter): number {
  const [, item, length] = /^(.*)\[(\d+)\]$/.exec(type) ?? []
  if (item !== undefined) return Number(length) * staticWords({ type: item, components })
  return type === 'tuple' ? headWords(components) : 1
}

let current: Contracts | undefined

export function contracts(): Contracts {
  if (current !== undefined) return current
  const found = new Contracts(request, Date.now)
  effect(() => {
    changesAt(PAST)
    found.forget()
  })
  current = found
  return found
}

/** Known contracts, keyed by lower-case address. */
export type ContractsByAddress = ReadonlyMap<string, KnownContract>

const NONE: ContractsByAddress = new Map()

/** Resolves to the known contracts among `addresses`. `at`: the block, by default `pending`. */
export async function contractsAt(addresses: readonly string[], at?: string): Promise<ContractsByAddress> {
  const all = [...new Set(addresses.map((address) => address.toLowerCase()))]
  const each = await Promise.all(all.map((address) => contracts().find(address, at)))
  return new Map(all.flatMap((address, i) => (each[i] === undefined ? [] : [[address, each[i]]])))
}

export function useContracts(addresses: readonly string[], at?: string): Signal<ContractsByAddress> {
  const found = useSignal(NONE)
  const wanted = [...new Set(addresses.map((address) => address.toLowerCase()))].sort().join()
  useEffect(() => {
    let isOld = false
    void contractsAt(wanted === '' ? [] : wanted.split(','), at).then((known) => {
      if (!isOld) found.value = known
    })
    return () => {
      isOld = true
    }
  }, [wanted, at])
  return found
}

/** Returns the codecs that may decode bytes of the contract at `address`: its own, then all remembered codecs. */
export function codecsFor(address: string | null | undefined, known: ContractsByAddress): readonly Codec[] {
  const own = address && known.get(address.toLowerCase())?.codec
  return own ? [own, ...contracts().seen()] : contracts().seen()
}
