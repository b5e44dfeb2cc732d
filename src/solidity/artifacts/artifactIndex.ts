/** Finds the compiled contract to which bytecode belongs, among all loaded artifacts. */

import type { Address, Hex } from '../../bytes/hex.ts'
import { grouped } from '../../model/collections/grouped.ts'
import { oncePer } from '../../model/collections/oncePer.ts'
import { type Contract, toContract } from '../abi/contract.ts'
import type { KnownContract } from './compilation.ts'
import { CodePattern, type CompiledCode, type Fit, keyOf } from './compiledCode.ts'
import type { LoadedArtifacts } from './lazyCompilation.ts'
import { type AccountsView, contractAt } from './proxies.ts'

const indexOf = oncePer(({ contracts }: LoadedArtifacts) => new CodeIndex(contracts))

type KnownMatch =
  | { readonly kind: 'contract'; readonly contract: KnownContract; readonly fit: Fit }
  | { readonly kind: 'ambiguous'; readonly contracts: readonly KnownContract[] }

/** Returns one object per contract, because decoders are cached by this object. */
const asContract = oncePer(({ abi, name }: KnownContract) => toContract(abi, name))

export class ArtifactIndex {
  readonly #readings: readonly LoadedArtifacts[]
  /** Results of `find` by code array. The state keeps the same array while an account's code is unchanged. */
  readonly #runtime = new WeakMap<Uint8Array, KnownMatch | 'none'>()
  #merged: Contract | undefined

  constructor(readings: readonly LoadedArtifacts[]) {
    this.#readings = readings
  }

  isOf(readings: readonly LoadedArtifacts[]): boolean {
    return readings.length === this.#readings.length && readings.every((one, i) => one === this.#readings[i])
  }

  get hasContracts(): boolean {
    return this.#readings.some(({ contracts }) => contracts.length > 0)
  }

  get contracts(): readonly KnownContract[] {
    return this.#readings.flatMap(({ contracts }) => contracts)
  }

  find(code: Uint8Array, isCreation: boolean): KnownMatch | undefined {
    if (code.length === 0) return undefined
    if (isCreation) return this.#search((index) => index.creation(code))
    const known = this.#runtime.get(code)
    if (known !== undefined) return known === 'none' ? undefined : known
    const found = this.#search((index) => index.runtime(code))
    this.#runtime.set(code, found ?? 'none')
    return found
  }

  /** Returns the name and ABI of the contract with this runtime or creation code, if exactly one contract matches. */
  contractOf(code: Uint8Array): Contract | undefined {
    const match = this.find(code, false) ?? this.find(code, true)
    return match?.kind === 'contract' ? asContract(match.contract) : undefined
  }

  /** Returns name and ABI of an account's contract; for a proxy whose storage is fetched, of the implementation. */
  contractAt(state: AccountsView, address: Address, selector: Hex | undefined): Contract | undefined {
    try {
      const match = contractAt(state, address, (code, isCreation) => this.find(code, isCreation), selector)
      return match?.kind === 'contract' ? asContract(match.contract as KnownContract) : undefined
    } catch {
      return this.contractOf(state.code(address))
    }
  }

  /** The items of all ABIs as one contract, each item once. */
  get merged(): Contract {
    if (this.#merged === undefined) {
      const items = new Map<string, { readonly type: string } | string>()
      for (const { abi } of this.contracts) {
        for (const item of abi) items.set(JSON.stringify(item), item)
      }
      this.#merged = toContract([...items.values()], undefined)
    }
    return this.#merged
  }

  #search(search: (index: CodeIndex) => readonly Fitting[]): KnownMatch | undefined {
    const found = this.#readings.flatMap((reading) => search(indexOf(reading)))
    const [first, ...others] = distinct(found)
    if (first === undefined) return undefined
    return others.length === 0
      ? {
          kind: 'contract',
          contract: first,
          fit: found.some(({ fit }) => fit === 'exactly') ? 'exactly' : 'otherwise',
        }
      : { kind: 'ambiguous', contracts: [first, ...others] }
  }
}

/** Returns the best matches, one per source file and name, or only the match with an equal metadata hash, if any. */
function distinct(found: readonly Fitting[]): readonly KnownContract[] {
  const exact = found.filter(({ fit }) => fit === 'exactly')
  const best = exact.length > 0 ? exact : found
  if (exact.some(({ hasMetadata }) => hasMetadata)) return [best[0]!.contract]
  const byName = new Map<string, KnownContract>()
  for (const { contract } of best) {
    if (!byName.has(contract.qualifiedName)) byName.set(contract.qualifiedName, contract)
  }
  return [...byName.values()]
}

interface Fitting {
  readonly contract: KnownContract
  readonly fit: Fit
  readonly hasMetadata: boolean
}

interface Entry {
  readonly contract: KnownContract
  readonly pattern: CodePattern
}

/** Number of bytes of creation code in a map key. Fewer bytes are not enough, because constructors begin alike. */
const KEY_LENGTH = 24

/** Looks up runtime code by its length and creation code by its first bytes, then compares byte by byte. */
class CodeIndex {
  readonly #contracts: readonly KnownContract[]
  #runtime: Map<number, Entry[]> | undefined
  /** Creation code, longest first, keyed by its first `KEY_LENGTH` bytes ('' if deployed code may differ in them). */
  #creation: Map<string, Entry[]> | undefined

  constructor(contracts: readonly KnownContract[]) {
    this.#contracts = contracts
  }

  runtime(code: Uint8Array): readonly Fitting[] {
    this.#runtime ??= grouped(entriesOf(this.#contracts, 'runtime'), ({ pattern }) => pattern.size)
    return fitting(this.#runtime.get(code.length) ?? [], code)
  }

  /** Returns the contracts whose creation code is the longest beginning of `code`. */
  creation(code: Uint8Array): readonly Fitting[] {
    this.#creation ??= grouped(
      entriesOf(this.#contracts, 'creation').sort((a, b) => b.pattern.size - a.pattern.size),
      ({ pattern }) => pattern.key(KEY_LENGTH) ?? '',
    )
    const candidates = [keyOf(code, KEY_LENGTH), ''].flatMap((key) => this.#creation!.get(key) ?? [])
    const found = fitting(candidates, code)
    const longest = Math.max(...found.map(({ size }) => size))
    return found.filter(({ size }) => size === longest)
  }
}

function entriesOf(contracts: readonly KnownContract[], kind: 'runtime' | 'creation'): Entry[] {
  return contracts.flatMap((contract) => {
    const code: CompiledCode | undefined = contract[kind]
    return code === undefined ? [] : [{ contract, pattern: new CodePattern(code) }]
  })
}

function fitting(entries: readonly Entry[], code: Uint8Array): (Fitting & { readonly size: number })[] {
  return entries.flatMap(({ contract, pattern }) => {
    const fit = pattern.fit(code)
    return fit === undefined ? [] : [{ contract, fit, hasMetadata: pattern.hasMetadata, size: pattern.size }]
  })
}
