/** Runs a block's transactions again from the state of the parent block, and traces the requested transactions. */

import type { Address, Hash } from '../../bytes/hex.ts'
import type { Block } from '../../model/block/block.ts'
import { operatorFee } from '../../model/l2/l1Fee.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { State } from '../../state/state.ts'
import { andThen, type MaybePromise, runSteps, type Steps, waitFor } from '../../work/maybePromise.ts'
import { type BlockContext, blockContext } from '../blockContext.ts'
import type { Outcome, Watcher } from '../engine.ts'
import type { Evm } from '../evm.ts'
import { type Run, runTransaction } from '../run/runMessage.ts'
import { beginBlock } from '../run/systemCalls.ts'
import { TRACE_BYTES, traceRun } from './traceRun.ts'
import { TraceBudget, type Tracer, type TracerMaker, type TraceTooLarge } from './tracer.ts'

export interface ReplayedBlock {
  readonly evm: Evm
  readonly block: Block
  readonly parent: State
  blockHash(number: bigint): Hash | undefined
}

/** Returned if the repeated run of a transaction does not match the receipt, or cannot start. */
export interface Unrepeatable {
  readonly kind: 'unrepeatable'
  readonly hash: Hash
  readonly difference: RunDifference
}

/** Evidence that the state before a transaction is not the state in which the transaction originally ran. */
export type RunDifference =
  /** The sender's nonce differs from the transaction's, or the balance is too low. */
  | {
      readonly kind: 'sender'
      readonly from: Address
      readonly nonce: bigint
      readonly balance: bigint
      readonly needsNonce: bigint
      readonly needsBalance: bigint
    }
  | { readonly kind: 'gasUsed'; readonly recorded: bigint; readonly used: bigint }

export async function traceAt<Result>(
  replay: ReplayedBlock,
  index: number,
  tracer: TracerMaker<Result>,
): Promise<Result | TraceTooLarge | Unrepeatable> {
  const budget = new TraceBudget(TRACE_BYTES)
  const state = await stateBefore(replay, index)
  if ('kind' in state) return state
  const run = await budget.within(() => tracedRun(replay, state, index, tracer(budget)))
  return 'kind' in run ? run : run.trace
}

/** Repeats the transaction at `index` with a watcher. Returns a promise only if a run pauses or waits for a fetch. */
export function watchAt(
  replay: ReplayedBlock,
  index: number,
  watcher: Watcher,
): MaybePromise<Outcome | Unrepeatable> {
  return andThen(stateBefore(replay, index), (state) => {
    if ('kind' in state) return state
    const run = checked(replay, state, index, (transaction) =>
      runTransaction(replay.evm, state, contextOf(replay), transaction, watcher),
    )
    return andThen(run, (ran) => ('kind' in ran ? ran : ran.outcome))
  })
}

export async function traceBlock<Result>(
  replay: ReplayedBlock,
  tracer: TracerMaker<Result>,
): Promise<Result[] | TraceTooLarge | Unrepeatable> {
  const budget = new TraceBudget(TRACE_BYTES)
  const traces: Result[] = []
  let state = await stateBefore(replay, 0)
  for (const index of replay.block.transactions.keys()) {
    if ('kind' in state) return state
    await replay.evm.work.pause()
    const begun = state
    const run = await budget.within(() => tracedRun(replay, begun, index, tracer(budget)))
    if ('kind' in run) return run
    traces.push(run.trace)
    state = run.state
  }
  return traces
}

/** Returns the state before the block's transaction at `index`. Returns a promise in the same cases as `watchAt`. */
export function stateBefore(replay: ReplayedBlock, index: number): MaybePromise<State | Unrepeatable> {
  return runSteps(before(replay, index))
}

function* before(replay: ReplayedBlock, index: number): Steps<State | Unrepeatable> {
  const { evm, block, parent } = replay
  const context = contextOf(replay)
  let state: State = yield* waitFor(beginBlock(evm, parent, context, block.header))
  for (let earlier = 0; earlier < index; earlier++) {
    yield* waitFor(evm.work.pause())
    const begun = state
    const run: Run | Unrepeatable = yield* waitFor(
      checked(replay, begun, earlier, (transaction) => runTransaction(evm, begun, context, transaction)),
    )
    if ('kind' in run) return run
    state = run.state
  }
  return state
}

async function tracedRun<Result>(
  replay: ReplayedBlock,
  state: State,
  index: number,
  tracer: Tracer<Result>,
): Promise<(Run & { readonly trace: Result }) | Unrepeatable> {
  const { firstLogIndex } = replay.block.receipts[index]!
  return checked(replay, state, index, (transaction) =>
    traceRun(replay.evm, state, contextOf(replay), transaction, tracer, {
      isSimulated: false,
      firstLogIndex,
      transaction: { blockHash: replay.block.hash, index, hash: transaction.hash },
    }),
  )
}

/** Returns `Unrepeatable` if the transaction cannot start on `state` or does not use the gas in its receipt. */
function checked<R extends Run>(
  replay: ReplayedBlock,
  state: State,
  index: number,
  run: (transaction: Transaction) => MaybePromise<R>,
): MaybePromise<R | Unrepeatable> {
  const { block } = replay
  const transaction = block.transactions[index]!
  const unrepeatable = (difference: RunDifference): Unrepeatable => ({
    kind: 'unrepeatable',
    hash: transaction.hash,
    difference,
  })
  const sender = senderDifference(replay, state, index)
  if (sender !== undefined) return unrepeatable(sender)
  return andThen(run(transaction), (ran) => {
    const [recorded, used] = [block.receipts[index]!.gasUsed, ran.outcome.gasUsed]
    return used === recorded ? ran : unrepeatable({ kind: 'gasUsed', recorded, used })
  })
}

/** Returns the reason if the sender cannot start the transaction again, because a cheat changed the account. */
function senderDifference(
  { evm, block }: ReplayedBlock,
  state: State,
  index: number,
): RunDifference | undefined {
  const { from, nonce, gasLimit, maxFeePerGas, value, deposit } = block.transactions[index]!
  const { l2 } = block.receipts[index]!
  const account = state.account(from)
  const next = account?.nonce ?? 0n
  const balance = account?.balance ?? 0n
  const { l2Upgrade } = evm.rules
  const onL2 = l2 === undefined ? 0n : l2.l1.fee + operatorFee(l2Upgrade, l2.l1.prices, gasLimit)
  const needsNonce = deposit === undefined ? nonce : l2?.depositNonce
  const needsBalance = deposit === undefined ? gasLimit * maxFeePerGas + value + onL2 : 0n
  if (next === needsNonce && balance >= needsBalance) return undefined
  return { kind: 'sender', from, nonce: next, balance, needsNonce: needsNonce ?? nonce, needsBalance }
}

function contextOf({ evm, block, blockHash }: ReplayedBlock): BlockContext {
  return blockContext(evm.rules, block.header, blockHash)
}
