/** Finds the contracts that code was compiled from, among those of any number of compilations. */
import { grouped } from '../../model/collections/grouped.ts'
import type { KnownContract } from './knownContract.ts'
import { CodePattern, type Fit, keyOf, type WrittenCode } from './writtenCode.ts'

/** A contract whose code fits. */
export interface Fitting {
  readonly contract: KnownContract
  readonly fit: Fit
  /** Whether the metadata's hash is in the code. */
  readonly hasMetadata: boolean
}

interface Entry {
  readonly contract: KnownContract
  readonly pattern: CodePattern
}

/** The bytes by which creation code is looked up: enough to tell payable constructors and those that set storage apart. */
const KEY_LENGTH = 24

/**
 * The code of contracts. Runtime code is found by its length, creation code by its first bytes; only what is found so is compared,
 * byte by byte as far as it fits.
 */
export class CodeIndex {
  readonly #contracts: readonly KnownContract[]
  /** By the number of bytes. */
  #runtime: Map<number, Entry[]> | undefined
  /** By the first bytes, the longest first; under the empty key those that may differ there. */
  #creation: Map<string, Entry[]> | undefined

  constructor(contracts: readonly KnownContract[]) {
    this.#contracts = contracts
  }

  /** Returns all contracts whose runtime code is `code`. */
  runtime(code: Uint8Array): readonly Fitting[] {
    this.#runtime ??= grouped(entriesOf(this.#contracts, 'runtime'), ({ pattern }) => pattern.size)
    return fitting(this.#runtime.get(code.length) ?? [], code)
  }

  /** Returns the contracts whose creation code `code` begins with; of several lengths the longest. */
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
    const code: WrittenCode | undefined = contract[kind]
    return code === undefined ? [] : [{ contract, pattern: new CodePattern(code) }]
  })
}

function fitting(entries: readonly Entry[], code: Uint8Array): (Fitting & { readonly size: number })[] {
  return entries.flatMap(({ contract, pattern }) => {
    const fit = pattern.fit(code)
    return fit === undefined ? [] : [{ contract, fit, hasMetadata: pattern.hasMetadata, size: pattern.size }]
  })
}
