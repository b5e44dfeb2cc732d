/** A contract of which something is known: its ABI, and what tells it from others. */
import { type Address, fromHex, type Hex } from '../model/bytes/hex.ts'

/** An ABI as compilers write it (JSON, parsed), or as lines such as `error Custom(uint256 code)`. */
export type Abi = readonly (string | { readonly type: string })[]

/** What compilers write of a contract: that of Hardhat, of Foundry, or one with the same members. */
export interface Artifact {
  readonly abi: Abi
  /** What creates the contract, without its arguments. */
  readonly bytecode?: Bytecode | undefined
  /** The code that it has then. */
  readonly deployedBytecode?: Bytecode | undefined
}

/** Hex; libraries that were not linked yet may stand in it. */
export type Bytecode = string | { readonly object: string }

export interface Contract {
  readonly name: string | undefined
  readonly abi: Abi
  readonly address: Address | undefined
  readonly creation: Uint8Array | undefined
  readonly runtime: Uint8Array | undefined
}

/** The contract that `value` describes. Throws a `TypeError` that says what it would have to be. */
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

/** Whether `code` is what the contract was compiled to, or what creates it. */
export function isCodeOf({ creation, runtime }: Contract, code: Uint8Array): boolean {
  return (
    (runtime !== undefined && runtime.length === code.length && beginsWith(code, runtime)) ||
    (creation !== undefined && beginsWith(code, creation))
  )
}

/** Compilers leave zeros where immutables and libraries come to stand, so zeros may be anything. */
function beginsWith(code: Uint8Array, compiled: Uint8Array): boolean {
  return code.length >= compiled.length && compiled.every((byte, at) => byte === 0 || byte === code[at])
}

/** solc's mark for a library whose address is not known yet. */
const UNLINKED = /__\$[0-9a-f]{34}\$__/g

/** Interfaces have no code. */
function bytesOf(code: Bytecode | undefined): Uint8Array | undefined {
  const text = typeof code === 'object' ? code.object : code
  const digits = text?.replace(/^0x/, '').replace(UNLINKED, '0'.repeat(40)).toLowerCase()
  if (digits === undefined || !/^([0-9a-f]{2})+$/.test(digits)) return undefined
  return fromHex(`0x${digits}` satisfies Hex)
}
