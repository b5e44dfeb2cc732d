/**
 * The logs of a simulated call in the order in which they were emitted. With `traceTransfers` of eth_simulateV1 transfers of
 * ether are among them as if they were tokens': what the call itself brings, what inner calls and creations bring, what is
 * left to others by SELFDESTRUCT. Not what gas costs. Logs of a frame that failed are dropped.
 */
import { type Address, type Hash, toHex, toWord } from '../../model/bytes/hex.ts'
import type { Log } from '../../model/receipt/log.ts'
import { LOG0, LOG4 } from './opcodes.ts'
import type { Frame, Tracer } from './tracer.ts'

/** A log, and its index among the logs of its block. */
export interface NumberedLog {
  readonly log: Log
  readonly index: number
}

/** Where ether would be a token (ERC-7528). */
const ETHER: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
/** Transfer(address,address,uint256) */
const TRANSFER: Hash = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** What happened in a frame, in its order: a contract logged something, or ether came along. */
interface Entry {
  readonly index: number
  readonly transfer: Transfer | undefined
}

interface Transfer {
  readonly from: Address
  /** Of a creation it is known in the end. */
  to: Address | undefined
  readonly value: bigint
}

interface OpenFrame {
  readonly transfer: Transfer | undefined
  readonly entries: Entry[]
  /** Whether its last instruction is a LOG. */
  isLogging: boolean
}

export class SimulatedLogs implements Pick<Tracer, 'enter' | 'step' | 'fault' | 'exit'> {
  readonly #tellsTransfers: boolean
  readonly #open: OpenFrame[] = []
  #entries: readonly Entry[] = []
  #next: number

  /** Counts from `first` on, the index of the first log; `tellsTransfers`: whether transfers of ether are logs, too. */
  constructor(first: number, tellsTransfers: boolean) {
    this.#next = first
    this.#tellsTransfers = tellsTransfers
  }

  /** The index of the next log, where those of failed frames count, too. */
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
    open.isLogging = opcode >= LOG0 && opcode <= LOG4
    if (open.isLogging) open.entries.push(this.#entry(undefined))
  }

  /** An instruction that fails logs nothing. */
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

  /** The transfers among `logs`, which are those of the whole run, each where it happened and with its index. */
  among(logs: readonly Log[]): NumberedLog[] {
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

/** Code of others that runs in the caller's name brings nothing, whatever value it is shown. */
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
