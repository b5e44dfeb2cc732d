/** Measures the gas of transactions by contract and function. Looks up names at the end. */

import { areEqual } from '../../bytes/bytes.ts'
import { type Address, type Hex, hexOf, toHex } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { Block } from '../../model/block/block.ts'
import { L1_DEPOSITOR } from '../../model/l2/l2.ts'
import type { Receipt } from '../../model/receipt/receipt.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { NotFetched } from '../../state/remoteState.ts'
import type { StateView } from '../../state/view.ts'
import type { Abis } from '../abi/abis.ts'
import { codecOf, itemsOf } from '../abi/codec.ts'
import type { Contract } from '../abi/contract.ts'
import type { Artifacts } from '../artifacts/artifacts.ts'
import { abiOf, type CodeMatch, type FindCode } from '../artifacts/compilation.ts'
import { type Implementation, implementationOf } from '../artifacts/proxies.ts'
import { counted, type GasFigures, type Measured, merged } from './figures.ts'

export interface Names {
  readonly abis: Abis
  readonly artifacts: Pick<Artifacts, 'load' | 'find'>
}

export class GasMeter {
  /** Receipts that were already measured. A forked devnet also has the receipts of its origin. */
  readonly #measured = new WeakSet<Receipt>()
  readonly #devnets: MeterOfDevnet[] = []

  of(names: Names): MeterOfDevnet {
    const meter = new MeterOfDevnet(names, this.#measured)
    this.#devnets.push(meter)
    return meter
  }

  async loadArtifacts(): Promise<void> {
    for (const devnet of this.#devnets) await devnet.loadArtifacts()
  }

  figures(): GasFigures {
    return merged(this.#devnets.map((devnet) => devnet.figures()))
  }
}

class Spent {
  readonly gas: number[] = []
  failed = 0

  add({ status, gasUsed }: Receipt): void {
    if (status === 'success') this.gas.push(Number(gasUsed))
    else this.failed++
  }

  get measured(): Measured {
    return { gas: counted(this.gas), failed: this.failed }
  }
}

interface Called extends Target {
  readonly bySelector: Map<Selector, Spent>
}

interface Created {
  readonly initCode: Uint8Array
  readonly spent: Spent
  codeSize: number
}

/** `undefined` for calldata of less than four bytes. */
type Selector = Hex | undefined

export class MeterOfDevnet {
  readonly #names: Names
  readonly #measured: WeakSet<Receipt>
  /** Calls by called address. An address has several entries if it is a proxy that had several implementations. */
  readonly #called = new Map<Address, Called[]>()
  readonly #created: Created[] = []

  /** @internal Use `GasMeter.of`. */
  constructor(names: Names, measured: WeakSet<Receipt>) {
    this.#names = names
    this.#measured = measured
  }

  /** Measures transactions not measured yet, except L1 attributes deposits and calls of accounts without code. */
  measure({ block, state }: { readonly block: Block; readonly state: StateView }): void {
    const { transactions, receipts } = block
    for (const [i, receipt] of receipts.entries()) {
      if (this.#measured.has(receipt)) continue
      this.#measured.add(receipt)
      const transaction = transactions[i]!
      if (transaction.from === L1_DEPOSITOR) continue
      if (transaction.to === undefined) this.#addCreation(transaction, receipt, state)
      else this.#addCall(transaction.to, transaction.data, receipt, state)
    }
  }

  #addCall(to: Address, data: Uint8Array, receipt: Receipt, state: StateView): void {
    const own = state.code(to)
    if (own.length === 0) return
    const selector = data.length < SELECTOR_BYTES ? undefined : hexOf(data, 0, SELECTOR_BYTES)
    const implementation = implementationHere(state, to, own, selector)
    const here = this.#called.get(to) ?? []
    let called = here.find((one) => one.implementation.code === implementation.code)
    if (called === undefined) {
      called = { address: to, own, implementation, bySelector: new Map() }
      this.#called.set(to, [...here, called])
    }
    let spent = called.bySelector.get(selector)
    if (spent === undefined) {
      spent = new Spent()
      called.bySelector.set(selector, spent)
    }
    spent.add(receipt)
  }

  #addCreation({ data }: Transaction, receipt: Receipt, state: StateView): void {
    // Each init code is kept only once, because a suite deploys the same contract many times.
    let created = this.#created.find(({ initCode }) => areEqual(initCode, data))
    if (created === undefined) {
      created = { initCode: data, spent: new Spent(), codeSize: 0 }
      this.#created.push(created)
    }
    created.spent.add(receipt)
    if (receipt.status === 'success') {
      created.codeSize = Math.max(created.codeSize, state.code(receipt.contractAddress!).length)
    }
  }

  async loadArtifacts(): Promise<void> {
    if (this.figures().some(({ name }) => isUnnamed(name))) await this.#names.artifacts.load()
  }

  figures(): GasFigures {
    const { abis, artifacts } = this.#names
    const known: Known = { abis, contracts: [...abis], find: (...code) => artifacts.find(...code) }
    return [
      ...[...this.#called.values()].flat().flatMap((called) =>
        [...called.bySelector].map(([selector, spent]) => {
          const { contract, signature } = namedCall(known, called, selector)
          const { name, source } = contract
          return { name, source, functions: { [signature]: spent.measured } }
        }),
      ),
      ...this.#created.map(({ initCode, spent, codeSize }) => {
        const { name, source } = createdContract(known, initCode)
        const deployment = { ...spent.measured, codeSize, initCodeSize: initCode.length }
        return { name, source, functions: {}, deployment }
      }),
    ]
  }
}

const SELECTOR_BYTES = 4

/** Returns the implementation of a proxy; the contract itself if slots of a forked state are not fetched. */
function implementationHere(
  state: StateView,
  address: Address,
  own: Uint8Array,
  selector: Selector,
): Implementation {
  try {
    return implementationOf(state, address, own, selector)
  } catch (error) {
    if (!(error instanceof NotFetched)) throw error
    return { address, code: own }
  }
}

interface Known {
  readonly abis: Abis
  readonly contracts: readonly Contract[]
  readonly find: FindCode
}

interface Named {
  readonly name: string
  readonly source: string | undefined
  readonly contract: Contract | undefined
}

interface Target {
  readonly address: Address
  readonly own: Uint8Array
  /** The implementation if the contract is a proxy, otherwise the contract itself. */
  readonly implementation: Implementation
}

/** Finds the called function and its contract: in added ABIs, else in the implementation, else in the proxy. */
function namedCall(
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

function createdContract(known: Known, initCode: Uint8Array): Named {
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

function isUnnamed(name: string): boolean {
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
