/** A devnet's ABIs, and decoding with them. The decoder is loaded when there are bytes to decode. */
import type { Address, Hash, Hex } from '../../bytes/hex.ts'
import { namesOf, requireOptions } from '../../model/api/arguments.ts'
import type { Codec } from './codec.ts'
import { type Abi, type Artifact, type Contract, isCodeOf, toContract } from './contract.ts'
import type { Decoded } from './decoded.ts'

const ADD_OPTIONS = namesOf<{ name: unknown; address: unknown }>({ name: true, address: true })

/** @internal Contracts that artifacts define. */
export interface ArtifactAbis {
  /** Reads new and changed artifacts. Resolves to whether any contracts are known. */
  load(): Promise<boolean>
  /** The items of the ABIs of all artifacts that have been read, as one contract. */
  readonly merged: Contract | undefined
}

/** A devnet's ABIs, which decode errors, events and calls. A forked devnet begins with the ABIs of its origin. */
export class Abis {
  /** The added contracts, newest first. Each addition replaces the array, because forks share it. */
  #contracts: readonly Contract[]
  /** @internal The ABIs of artifacts, which are used if no added ABI fits. */
  artifactAbis: ArtifactAbis | undefined

  /** @internal Users get the ABIs of a devnet as `devnet.abis`. */
  constructor(contracts: readonly Contract[] = []) {
    this.#contracts = contracts
  }

  /**
   * Adds an ABI, or a compiler's artifact of a contract (`{ abi, bytecode, deployedBytecode }`), to decode errors,
   * events and functions of every contract. `name` is shown for the contract at `address`, or for every contract with
   * the artifact's code. Later ABIs take precedence. Throws a `TypeError` for any other value.
   */
  add(contract: Abi | Artifact, options?: { name?: string | undefined; address?: string | undefined }): void
  /** Adds several ABIs or artifacts by their names: `add({ Market, Token })`. */
  add(contracts: Readonly<Record<string, Abi | Artifact>>): void
  add(
    added: Abi | Artifact | Readonly<Record<string, Abi | Artifact>>,
    options: { name?: string | undefined; address?: string | undefined } = {},
  ): void {
    requireOptions('abis.add', options, ADD_OPTIONS, Abis.prototype.add)
    const { name, address } = options
    const contracts = isOne(added)
      ? [toContract(added, name, address)]
      : Object.entries(added).map(([key, value]) => toContract(value, key))
    this.#contracts = [...contracts, ...this.#contracts]
  }

  /** @internal All added contracts, newest first: a new array after each addition. */
  get all(): readonly Contract[] {
    return this.#contracts
  }

  /** Iterates over all contracts, newest first. */
  [Symbol.iterator](): Iterator<Contract> {
    return this.#contracts[Symbol.iterator]()
  }

  /** Returns the contract at `address`, otherwise the contract whose runtime or creation code matches `code`. */
  find(address: Address, code?: Uint8Array): Contract | undefined {
    return (
      this.#contracts.find((contract) => contract.address === address) ??
      (code && this.#contracts.find((contract) => isCodeOf(contract, code)))
    )
  }

  /** Resolves to the custom error in revert data; `undefined` if no ABI has it. Tries the ABI of `contract` first. */
  decodeError(data: Hex, contract?: Contract): Promise<Decoded | undefined> {
    return this.#first(contract, (codec) => codec.error(data))
  }

  /** Resolves to the event in a log; `undefined` if no ABI has it. */
  decodeEvent(
    log: { readonly topics: readonly Hash[]; readonly data: Hex },
    contract?: Contract,
  ): Promise<Decoded | undefined> {
    return this.#first(contract, (codec) => codec.event(log.topics, log.data))
  }

  /** Resolves to the function call in calldata; `undefined` if no ABI has it. */
  decodeCall(input: Hex, contract?: Contract): Promise<Decoded | undefined> {
    return this.#first(contract, (codec) => codec.call(input))
  }

  /** Resolves to the decoded `output` of the function that `input` calls; `undefined` if no ABI has the function. */
  decodeResult(input: Hex, output: Hex, contract?: Contract): Promise<Decoded | undefined> {
    return this.#first(contract, (codec) => codec.result(input, output))
  }

  /** Returns a copy. An ABI that is added to the copy is not added to the original, and vice versa. */
  copy(): Abis {
    return new Abis(this.#contracts)
  }

  async #first<T>(
    asked: Contract | undefined,
    decode: (codec: Codec) => T | undefined,
  ): Promise<T | undefined> {
    const contracts = asked === undefined ? this.#contracts : [asked, ...this.#contracts]
    const decoded = contracts.length === 0 ? undefined : await firstDecoded(contracts, decode)
    if (decoded !== undefined || this.artifactAbis === undefined) return decoded
    const merged = (await this.artifactAbis.load()) ? this.artifactAbis.merged : undefined
    return merged && firstDecoded([merged], decode)
  }
}

/** Caches the module, because even a repeated dynamic import takes time. */
let codec: typeof import('./codec.ts') | undefined

async function firstDecoded<T>(
  contracts: readonly Contract[],
  decode: (codec: Codec) => T | undefined,
): Promise<T | undefined> {
  codec ??= await import('./codec.ts')
  const { codecOf } = codec
  for (const contract of contracts) {
    const decoded = decode(codecOf(contract))
    if (decoded !== undefined) return decoded
  }
  return undefined
}

function isOne(added: Abi | Artifact | Readonly<Record<string, Abi | Artifact>>): added is Abi | Artifact {
  if (typeof added !== 'object' || added === null) return true
  return Array.isArray(added) || Array.isArray((added as Partial<Artifact>).abi)
}
