import type { Address, Hex } from '../../bytes/hex.ts'
import { attributedNow, callSite } from '../../model/api/callSite.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'
import type { Abis } from '../abi/abis.ts'
import type { Abi, Artifact, Contract } from '../abi/contract.ts'
import type { ArtifactIndex } from './artifactIndex.ts'
import type { FindCode, KnownContract } from './compilation.ts'
import { expectedAt } from './project.ts'
import type { AccountsView } from './proxies.ts'
import { type ArtifactSource, isSolcRun } from './solcJson.ts'

/** @internal */
export interface ArtifactOptions {
  /** The option `artifacts`. If `undefined`, the artifacts of the projects in the working folder are used. */
  readonly configured: readonly ArtifactSource[] | undefined
  readonly abis: Abis
  /** Called once for each artifact that cannot be read. */
  readonly onProblem: (text: string) => void
}

interface Lately {
  readonly added: readonly ArtifactSource[]
  readonly atMs: number
  hasContracts: MaybePromise<boolean>
}

const LATELY_MS = 1_000

/** Caches the module, because even a repeated dynamic import takes time. */
let loading: typeof import('./loadArtifacts.ts') | undefined

/** Compiler artifacts that identify deployed code, read on first use. A fork begins with its origin's artifacts. */
export class Artifacts {
  /** The added artifacts, newest first. Each addition replaces the array, because forks share it. */
  #added: readonly ArtifactSource[]
  readonly #options: ArtifactOptions
  #index: ArtifactIndex | undefined
  #lately: Lately | undefined

  /** @internal Users get the artifacts of a devnet as `devnet.artifacts`. */
  constructor(options: ArtifactOptions, added: readonly ArtifactSource[] = []) {
    this.#options = options
    this.#added = added
  }

  /**
   * Adds the path of a folder or file, or a run of solc (`{ input, output }`). Files are read on first use. An ABI or a
   * contract's artifact (`{ abi, deployedBytecode }`) is added to `devnet.abis`. Any other value, and a path without
   * JSON files, throws a `TypeError`.
   */
  add(what: ArtifactSource | Abi | Artifact | Readonly<Record<string, Abi | Artifact>>): void {
    attributedNow(callSite(Artifacts.prototype.add), () => {
      if (typeof what === 'string' ? what !== '' : isSolcRun(what)) {
        requireJson([what as ArtifactSource], (expected, path) => {
          return new TypeError(`artifacts.add: expected ${expected}, got "${path}"`)
        })
        this.#added = [what as ArtifactSource, ...this.#added]
      } else if (typeof what === 'object' && what !== null) {
        this.#options.abis.add(what as Abi)
      } else {
        const expected = 'a path, { input, output } of solc, an ABI or an artifact'
        throw new TypeError(`artifacts.add: expected ${expected}, got ${JSON.stringify(what) ?? typeof what}`)
      }
    })
  }

  /** @internal Reads new and changed artifacts. Resolves to whether any contracts are known. Never rejects. */
  async load(): Promise<boolean> {
    await this.unrecognized()
    return this.#index!.hasContracts
  }

  /** @internal Like `load`, but resolves to those of the given artifacts that contain no contract. */
  async unrecognized(): Promise<readonly ArtifactSource[]> {
    loading ??= await import('./loadArtifacts.ts')
    const { configured, onProblem } = this.#options
    const { index, unrecognized } = await loading.loadArtifacts(configured, this.#added, onProblem)
    this.#index = index
    return unrecognized
  }

  /**
   * @internal Like `load`, but checks files at most once a second. Between checks, returns the last answer: a promise
   * while files are read, then a plain value.
   */
  loadAtIntervals(nowMs: number): MaybePromise<boolean> {
    const before = this.#lately
    if (before?.added === this.#added && nowMs - before.atMs < LATELY_MS) return before.hasContracts
    const lately: Lately = { added: this.#added, atMs: nowMs, hasContracts: false }
    lately.hasContracts = this.load().then((hasContracts) => {
      lately.hasContracts = hasContracts
      return hasContracts
    })
    this.#lately = lately
    return lately.hasContracts
  }

  /** @internal An index of the artifacts that have been read. A later read replaces the index and never changes it. */
  get known(): ArtifactIndex | undefined {
    return this.#index
  }

  /** @internal Finds the contract of code among the artifacts that have been read. See `FindCode`. */
  readonly find: FindCode = (code, isCreation) => this.#index?.find(code, isCreation)

  /** @internal Returns the name and ABI of the contract with this code; `undefined` if none or several match. */
  contractOf(code: Uint8Array): Contract | undefined {
    return this.#index?.contractOf(code)
  }

  /**
   * @internal Returns the name and ABI of an account's contract, or of its implementation if the account is a proxy;
   * `undefined` if none or several match.
   */
  contractAt(state: AccountsView, address: Address, selector: Hex | undefined): Contract | undefined {
    return this.#index?.contractAt(state, address, selector)
  }

  /** @internal The ABIs of all artifacts that have been read, as one contract, to decode data of any contract. */
  get merged(): Contract | undefined {
    return this.#index?.merged
  }

  /**
   * @internal Resolves to the artifact folders of the projects in the working folder; empty if artifacts were given.
   */
  async found(): Promise<ReturnType<typeof import('./loadArtifacts.ts')['foundHere']>> {
    if (this.folders !== undefined) return []
    const { foundHere } = await import('./loadArtifacts.ts')
    return foundHere()
  }

  /** @internal Reads new and changed artifacts, and resolves to the contracts of all artifacts. */
  async contracts(): Promise<readonly KnownContract[]> {
    await this.load()
    return this.#index?.contracts ?? []
  }

  /** @internal The given artifacts, newest first. */
  get given(): readonly ArtifactSource[] {
    return [...this.#added, ...(this.#options.configured ?? [])]
  }

  /** @internal The paths among the given artifacts, newest first; `undefined` if no artifacts were given. */
  get folders(): readonly string[] | undefined {
    const { given } = this
    return given.length === 0 ? undefined : given.filter((one) => typeof one === 'string')
  }

  /** @internal Returns a copy for a fork, whose ABIs are `abis`. */
  copy(abis: Abis): Artifacts {
    return new Artifacts({ ...this.#options, abis }, this.#added)
  }
}

/** Calls `refuse` for the first path of `sources` that leads to no JSON. */
export function requireJson(
  sources: readonly ArtifactSource[],
  refuse: (expected: string, path: string) => Error,
): void {
  const paths = sources.flatMap((one) => (typeof one === 'string' ? [one] : [one.input, one.output]))
  for (const path of paths) {
    const expected = typeof path === 'string' ? expectedAt(path) : undefined
    if (expected !== undefined) throw refuse(expected, path as string)
  }
}
