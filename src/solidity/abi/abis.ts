/**
 * The ABIs that a devnet knows, and the decoding of bytes by them.
 *
 * Adding an ABI is cheap: the decoder is loaded when there are bytes to decode.
 */
import type { Address, Hash, Hex } from '../../bytes/hex.ts'
import { namesOf, requireOptions } from '../../model/api/arguments.ts'
import type { Codec } from './codec.ts'
import { type Abi, type Artifact, type Contract, isCodeOf, toContract } from './contract.ts'
import type { Decoded } from './decoded.ts'

const ADD_OPTIONS = namesOf<{ name: unknown; address: unknown }>({ name: true, address: true })

/** @internal Contracts that nobody added: those of artifacts. */
export interface KnownElsewhere {
  /** Reads what was not read yet. Resolves to `false` where there is nothing. */
  load(): Promise<boolean>
  /** All ABIs as one contract, as far as they have been read. */
  readonly merged: Contract | undefined
}

/** The ABIs of a devnet, from which errors, events and calls are decoded. Forks begin with those of their parent. */
export class Abis {
  /** The newest first. The array is replaced and never changed, so that forks share it until one of them adds to it. */
  #contracts: readonly Contract[]
  /** @internal What is known besides: asked where no ABI that was added describes the bytes. */
  elsewhere: KnownElsewhere | undefined

  /** @internal Every devnet has its own, `devnet.abis`. */
  constructor(contracts: readonly Contract[] = []) {
    this.#contracts = contracts
  }

  /**
   * Adds an ABI, or the artifact that a compiler wrote for a contract (`{ abi, bytecode, deployedBytecode }`). Its
   * errors, events and functions are decoded from then on, whichever contract they come from. `name` is shown for the
   * contract at `address`, or for every contract with the artifact's code. ABIs that are added later take precedence.
   * Throws a `TypeError` for a value that is neither an ABI nor an artifact.
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

  /** @internal All that were added, the newest first: another array when one was added. */
  get all(): readonly Contract[] {
    return this.#contracts
  }

  /** Returns an iterator over all known contracts, the newest first. */
  [Symbol.iterator](): Iterator<Contract> {
    return this.#contracts[Symbol.iterator]()
  }

  /** Returns the contract that is known to be at `address`, else the one whose runtime or creation code is `code`. */
  find(address: Address, code?: Uint8Array): Contract | undefined {
    return (
      this.#contracts.find((contract) => contract.address === address) ??
      (code && this.#contracts.find((contract) => isCodeOf(contract, code)))
    )
  }

  /**
   * Resolves to the custom error in the data of a revert; `undefined` if no ABI has it. `contract` takes precedence
   * where several ABIs have the error.
   */
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

  /** Resolves to the values that the function called by `input` returned; `undefined` if no ABI has it. */
  decodeResult(input: Hex, output: Hex, contract?: Contract): Promise<Decoded | undefined> {
    return this.#first(contract, (codec) => codec.result(input, output))
  }

  /** Returns a copy: ABIs added to one later are not known to the other. */
  copy(): Abis {
    return new Abis(this.#contracts)
  }

  async #first<T>(
    asked: Contract | undefined,
    decode: (codec: Codec) => T | undefined,
  ): Promise<T | undefined> {
    const contracts = asked === undefined ? this.#contracts : [asked, ...this.#contracts]
    return (
      (contracts.length === 0 ? undefined : await firstDecoded(contracts, decode)) ??
      (await this.#byFallback(decode))
    )
  }

  async #byFallback<T>(decode: (codec: Codec) => T | undefined): Promise<T | undefined> {
    if (this.elsewhere === undefined || !(await this.elsewhere.load())) return undefined
    const { merged } = this.elsewhere
    return merged && firstDecoded([merged], decode)
  }
}

/** Kept: an import takes its time even of what is loaded already. */
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
  // A value that is neither an ABI nor an artifact is refused by `toContract`.
  if (typeof added !== 'object' || added === null) return true
  return Array.isArray(added) || Array.isArray((added as Partial<Artifact>).abi)
}
