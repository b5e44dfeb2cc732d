/** Encodes results of Otterscan's methods (docs/custom-jsonrpc.md) like anvil, which uses alloy's `otterscan` types. */
import type { Block } from '../model/block/block.ts'
import type { FlatFrame } from '../model/execution/trace.ts'
import { encodeBlock, encodeIncludedTransaction, encodeReceipt } from './encode.ts'
import { encodeBytes, encodeQuantity } from './hex.ts'

type Json = Record<string, unknown>

export interface Placed {
  readonly block: Block
  readonly index: number
}

const OPERATION_TYPES: Readonly<Partial<Record<FlatFrame['kind'], number>>> = {
  CALL: 0,
  SELFDESTRUCT: 1,
  CREATE: 2,
  CREATE2: 3,
}

/** Encodes the frames that transfer ether, or that create or destroy a contract. Omits failed creations. */
export function encodeInternalOperations(frames: readonly FlatFrame[]): Json[] {
  return frames.flatMap(({ kind, from, to, value = 0n }) => {
    const type = OPERATION_TYPES[kind]
    if (type === undefined || to === undefined || (kind === 'CALL' && value === 0n)) return []
    return [{ type, from, to, value: encodeQuantity(value) }]
  })
}

export function encodeTraceEntries(frames: readonly FlatFrame[]): Json[] {
  return frames
    .filter(({ kind }) => kind.endsWith('CALL') || kind === 'CALLCODE')
    .map(({ kind, path, from, to, value, input, output }) => ({
      type: kind,
      depth: path.length,
      from,
      to,
      value: encodeQuantity(value ?? 0n),
      input: encodeBytes(input),
      output: encodeBytes(output),
    }))
}

const NO_ISSUANCE = { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' }

export function encodeBlockDetails(block: Block): Json {
  const { transactions: _, ...slim } = encodeBlock(block, 'hashes')
  const totalFees = block.receipts.reduce(
    (sum, receipt) => sum + receipt.gasUsed * receipt.effectiveGasPrice,
    0n,
  )
  return {
    block: { ...slim, transactionCount: block.transactions.length },
    issuance: NO_ISSUANCE,
    totalFees: encodeQuantity(totalFees),
  }
}

export function encodeBlockPage(block: Block, page: number, pageSize: number): Json {
  const placed = block.transactions
    .map((_, index): Placed => ({ block, index }))
    .slice(page * pageSize, (page + 1) * pageSize)
  const { transactions, receipts } = encodePlaced(placed)
  return {
    fullblock: { ...encodeBlock(block, 'hashes'), transactions, transactionCount: placed.length },
    receipts,
  }
}

/** Encodes transactions and their receipts. Otterscan expects the block's timestamp in each receipt. */
export function encodePlaced(placed: readonly Placed[]): { transactions: Json[]; receipts: Json[] } {
  return {
    transactions: placed.map(({ block, index }) => encodeIncludedTransaction(block, index)),
    receipts: placed.map(({ block, index }) => ({
      ...encodeReceipt(block, index),
      timestamp: encodeQuantity(block.header.timestamp),
    })),
  }
}
