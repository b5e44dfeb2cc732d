/**
 * Flat lists of frames, in the form of Parity's `trace` namespace (alloy's `rpc-types-trace`, which anvil and reth
 * return).
 */

import { ZERO_HASH } from '../bytes/hex.ts'
import type { Block } from '../model/block/block.ts'
import type { FlatFrame } from '../model/execution/trace.ts'
import { encodeBytes, encodeQuantity } from './hex.ts'
import type { JsonObject } from './parser.ts'

/** Returns the frames of the block's transaction at `index`. Block numbers and positions are JSON numbers here. */
export function encodeFlatTrace(frames: readonly FlatFrame[], block: Block, index: number): JsonObject[] {
  const place = {
    blockHash: block.hash === ZERO_HASH ? null : block.hash,
    blockNumber: Number(block.header.number),
    transactionHash: block.transactions[index]!.hash,
    transactionPosition: index,
  }
  return frames.map((frame) => ({ ...encodeFlatFrame(frame), ...place }))
}

/** Returns a frame, without its transaction. */
export function encodeFlatFrame(frame: FlatFrame): JsonObject {
  const { error, path, subtraces } = frame
  return {
    ...encodeWhat(frame),
    ...(error === undefined ? {} : { error }),
    subtraces,
    traceAddress: [...path],
  }
}

function encodeWhat(frame: FlatFrame): JsonObject {
  const { kind, from, to, input, output, error, isReverted } = frame
  const gas = encodeQuantity(frame.gas)
  const gasUsed = encodeQuantity(frame.gasUsed)
  const value = encodeQuantity(frame.value ?? 0n)
  switch (kind) {
    case 'SELFDESTRUCT':
      return { type: 'suicide', action: { address: from, balance: value, refundAddress: to }, result: null }
    case 'CREATE':
    case 'CREATE2': {
      const creationMethod = kind.toLowerCase()
      return {
        type: 'create',
        action: { from, gas, init: encodeBytes(input), value, creationMethod },
        result: error === undefined ? { address: to, code: encodeBytes(output), gasUsed } : null,
      }
    }
    default:
      return {
        type: 'call',
        action: { from, callType: kind.toLowerCase(), gas, input: encodeBytes(input), to, value },
        // The output of a revert is returned; after any other failure there is no result.
        result: error === undefined || isReverted ? { gasUsed, output: encodeBytes(output) } : null,
      }
  }
}
