/** The artifacts that a devnet knows: what compilers wrote of contracts, from which code is recognized. */

import type { Address, Hex } from '../../bytes/hex.ts'
import { attributedNow, callSite } from '../../model/callSite.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'
import type { Abis } from '../abi/abis.ts'
import type { Abi, Artifact, Contract } from '../abi/contract.ts'
import { type ArtifactSource, isSolcRun } from './artifactSource.ts'
import type { FindCode } from './compilation.ts'
import type { AccountsView } from './implementation.ts'
import type { KnownContract } from './knownContract.ts'
import type { Library } from './library.ts'

/** @internal Where artifacts are looked for, and how problems are told. */
export interface ArtifactOptions {
  /** Those of the option `artifacts`; `undefined`: those of projects in the working folder. */
  readonly configured: readonly ArtifactSource[] | undefined
  readonly abis: Abis
  /** Called with a sentence for each thing that could not be read. */
  readonly onProblem: (text: string) => void
}

/** @internal Artifacts of a project in the working folder. */
export interface FoundArtifacts {
  /** The project's configuration, such as `foundry.toml`. */
  readonly file: string
  /** Absolute. */
  readonly folder: string
  /** Whether the compiler has written there. */
  readonly isThere: boolean
}

/** When artifacts were looked for, and whether there were any. */
interface Lately {
  readonly added: readonly ArtifactSource[]
  readonly atMs: number
  hasContracts: MaybePromise<boolean>
}

const LATELY_MS = 1_000

/** Kept: an import takes its time even of what is loaded already. */
let loading: typeof import('./loadLibrary.ts') | undefined

/**
 * The artifacts of a devnet. They are read when they are first needed, once for each process as long as the files stay the same.
 * Forks begin with those of their parent.
 */
export class Artifacts {
  /** The newest first. The array is replaced and never changed, so that forks share it. */
  #added: readonly ArtifactSource[]
  readonly #options: ArtifactOptions
  #library: Library | undefined
  #lately: Lately | undefined

  /** @internal Every devnet has its own, `devnet.artifacts`. */
  constructor(options: ArtifactOptions, added: readonly ArtifactSource[] = []) {
    this.#options = options
    this.#added = added
  }

  /**
   * Adds artifacts: a folder or a file by its path, or a run of solc, `{ input, output }`. Nothing is read before it is needed. An ABI,
   * or an artifact of one contract (`{ abi, deployedBytecode }`), is added to `devnet.abis`. Throws a `TypeError` for anything else.
   */
  add(what: ArtifactSource | Abi | Artifact | Readonly<Record<string, Abi | Artifact>>): void {
    attributedNow(callSite(Artifacts.prototype.add), () => {
      if (typeof what === 'string' ? what !== '' : isSolcRun(what)) {
        this.#added = [what as ArtifactSource, ...this.#added]
      } else if (typeof what === 'object' && what !== null) {
        this.#options.abis.add(what as Abi)
      } else {
        const expected = 'a path, { input, output } of solc, an ABI or an artifact'
        throw new TypeError(`artifacts.add: expected ${expected}, got ${JSON.stringify(what) ?? typeof what}`)
      }
    })
  }

  /**
   * @internal Reads what was not read yet, or has changed since. Resolves to `false` where there are no artifacts. Never rejects: what
   * cannot be read is told once.
   */
  async load(): Promise<boolean> {
    loading ??= await import('./loadLibrary.ts')
    const { loadLibrary } = loading
    const { configured, onProblem } = this.#options
    this.#library = await loadLibrary(configured, this.#added, onProblem)
    return this.#library.hasContracts
  }

  /**
   * @internal The same, but looks at files once a second at most, for what may be needed many times in a row. Returns the answer
   * itself where that is known.
   */
  loadedLately(nowMs: number): MaybePromise<boolean> {
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

  /** @internal What `load` has read so far: it stays as it is when files are read again. */
  get known(): Library | undefined {
    return this.#library
  }

  /** @internal Returns what `code` was compiled from, as far as `load` has read artifacts. See `FindCode`. */
  readonly find: FindCode = (code, isCreation) => this.#library?.find(code, isCreation)

  /** @internal Returns the name and the ABI of what `code` was compiled from, if it is one contract. */
  contractOf(code: Uint8Array): Contract | undefined {
    return this.#library?.contractOf(code)
  }

  /** @internal Returns the name and the ABI of what an account runs, behind proxies too, if it is one contract. */
  contractAt(state: AccountsView, address: Address, selector: Hex | undefined): Contract | undefined {
    return this.#library?.contractAt(state, address, selector)
  }

  /** @internal Returns all ABIs as one contract, as far as `load` has read artifacts: to decode what code of any contract says. */
  get merged(): Contract | undefined {
    return this.#library?.merged
  }

  /** @internal Resolves to the folders of artifacts of the projects in the working folder; to none where artifacts were given. */
  async found(): Promise<readonly FoundArtifacts[]> {
    if (this.folders !== undefined) return []
    const { foundHere } = await import('./loadLibrary.ts')
    return foundHere()
  }

  /** @internal Resolves to all contracts that the artifacts have. */
  async contracts(): Promise<readonly KnownContract[]> {
    await this.load()
    return this.#library?.contracts ?? []
  }

  /** @internal The paths that were given, the newest first; `undefined`: nothing was given. */
  get folders(): readonly string[] | undefined {
    const given = [...this.#added, ...(this.#options.configured ?? [])]
    return given.length === 0 ? undefined : given.filter((one) => typeof one === 'string')
  }

  /** @internal Returns a copy for a fork, whose ABIs are `abis`. */
  copy(abis: Abis): Artifacts {
    return new Artifacts({ ...this.#options, abis }, this.#added)
  }
}
