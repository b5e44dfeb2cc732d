/**
 * Transfers of ether as if they were tokens' (`traceTransfers` of eth_simulateV1): what the call itself brings, what inner
 * calls and creations bring, what is left to others by SELFDESTRUCT. Not what gas costs. Logs of who failed never were.
 */
import { type Address, type Hash, toHex, toWord } from '../../model/bytes/hex.ts'
import type { Log } from '../../model/receipt/log.ts'
import { LOG0, LOG4 } from './opcodes.ts'
import type { Frame, Tracer } from './tracer.ts'

/** Where ether would be a token (ERC-7528). */
const ETHER: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
/** Transfer(address,address,uint256) */
const TRANSFER: Hash = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** What happened in a frame, in its order: a contract logged something, or ether came along. */
type Entry = 'log' | Transfer

interface Transfer {
  readonly from: Address
  /** Of a creation it is known in the end. */
  to: Address | undefined
  readonly value: bigint
}

export class TransferTracer implements Pick<Tracer, 'enter' | 'step' | 'exit'> {
  readonly #open: { readonly transfer: Transfer | undefined; readonly entries: Entry[] }[] = []
  #entries: Entry[] = []

  enter(frame: Frame): void {
    const transfer = transferOf(frame)
    this.#open.push({ transfer, entries: transfer === undefined ? [] : [transfer] })
  }

  step({ opcode }: { readonly opcode: number }): void {
    if (opcode >= LOG0 && opcode <= LOG4) this.#open.at(-1)!.entries.push('log')
  }

  exit({ failure, createdAddress }: Parameters<NonNullable<Tracer['exit']>>[0]): void {
    const { transfer, entries } = this.#open.pop()!
    if (transfer !== undefined) transfer.to ??= createdAddress
    if (failure !== undefined) return
    const parent = this.#open.at(-1)
    if (parent === undefined) this.#entries = entries
    else for (const entry of entries) parent.entries.push(entry)
  }

  /** The transfers among `logs`, which are those of the whole run, each where it happened. */
  among(logs: readonly Log[]): Log[] {
    const next = logs.values()
    return this.#entries.map((entry) => (entry === 'log' ? next.next().value! : asLog(entry)))
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
