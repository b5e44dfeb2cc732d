/**
 * Collects the logs of a simulated call in order, without the logs of failed frames. With `traceTransfers` of
 * eth_simulateV1, adds ether transfers by calls, creations and SELFDESTRUCT as ERC-20 Transfer logs.
 */

import { type Address, type Hash, toHex, toWord } from '../../bytes/hex.ts'
import { OP } from '../../model/opcodes.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { Frame } from '../engine.ts'
import type { Tracer } from './tracer.ts'

export interface NumberedLog {
  readonly log: Log
  readonly index: number
}

/** The address that represents ether (ERC-7528). */
const ETHER: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
/** The topic of `Transfer(address,address,uint256)`. */
const TRANSFER: Hash = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** A log if `transfer` is `undefined`, otherwise an ether transfer. */
interface Entry {
  readonly index: number
  readonly transfer: Transfer | undefined
}

interface Transfer {
  readonly from: Address
  /** The recipient; for a creation, `undefined` until the creation ends. */
  to: Address | undefined
  readonly value: bigint
}

interface OpenFrame {
  readonly transfer: Transfer | undefined
  readonly entries: Entry[]
  isLogging: boolean
}

export class SimulatedLogs implements Pick<Tracer, 'enter' | 'step' | 'fault' | 'exit'> {
  readonly #tellsTransfers: boolean
  readonly #open: OpenFrame[] = []
  #entries: readonly Entry[] = []
  #next: number

  /** `first`: the index of the first log. `tellsTransfers`: whether ether transfers are added as logs. */
  constructor(first: number, tellsTransfers: boolean) {
    this.#next = first
    this.#tellsTransfers = tellsTransfers
  }

  /** The index of the next log. Logs of failed frames take indexes, too. */
  get next(): number {
    return this.#next
  }

  enter(frame: Frame): void {
    const transfer = this.#tellsTransfers ? transferOf(frame) : undefined
    const entries = transfer === undefined ? [] : [this.#entry(transfer)]
    this.#open.push({ transfer, entries, isLogging: false })
  }

  step({ opcode }: { readonly opcode: number }): void {
    const open = this.#open.at(-1)!
    open.isLogging = opcode >= OP.LOG0 && opcode <= OP.LOG4
    if (open.isLogging) open.entries.push(this.#entry(undefined))
  }

  fault(): void {
    if (this.#open.at(-1)!.isLogging) this.#next--
  }

  exit({ failure, createdAddress }: Parameters<NonNullable<Tracer['exit']>>[0]): void {
    const { transfer, entries } = this.#open.pop()!
    if (transfer !== undefined) transfer.to ??= createdAddress
    if (failure !== undefined) return
    const parent = this.#open.at(-1)
    if (parent === undefined) this.#entries = entries
    else for (const entry of entries) parent.entries.push(entry)
  }

  /** Returns all logs of the run (`logs`) and the ether transfers, in order and with their indexes. */
  withTransfers(logs: readonly Log[]): NumberedLog[] {
    const emitted = logs.values()
    return this.#entries.map(({ index, transfer }) => ({
      log: transfer === undefined ? emitted.next().value! : asLog(transfer),
      index,
    }))
  }

  #entry(transfer: Transfer | undefined): Entry {
    return { index: this.#next++, transfer }
  }
}

/** Returns the ether transfer of a frame, if any. DELEGATECALL and CALLCODE transfer nothing, even with a value. */
function transferOf({ kind, from, to, value }: Frame): Transfer | undefined {
  if (kind === 'DELEGATECALL' || kind === 'CALLCODE' || !value) return undefined
  return { from, to, value }
}

function asLog({ from, to, value }: Transfer): Log {
  return { address: ETHER, topics: [TRANSFER, word(from), word(to!)], data: toWord(value) }
}

function word(address: Address): Hash {
  return toHex(toWord(BigInt(address)))
}
