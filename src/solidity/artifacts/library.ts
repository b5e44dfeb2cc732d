/** What is known of compiled contracts: all that was read of some artifacts, with what is found in it. */

import type { Address, Hex } from '../../bytes/hex.ts'
import { type Contract, toContract } from '../abi/contract.ts'
import { CodeIndex, type Fitting } from './codeIndex.ts'
import type { Reading } from './compiled.ts'
import { type AccountsView, contractAt } from './implementation.ts'
import type { KnownContract } from './knownContract.ts'
import type { Fit } from './writtenCode.ts'

const indexes = new WeakMap<Reading, CodeIndex>()

/** The index of a reading, which is made once. */
function indexOf(reading: Reading): CodeIndex {
  const index = indexes.get(reading) ?? new CodeIndex(reading.contracts)
  indexes.set(reading, index)
  return index
}

/** A `CodeMatch` of contracts that are read as far as somebody asks. */
type KnownMatch =
  | { readonly kind: 'contract'; readonly contract: KnownContract; readonly fit: Fit }
  | { readonly kind: 'ambiguous'; readonly contracts: readonly KnownContract[] }

const asContracts = new WeakMap<KnownContract, Contract>()

/** A contract as ABIs know it: the same object each time, for which decoders are made once. */
function asContract(known: KnownContract): Contract {
  const contract = asContracts.get(known) ?? toContract(known.abi, known.name)
  asContracts.set(known, contract)
  return contract
}

/** The contracts of some readings. */
export class Library {
  readonly #readings: readonly Reading[]
  /** By the code, which is an object of the state and stays the same as long as nobody changes the account. */
  readonly #runtime = new WeakMap<Uint8Array, KnownMatch | 'none'>()
  #merged: Contract | undefined

  /** `readings`: those that take precedence first. */
  constructor(readings: readonly Reading[]) {
    this.#readings = readings
  }

  /** Whether it is made of exactly these readings. */
  isOf(readings: readonly Reading[]): boolean {
    return readings.length === this.#readings.length && readings.every((one, i) => one === this.#readings[i])
  }

  get hasContracts(): boolean {
    return this.#readings.some(({ contracts }) => contracts.length > 0)
  }

  get contracts(): readonly KnownContract[] {
    return this.#readings.flatMap(({ contracts }) => contracts)
  }

  /** Returns what `code` was compiled from. See `FindCode`. */
  find(code: Uint8Array, isCreation: boolean): KnownMatch | undefined {
    if (code.length === 0) return undefined
    if (isCreation) return this.#search((index) => index.creation(code))
    const known = this.#runtime.get(code)
    if (known !== undefined) return known === 'none' ? undefined : known
    const found = this.#search((index) => index.runtime(code))
    this.#runtime.set(code, found ?? 'none')
    return found
  }

  /** Returns the name and the ABI of what runtime or creation code was compiled from, if it is one contract. */
  contractOf(code: Uint8Array): Contract | undefined {
    const match = this.find(code, false) ?? this.find(code, true)
    return match?.kind === 'contract' ? asContract(match.contract) : undefined
  }

  /**
   * Returns the name and the ABI of what an account runs: of its implementation if it is a proxy. A state that lacks a value of a forked
   * network (a read throws `NotFetched`) tells no more than the code of the account itself.
   */
  contractAt(state: AccountsView, address: Address, selector: Hex | undefined): Contract | undefined {
    try {
      const match = contractAt(state, address, (code, isCreation) => this.find(code, isCreation), selector)
      return match?.kind === 'contract' ? asContract(match.contract as KnownContract) : undefined
    } catch {
      return this.contractOf(state.code(address))
    }
  }

  /** All ABIs as one: every error, event and function once. */
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

/**
 * Returns the contracts that fit best, without those that are the same source: of one file and name, as in earlier output of the same
 * compiler, or with the same hash of their metadata, which is that of sources and settings.
 */
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
