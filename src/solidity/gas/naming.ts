/** The names of contracts and functions in gas figures: by the ABIs of a devnet, and by what compilers wrote. */

import { type Address, type Hex, toHex } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { Abis } from '../abi/abis.ts'
import { codecOf, itemsOf } from '../abi/codec.ts'
import { type Abi, type Contract, toContract } from '../abi/contract.ts'
import type { CodeMatch, CompiledContract, FindCode } from '../artifacts/compilation.ts'
import type { Implementation } from '../artifacts/proxies.ts'

/** What is known of the contracts of a devnet. */
export interface Known {
  readonly abis: Abis
  /** Those of `abis`. */
  readonly contracts: readonly Contract[]
  readonly find: FindCode
}

/** A contract as it is shown. */
export interface Named {
  readonly name: string
  readonly source: string | undefined
  /** Its ABI, if it is known. */
  readonly contract: Contract | undefined
}

/** A contract that was called. */
export interface Target {
  readonly address: Address
  /** The code at the address. */
  readonly own: Uint8Array
  /** What ran: the implementation if the contract is a proxy, otherwise the contract itself. */
  readonly implementation: Implementation
}

/**
 * Returns the contract and the signature of the function that a call with this selector runs. What `abis.add` names at
 * the address comes first; then a proxy is named after its implementation, unless only the ABI of the proxy has the
 * function. `selector` is undefined for calldata that is too short for one.
 */
export function namedCall(
  known: Known,
  { address, own, implementation }: Target,
  selector: Hex | undefined,
): { contract: Named; signature: string } {
  const here = known.contracts.find((contract) => contract.address === address)
  const candidates = [
    ...(here?.name === undefined ? [] : [{ name: here.name, source: undefined, contract: here }]),
    named(known, implementation, false),
    ...(own === implementation.code ? [] : [named(known, { address, code: own }, false)]),
  ]
  for (const contract of candidates) {
    const signature = selector && contract.contract && codecOf(contract.contract).signature(selector)
    if (signature !== undefined) return { contract, signature }
  }
  const [contract] = candidates
  return { contract: contract!, signature: fallbackOf(known, contract!.contract, selector) }
}

/** Returns the contract that this init code creates. */
export function createdContract(known: Known, initCode: Uint8Array): Named {
  return named(known, { address: NOWHERE, code: initCode }, true)
}

/** No contract is known to be there. */
const NOWHERE = '0x' as Address

function named({ abis, find }: Known, { address, code }: Implementation, isCreation: boolean): Named {
  const contract = abis.find(address, code)
  if (contract?.name !== undefined) return { name: contract.name, source: undefined, contract }
  const compiled = namedByArtifacts(find(code, isCreation))
  if (compiled !== undefined) return { ...compiled, contract: contract ?? compiled.contract }
  const bytes = contract?.creation ?? contract?.runtime ?? code
  return {
    name: `${UNNAMED}${toHex(keccak256(bytes)).slice(0, UNNAMED_DIGITS)}`,
    source: undefined,
    contract,
  }
}

/** Returns whether this is what a contract is called that nothing names. */
export function isUnnamed(name: string): boolean {
  return name.startsWith(UNNAMED)
}

const UNNAMED = 'unnamed '

/** Characters of the hash of its code by which a contract without a name is told from others. */
const UNNAMED_DIGITS = 10

function namedByArtifacts(match: CodeMatch | undefined): Named | undefined {
  if (match === undefined) return undefined
  const all = match.kind === 'contract' ? [match.contract] : match.contracts
  const [first] = all
  if (first === undefined) return undefined
  const name = [...new Set(all.map((one) => one.name))].join(' or ')
  const source = [...new Set(all.map(({ compilation, sourceName }) => compilation.pathOf(sourceName)))]
  return { name, source: source.join(' or '), contract: abiOf(first) }
}

const abisOfCompiled = new WeakMap<CompiledContract, Contract>()

function abiOf(compiled: CompiledContract): Contract | undefined {
  const known = abisOfCompiled.get(compiled)
  if (known !== undefined) return known
  const { abi } = compiled.output
  if (!Array.isArray(abi)) return undefined
  const contract = toContract(abi as Abi, compiled.name)
  abisOfCompiled.set(compiled, contract)
  return contract
}

/** What runs where the contract's ABI has no such function. */
function fallbackOf({ contracts }: Known, contract: Contract | undefined, selector: Hex | undefined): string {
  if (contract === undefined && selector !== undefined) {
    for (const one of contracts) {
      const signature = codecOf(one).signature(selector)
      if (signature !== undefined) return signature
    }
    return selector
  }
  const items = contract === undefined ? [] : itemsOf(contract.abi)
  const isKnown = (type: string) => items.some((item) => item.type === type)
  if (selector === undefined) return isKnown('receive') || !isKnown('fallback') ? 'receive()' : 'fallback()'
  return isKnown('fallback') ? 'fallback()' : selector
}
