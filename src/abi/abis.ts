/**
 * The ABIs that a devnet was told of, and what bytes mean by them.
 *
 * Adding one costs nothing: what decodes is loaded when there is something to decode.
 */
import type { Address, Hash, Hex } from '../model/bytes/hex.ts'
import { namesOf, requireOptions } from '../model/knownNames.ts'
import type { Codec } from './codec.ts'
import { type Abi, type Artifact, type Contract, isCodeOf, toContract } from './contract.ts'
import type { Decoded } from './decoded.ts'

const ADD_OPTIONS = namesOf<{ name: unknown; address: unknown }>({ name: true, address: true })

export class Abis {
  /** The newest first. Replaced and never changed, so that forks share it until one of them adds to it. */
  #contracts: readonly Contract[]

  /** @internal Every devnet has its own: `devnet.abis`. */
  constructor(contracts: readonly Contract[] = []) {
    this.#contracts = contracts
  }

  /**
   * Adds an ABI, or what a compiler wrote of a contract (`{ abi, bytecode, deployedBytecode }`). Its errors, events and
   * functions are decoded from then on, wherever they come from. The name is shown where the contract is known to be: at
   * `address`, or wherever its code is, if that was given. What is added later comes first. Throws a `TypeError`.
   */
  add(contract: Abi | Artifact, options?: { name?: string | undefined; address?: string | undefined }): void
  /** Adds several by their names: `add({ Market, Token })`. */
  add(contracts: Readonly<Record<string, Abi | Artifact>>): void
  add(
    added: Abi | Artifact | Readonly<Record<string, Abi | Artifact>>,
    options: { name?: string | undefined; address?: string | undefined } = {},
  ): void {
    requireOptions('abis.add', options, ADD_OPTIONS)
    const { name, address } = options
    const contracts = isOne(added)
      ? [toContract(added, name, address)]
      : Object.entries(added).map(([key, value]) => toContract(value, key))
    this.#contracts = [...contracts, ...this.#contracts]
  }

  /** All contracts that are known, the newest first. */
  [Symbol.iterator](): Iterator<Contract> {
    return this.#contracts[Symbol.iterator]()
  }

  /** The contract that is known to be at `address`, or to have `code` (or to be created by it). */
  find(address: Address, code?: Uint8Array): Contract | undefined {
    return (
      this.#contracts.find((contract) => contract.address === address) ??
      (code && this.#contracts.find((contract) => isCodeOf(contract, code)))
    )
  }

  /** The custom error in the data of a revert. Where several contracts have it, `contract` is asked first. */
  decodeError(data: Hex, contract?: Contract): Promise<Decoded | undefined> {
    return this.#first(contract, (codec) => codec.error(data))
  }

  /** The event in a log. */
  decodeEvent(
    log: { readonly topics: readonly Hash[]; readonly data: Hex },
    contract?: Contract,
  ): Promise<Decoded | undefined> {
    return this.#first(contract, (codec) => codec.event(log.topics, log.data))
  }

  /** The function that calldata is for. */
  decodeCall(input: Hex, contract?: Contract): Promise<Decoded | undefined> {
    return this.#first(contract, (codec) => codec.call(input))
  }

  /** What the function answered that `input` called. */
  decodeResult(input: Hex, output: Hex, contract?: Contract): Promise<Decoded | undefined> {
    return this.#first(contract, (codec) => codec.result(input, output))
  }

  /** Another that knows the same; what is added to one, the other does not learn. */
  copy(): Abis {
    return new Abis(this.#contracts)
  }

  async #first<T>(
    asked: Contract | undefined,
    decode: (codec: Codec) => T | undefined,
  ): Promise<T | undefined> {
    if (this.#contracts.length === 0) return undefined
    const { codecOf } = await import('./codec.ts')
    const contracts = asked === undefined ? this.#contracts : [asked, ...this.#contracts]
    for (const contract of contracts) {
      const decoded = decode(codecOf(contract))
      if (decoded !== undefined) return decoded
    }
    return undefined
  }
}

function isOne(added: Abi | Artifact | Readonly<Record<string, Abi | Artifact>>): added is Abi | Artifact {
  // What is neither is refused as one.
  if (typeof added !== 'object' || added === null) return true
  return Array.isArray(added) || Array.isArray((added as Partial<Artifact>).abi)
}
