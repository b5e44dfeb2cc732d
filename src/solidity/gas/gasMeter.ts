/**
 * Measures transactions by contract and function, from the receipts of blocks. While blocks are made, only numbers are
 * noted; contracts and functions are named when the figures are asked for.
 */

import { areEqual } from '../../bytes/bytes.ts'
import { type Address, type Hex, hexOf } from '../../bytes/hex.ts'
import type { Block } from '../../model/block/block.ts'
import { L1_DEPOSITOR } from '../../model/l2/l2.ts'
import type { Receipt } from '../../model/receipt/receipt.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { NotFetched } from '../../state/remoteState.ts'
import type { StateView } from '../../state/view.ts'
import type { Abis } from '../abi/abis.ts'
import type { Artifacts } from '../artifacts/artifacts.ts'
import { type Implementation, implementationOf } from '../artifacts/proxies.ts'
import { counted, type GasFigures, type Measured, merged } from './figures.ts'
import { createdContract, isUnnamed, type Known, type Named, namedCall, type Target } from './naming.ts'

/** A block and the state after it. */
export interface MeasuredBlock {
  readonly block: Block
  readonly state: StateView
}

/** What names the contracts of a devnet. */
export interface Names {
  readonly abis: Abis
  readonly artifacts: Pick<Artifacts, 'load' | 'find'>
}

/** Measures the transactions of several devnets. */
export class GasMeter {
  /** A fork has the receipts of its parent, as the same objects. They are measured once. */
  readonly #measured = new WeakSet<Receipt>()
  readonly #devnets: MeterOfDevnet[] = []

  /** Returns what measures the blocks of one devnet. */
  of(names: Names): MeterOfDevnet {
    const meter = new MeterOfDevnet(names, this.#measured)
    this.#devnets.push(meter)
    return meter
  }

  /** Reads the artifacts of devnets with contracts that no ABI names, for `figures`. */
  async loadArtifacts(): Promise<void> {
    for (const devnet of this.#devnets) await devnet.loadArtifacts()
  }

  /** Returns what was measured, by the names that the contracts have now. */
  figures(): GasFigures {
    return merged(this.#devnets.map((devnet) => devnet.figures()))
  }
}

/** The gas of calls or creations that succeeded, and the number of those that failed. */
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

/** The calls of a contract, by the function's selector. */
interface Called extends Target {
  readonly bySelector: Map<Selector, Spent>
}

interface Created {
  readonly initCode: Uint8Array
  readonly spent: Spent
  codeSize: number
}

/** The first four bytes of calldata; `undefined` if there are fewer. */
type Selector = Hex | undefined

export class MeterOfDevnet {
  readonly #names: Names
  readonly #measured: WeakSet<Receipt>
  /** What ran at each address: a proxy may have had several implementations. */
  readonly #called = new Map<Address, Called[]>()
  readonly #created: Created[] = []

  /** @internal Use `GasMeter.of`. */
  constructor(names: Names, measured: WeakSet<Receipt>) {
    this.#names = names
    this.#measured = measured
  }

  /**
   * Measures the transactions of a block that have not been measured. Transfers to accounts without code and the
   * deposits by which an L2 learns of L1 are left out.
   */
  measure({ block, state }: MeasuredBlock): void {
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
    // The same bytes are kept once, however often a suite deploys them.
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

  /** Reads artifacts if a contract has no name without them. */
  async loadArtifacts(): Promise<void> {
    if (this.figures().some(({ name }) => isUnnamed(name))) await this.#names.artifacts.load()
  }

  /** Returns what was measured, by the names that the contracts have now. */
  figures(): GasFigures {
    const { abis, artifacts } = this.#names
    const known: Known = { abis, contracts: [...abis], find: (...code) => artifacts.find(...code) }
    return [
      ...[...this.#called.values()].flat().flatMap((called) =>
        [...called.bySelector].map(([selector, spent]) => {
          const { contract, signature } = namedCall(known, called, selector)
          return { ...nameOf(contract), functions: { [signature]: spent.measured } }
        }),
      ),
      ...this.#created.map(({ initCode, spent, codeSize }) => ({
        ...nameOf(createdContract(known, initCode)),
        functions: {},
        deployment: { ...spent.measured, codeSize, initCodeSize: initCode.length },
      })),
    ]
  }
}

function nameOf({ name, source }: Named) {
  return source === undefined ? { name } : { name, source }
}

const SELECTOR_BYTES = 4

/** Returns what ran; the contract itself where a network has not been asked for what tells its implementation. */
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
