/** A contract whose ABI is known, with its address or its code. */
import { type Address, fromHex, type Hex, toHex } from '../../bytes/hex.ts'

/** An ABI: JSON of a compiler, or human-readable lines such as `error Custom(uint256 code)`. */
export type Abi = readonly (string | { readonly type: string })[]

/** An artifact of Hardhat or Foundry, or an object with the same members. */
export interface Artifact {
  /** The contract's ABI, as JSON or as human-readable lines. */
  readonly abi: Abi
  /** The creation code, without constructor arguments. */
  readonly bytecode?: Bytecode | undefined
  /** The runtime code, which the deployed contract has. */
  readonly deployedBytecode?: Bytecode | undefined
}

/** Code as hex, or Foundry's `{ object }`. The hex may contain placeholders of unlinked libraries. */
export type Bytecode = string | { readonly object: string }

export interface Contract {
  readonly name: string | undefined
  readonly abi: Abi
  readonly address: Address | undefined
  readonly creation: Uint8Array | undefined
  readonly runtime: Uint8Array | undefined
}

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

/** The arguments of `toContract` as JSON. */
export interface AddedContract {
  readonly name: string | undefined
  readonly address: Address | undefined
  readonly artifact: {
    readonly abi: Abi
    readonly bytecode: Hex | undefined
    readonly deployedBytecode: Hex | undefined
  }
}

/** Returns the arguments from which `toContract` makes this contract. */
export function addedOf({ name, address, abi, creation, runtime }: Contract): AddedContract {
  const artifact = { abi, bytecode: creation && toHex(creation), deployedBytecode: runtime && toHex(runtime) }
  return { name, address, artifact }
}

/** Returns whether `code` is the contract's runtime code or begins with its creation code. */
export function isCodeOf({ creation, runtime }: Contract, code: Uint8Array): boolean {
  return (
    (runtime !== undefined && runtime.length === code.length && beginsWith(code, runtime)) ||
    (creation !== undefined && beginsWith(code, creation))
  )
}

/** Matches zero bytes in `compiled` with any byte: compilers write zeros for immutables and library addresses. */
function beginsWith(code: Uint8Array, compiled: Uint8Array): boolean {
  return code.length >= compiled.length && compiled.every((byte, at) => byte === 0 || byte === code[at])
}

/** solc's placeholder of an unlinked library. */
const UNLINKED = /__\$[0-9a-f]{34}\$__/g

/** Returns the bytes of hex code; `undefined` for interfaces, which have no code. */
function bytesOf(code: Bytecode | undefined): Uint8Array | undefined {
  const text = typeof code === 'object' ? code.object : code
  const digits = text?.replace(/^0x/, '').replace(UNLINKED, '0'.repeat(40)).toLowerCase()
  if (digits === undefined || !/^([0-9a-f]{2})+$/.test(digits)) return undefined
  return fromHex(`0x${digits}` satisfies Hex)
}
