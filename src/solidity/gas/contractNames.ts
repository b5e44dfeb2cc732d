/** Looks up the names in gas figures, of contracts and functions, in the devnet's ABIs and in artifacts. */

import { type Address, type Hex, toHex } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { Abis } from '../abi/abis.ts'
import { codecOf, itemsOf } from '../abi/codec.ts'
import type { Contract } from '../abi/contract.ts'
import { abiOf, type CodeMatch, type FindCode } from '../artifacts/compilation.ts'
import type { Implementation } from '../artifacts/proxies.ts'

export interface Known {
  readonly abis: Abis
  readonly contracts: readonly Contract[]
  readonly find: FindCode
}

export interface Named {
  readonly name: string
  readonly source: string | undefined
  readonly contract: Contract | undefined
}

export interface Target {
  readonly address: Address
  readonly own: Uint8Array
  /** The implementation if the contract is a proxy, otherwise the contract itself. */
  readonly implementation: Implementation
}

/** Finds the called function and its contract: in added ABIs, else in the implementation, else in the proxy. */
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

export function createdContract(known: Known, initCode: Uint8Array): Named {
  return named(known, { address: NOWHERE, code: initCode }, true)
}

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

export function isUnnamed(name: string): boolean {
  return name.startsWith(UNNAMED)
}

const UNNAMED = 'unnamed '

/** Number of characters of the code hash, with `0x`, in the name of an unknown contract. */
const UNNAMED_DIGITS = 10

function namedByArtifacts(match: CodeMatch | undefined): Named | undefined {
  if (match === undefined) return undefined
  const all = match.kind === 'contract' ? [match.contract] : match.contracts
  const [first] = all
  if (first === undefined) return undefined
  const name = [...new Set(all.map((one) => one.name))].join(' or ')
  const source = [...new Set(all.map(({ compilation, sourceName }) => compilation.pathOf(sourceName)))]
  return { name, source: source.join(' or '), contract: first.output.abi && abiOf(first) }
}

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
