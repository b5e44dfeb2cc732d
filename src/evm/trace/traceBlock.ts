/** Runs a block's transactions once more, from the state of its parent, and traces those that are asked for. */
import type { Block } from '../../model/block/block.ts'
import type { Hash } from '../../model/bytes/hex.ts'
import type { Trace, TraceRequest } from '../../model/execution/trace.ts'
import type { State } from '../../state/state.ts'
import { type BlockContext, blockContext } from '../blockContext.ts'
import type { Evm } from '../evm.ts'
import { type Run, runTransaction } from '../runMessage.ts'
import { beginBlock } from '../systemCalls.ts'
import { TraceBudget, type TraceTooLarge } from './budget.ts'
import { createTracer } from './createTracer.ts'
import { TRACE_BYTES, traceRun } from './traceRun.ts'
import type { Tracer } from './tracer.ts'

/** A block, the state of its parent and the hashes of the blocks before it. */
export interface Replay {
  readonly evm: Evm
  readonly block: Block
  readonly parent: State
  blockHash(number: bigint): Hash | undefined
}

/** Run again, the block's transaction at `index` does not do what its receipt says: the state it ran in is gone. */
export interface Unrepeatable {
  readonly kind: 'unrepeatable'
  readonly hash: Hash
}

/** The trace of the block's transaction at `index`. */
export async function traceAt(
  replay: Replay,
  index: number,
  request: TraceRequest,
): Promise<Trace | TraceTooLarge | Unrepeatable> {
  const budget = new TraceBudget(TRACE_BYTES)
  const state = await stateBefore(replay, index)
  if ('kind' in state) return state
  const run = await budget.within(() => tracedRun(replay, state, index, createTracer(request, budget)))
  return 'kind' in run ? run : run.trace
}

/** The traces of all of the block's transactions. */
export async function traceBlock(
  replay: Replay,
  request: TraceRequest,
): Promise<Trace[] | TraceTooLarge | Unrepeatable> {
  const budget = new TraceBudget(TRACE_BYTES)
  const traces: Trace[] = []
  let state = await stateBefore(replay, 0)
  for (const index of replay.block.transactions.keys()) {
    if ('kind' in state) return state
    await replay.evm.work.pause()
    const before = state
    const run = await budget.within(() => tracedRun(replay, before, index, createTracer(request, budget)))
    if ('kind' in run) return run
    traces.push(run.trace)
    state = run.state
  }
  return traces
}

/** The state in which the block's transaction at `index` runs. */
export async function stateBefore(replay: Replay, index: number): Promise<State | Unrepeatable> {
  const { evm, block, parent } = replay
  const context = contextOf(replay)
  let state = await beginBlock(evm, parent, context, block.header)
  for (const [earlier, transaction] of block.transactions.slice(0, index).entries()) {
    await evm.work.pause()
    if (!canRun(replay, state, earlier)) return unrepeatable(replay, earlier)
    const run = await runTransaction(evm, state, context, transaction)
    if (!isSame(replay, earlier, run)) return unrepeatable(replay, earlier)
    state = run.state
  }
  return state
}

async function tracedRun(
  replay: Replay,
  state: State,
  index: number,
  tracer: Tracer,
): Promise<(Run & { readonly trace: Trace }) | Unrepeatable> {
  if (!canRun(replay, state, index)) return unrepeatable(replay, index)
  const { evm, block } = replay
  const { firstLogIndex } = block.receipts[index]!
  const run = await traceRun(evm, state, contextOf(replay), block.transactions[index]!, tracer, {
    isSimulated: false,
    firstLogIndex,
  })
  return isSame(replay, index, run) ? run : unrepeatable(replay, index)
}

/** Tests may set accounts between blocks and, while a block is open, between its transactions. */
function canRun({ block }: Replay, state: State, index: number): boolean {
  const { from, nonce, gasLimit, maxFeePerGas, value, deposit } = block.transactions[index]!
  const { l2 } = block.receipts[index]!
  const account = state.account(from)
  const next = account?.nonce ?? 0n
  // A deposit begins with whatever balance there is.
  if (deposit !== undefined) return next === l2?.depositNonce
  const cost = gasLimit * maxFeePerGas + value + (l2?.l1.fee ?? 0n)
  return next === nonce && (account?.balance ?? 0n) >= cost
}

function isSame({ block }: Replay, index: number, { outcome }: Run): boolean {
  return outcome.gasUsed === block.receipts[index]!.gasUsed
}

function unrepeatable({ block }: Replay, index: number): Unrepeatable {
  return { kind: 'unrepeatable', hash: block.transactions[index]!.hash }
}

function contextOf({ evm, block, blockHash }: Replay): BlockContext {
  return blockContext(evm.rules, block.header, blockHash)
}
