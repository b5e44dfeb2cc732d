/** The calls of a block's transactions, as in `debug_traceBlockByHash`. */

import type { Address, Hash, Hex } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { ProviderRpcError } from '../methods/provider.ts'
import type { Block } from '../model/block/block.ts'
import type { SourcePosition } from '../solidity/stackTrace/stackTrace.ts'

/** A call or creation with its inner calls, in the form of geth's callTracer. */
export interface TracedCall {
  readonly type: string
  readonly from: Address
  /** Absent: a creation that failed. */
  readonly to?: Address
  readonly value?: Hex
  readonly gasUsed: Hex
  readonly input: Hex
  readonly output?: Hex
  readonly error?: string
  readonly revertReason?: string
  readonly calls?: readonly TracedCall[]
  readonly logs?: readonly TracedLog[]
  /** Where it was made, if that is known. */
  readonly source?: SourcePosition
}

export interface TracedLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  /** The number of inner calls before it. */
  readonly position: Hex
}

const REQUEST = { tracer: 'callTracer', tracerConfig: { withLog: true, withSource: true } }

/** Returns the call of each transaction of `block`, or the reason why there is none. */
export async function callsOf(
  devnet: Devnet,
  block: Block,
): Promise<readonly TracedCall[] | { readonly reason: string }> {
  try {
    const traces = await devnet.request({ method: 'debug_traceBlockByHash', params: [block.hash, REQUEST] })
    return (traces as { readonly result: TracedCall }[]).map(({ result }) => result)
  } catch (error) {
    if (!(error instanceof ProviderRpcError)) throw error
    return { reason: error.message }
  }
}
