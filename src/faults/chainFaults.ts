/** The planned faults of slices, blocks and reorgs. */

import type { Hash } from '../bytes/hex.ts'
import { type Block, userTransactions } from '../model/block/block.ts'
import type { Header } from '../model/block/header.ts'
import { grouped } from '../model/collections/grouped.ts'
import type { Fault, Planned, ReorgFault, SealFault, SliceFault } from '../model/fault.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { type DueFaults, dueReorg, dueSealFaults, dueSliceFault, type PlannedFault } from './dueFaults.ts'

/** Called for each fault that happens, with its block and slice. */
type OnFault = (fault: Fault, block: bigint, slice: number | undefined) => void

export class ChainFaults {
  readonly #onFault: OnFault
  #planned: readonly PlannedFault[] = []

  constructor(onFault: OnFault) {
    this.#onFault = onFault
  }

  get planned(): readonly PlannedFault[] {
    return this.#planned
  }

  add(fault: PlannedFault): void {
    this.#planned = [...this.#planned, fault]
  }

  /** Returns whether there was a fault with this id. */
  remove(id: number): boolean {
    const before = this.#planned
    this.#planned = before.filter((one) => one.id !== id)
    return this.#planned.length < before.length
  }

  clear(): void {
    this.#planned = []
  }

  ofSlice(number: bigint, slice: number): Planned<SliceFault> | undefined {
    if (this.#planned.length === 0) return undefined
    const [due] = this.#announced(dueSliceFault(this.#planned, { block: number, slice }), number, slice)
    return due
  }

  /** `isPossible`: whether a fault would change the block. */
  ofSeal(number: bigint, isPossible: (fault: SealFault) => boolean): readonly SealFault[] {
    if (this.#planned.length === 0) return []
    const due = this.#announced(dueSealFaults(this.#planned, { block: number }, isPossible), number)
    return due.map(({ fault }) => fault)
  }

  /** Returns the due reorg after the seal of block `number`, of at most `depth` blocks. */
  afterSeal(number: bigint, depth: number): ReorgFault | undefined {
    if (this.#planned.length === 0) return undefined
    const [due] = this.#announced(dueReorg(this.#planned, { block: number }, depth), number)
    return due?.fault
  }

  #announced<F extends Fault>(
    { due, planned }: DueFaults<F>,
    block: bigint,
    slice?: number,
  ): readonly Planned<F>[] {
    this.#planned = planned
    for (const { fault } of due) this.#onFault(fault, block, slice)
    return due
  }
}

/** The differences of a sealed block from the pre-confirmed one. */
export interface SealChange {
  readonly header: Partial<Pick<Header, 'timestamp' | 'prevRandao'>>
  /** The transactions after the deposits, in order. */
  readonly transactions: readonly Transaction[]
  readonly dropped: readonly { readonly hash: Hash; readonly lands: 'next' | 'never' }[]
}

export function canHappen(fault: SealFault, block: Block): boolean {
  const transactions = userTransactions(block)
  if (fault.kind === 'sealDifferently') return transactions.length > 0
  return fault.hash === undefined
    ? transactions.length > 0
    : transactions.some(({ hash }) => hash === fault.hash)
}

/** Returns the changes that `faults` make to `block`. */
export function changeOf(block: Block, faults: readonly SealFault[]): SealChange {
  let transactions = userTransactions(block)
  let header: SealChange['header'] = {}
  const dropped: { hash: Hash; lands: 'next' | 'never' }[] = []
  for (const fault of faults) {
    if (fault.kind === 'dropTransaction') {
      const hash = fault.hash ?? transactions.at(-1)?.hash
      if (hash === undefined) continue
      dropped.push({ hash, lands: fault.lands })
      transactions = transactions.filter((transaction) => transaction.hash !== hash)
    } else {
      const { order, laterSeconds = 0, prevRandao } = fault
      if (order === 'reversed') transactions = bySenderReversed(transactions)
      header = {
        ...header,
        ...(laterSeconds > 0 ? { timestamp: block.header.timestamp + BigInt(laterSeconds) } : {}),
        ...(prevRandao === undefined ? {} : { prevRandao }),
      }
    }
  }
  return { header, transactions, dropped }
}

/** Returns the transactions with the senders in reverse order; those of one sender stay in nonce order. */
function bySenderReversed(transactions: readonly Transaction[]): Transaction[] {
  return [...grouped(transactions, ({ from }) => from).values()].reverse().flat()
}
