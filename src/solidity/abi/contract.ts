/** A known contract: its ABI, and the address or code by which it is recognized. */
import { type Address, fromHex, type Hex, toHex } from '../../bytes/hex.ts'

/** An ABI: parsed JSON as compilers write it, or human-readable lines such as `error Custom(uint256 code)`. */
export type Abi = readonly (string | { readonly type: string })[]

/** The output of a compiler for a contract: an artifact of Hardhat or Foundry, or an object with the same members. */
export interface Artifact {
  /** The contract's ABI. */
  readonly abi: Abi
  /** The creation code, without constructor arguments. */
  readonly bytecode?: Bytecode | undefined
  /** The runtime code. */
  readonly deployedBytecode?: Bytecode | undefined
}

/** Bytecode as hex, or in Foundry's form `{ object }`. May have placeholders of unlinked libraries. */
export type Bytecode = string | { readonly object: string }

/** A contract that a devnet knows. */
export interface Contract {
  readonly name: string | undefined
  readonly abi: Abi
  readonly address: Address | undefined
  readonly creation: Uint8Array | undefined
  readonly runtime: Uint8Array | undefined
}

/** Returns the contract that `value` describes. Throws a `TypeError` with the expected form. */
export function toContract(value: Abi | Artifact, name: string | undefined, address?: string): Contract {
  const { abi, bytecode, deployedBytecode }: Partial<Artifact> = Array.isArray(value)
    ? { abi: value }
    : ((value ?? {}) as Artifact)
  if (!Array.isArray(abi)) {
    const what = name === undefined ? '' : ` ${name}:`
    const expected = 'an ABI (an array) or an artifact ({ abi, deployedBytecode })'
    throw new TypeError(
      `abis.add:${what} expected ${expected}, got ${abi === undefined ? typeof value : typeof abi}`,
    )
  }
  if (address !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(address)) {
    throw new TypeError(`abis.add: expected an address (0x and 40 hex digits), got ${address}`)
  }
  return {
    name,
    abi,
    address: address?.toLowerCase() as Address | undefined,
    creation: bytesOf(bytecode),
    runtime: bytesOf(deployedBytecode),
  }
}

/** What `toContract` makes a contract of, as a value of JSON. */
export interface AddedContract {
  readonly name: string | undefined
  readonly address: Address | undefined
  readonly artifact: {
    readonly abi: Abi
    readonly bytecode: Hex | undefined
    readonly deployedBytecode: Hex | undefined
  }
}

/** Returns what `toContract` makes this contract of. */
export function addedOf({ name, address, abi, creation, runtime }: Contract): AddedContract {
  const artifact = { abi, bytecode: creation && toHex(creation), deployedBytecode: runtime && toHex(runtime) }
  return { name, address, artifact }
}

/** Returns whether `code` is the contract's runtime code, or begins with its creation code. */
export function isCodeOf({ creation, runtime }: Contract, code: Uint8Array): boolean {
  return (
    (runtime !== undefined && runtime.length === code.length && beginsWith(code, runtime)) ||
    (creation !== undefined && beginsWith(code, creation))
  )
}

/**
 * Returns whether `code` begins with `compiled`. Compilers write zeros in place of immutables and library addresses, so
 * a zero byte matches any byte.
 */
function beginsWith(code: Uint8Array, compiled: Uint8Array): boolean {
  return code.length >= compiled.length && compiled.every((byte, at) => byte === 0 || byte === code[at])
}

/** The placeholder that solc writes for a library whose address is not known yet. */
const UNLINKED = /__\$[0-9a-f]{34}\$__/g

/** Returns the bytes of compiled code; `undefined` for interfaces, which have none. */
function bytesOf(code: Bytecode | undefined): Uint8Array | undefined {
  const text = typeof code === 'object' ? code.object : code
  const digits = text?.replace(/^0x/, '').replace(UNLINKED, '0'.repeat(40)).toLowerCase()
  if (digits === undefined || !/^([0-9a-f]{2})+$/.test(digits)) return undefined
  return fromHex(`0x${digits}` satisfies Hex)
}
