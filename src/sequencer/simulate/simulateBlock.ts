import { type BlockContext, blockContext } from '../../engine/blockContext.ts'
import type { MovedPrecompiles, Outcome, Watcher } from '../../engine/engine.ts'
import type { Evm } from '../../engine/evm.ts'
import { type MoveFlaw, precompileMoves } from '../../engine/precompiles/precompileMoves.ts'
import {
  type SimulationMode,
  simulateTransaction,
  watchSimulated,
} from '../../engine/run/simulateTransaction.ts'
import { beginBlock, endBlock } from '../../engine/run/systemCalls.ts'
import type { NumberedLog } from '../../engine/trace/simulatedLogs.ts'
import type { Block } from '../../model/block/block.ts'
import { blobGasLimit } from '../../model/block/fees.ts'
import { type Header, hashHeader } from '../../model/block/header.ts'
import type { BlockRequest } from '../../model/execution/call.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { rootedHeader } from '../../state/roots.ts'
import type { State } from '../../state/state.ts'
import { withOverrides, withPayments } from '../../state/stateEdits.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'
import { IncludedTransactions } from '../block/includedTransactions.ts'
import { paymentsOf } from '../import/runBlock.ts'
import {
  MAX_ACCOUNT_NONCE,
  type SimulationRejection,
  toSimulatedTransaction,
} from './simulatedTransaction.ts'

export interface BlockTask {
  readonly evm: Evm
  /** The header, except for fields that are computed by running the block. */
  readonly header: Header
  readonly blockHash: BlockContext['blockHash']
  readonly request: BlockRequest
  readonly mode: SimulationMode
  /** Gas left for the remaining calls of the simulation, independent of the block's gas limit. */
  readonly budget: bigint
}

export interface SimulatedBlock {
  readonly block: Block
  readonly results: readonly SimulatedResult[]
}

export interface SimulatedResult {
  readonly outcome: Outcome
  /** The logs of contracts and, if requested, logs of ether transfers. The receipt has only the logs of contracts. */
  readonly logs: readonly NumberedLog[]
  /** Repeats the call, observed by `watcher`. Exists only for a failed call. */
  readonly runAgain?: (watcher: Watcher) => MaybePromise<unknown>
}

export type BlockRequestFlaw = MoveFlaw | CallFlaw

interface CallFlaw {
  readonly kind: 'refusedSimulatedCall'
  readonly call: number
  readonly rejection: SimulationRejection
}

export async function simulateBlock(
  task: BlockTask,
  parent: State,
): Promise<(SimulatedBlock & { readonly state: State }) | BlockRequestFlaw> {
  const { evm, header, request } = task
  const { accounts, override } = request
  const moved =
    accounts.length === 0 ? NOTHING : precompileMoves(evm.rules.precompiles, accounts, task.mode.rules)
  if ('kind' in moved) return moved
  const context = contextOf(task)
  const begun = await beginBlock(evm, withOverrides(parent, accounts), context, header)
  const ran = await runCalls(task, context, moved.size > 0 ? moved : undefined, begun)
  if ('kind' in ran) return ran
  const { results } = ran
  const { transactions, receipts, gasUsed, blobGasUsed } = ran.included
  const ended = await endBlock(evm, ran.state, context, receipts)
  const withdrawals = header.withdrawalsRoot === undefined ? undefined : (override.withdrawals ?? [])
  const state = withPayments(ended.state, paymentsOf(evm.rules, { header, ommers: [], withdrawals }))
  const body = { transactions, ommers: [], withdrawals, receipts }
  const sealed: Header = {
    ...rootedHeader({ header, hash: header.parentHash, ...body }),
    stateRoot: state.root(),
    gasUsed,
    blobGasUsed: header.blobGasUsed === undefined ? undefined : blobGasUsed,
    requestsHash: ended.requestsHash,
  }
  return { block: { header: sealed, hash: hashHeader(sealed), ...body }, results, state }
}

const NOTHING: MovedPrecompiles = new Map()

function contextOf({ evm, header, blockHash, request }: BlockTask): BlockContext {
  const context = blockContext(evm.rules, header, blockHash)
  const { blobBaseFee } = request.override
  if (context.blobBaseFee === undefined || blobBaseFee === undefined) return context
  return { ...context, blobBaseFee }
}

interface CallsRun {
  readonly state: State
  readonly included: IncludedTransactions
  readonly results: readonly SimulatedResult[]
}

async function runCalls(
  { evm, header, request, mode, budget }: BlockTask,
  context: BlockContext,
  moved: MovedPrecompiles | undefined,
  begun: State,
): Promise<CallsRun | CallFlaw> {
  const { rules } = evm
  const { isValidated } = mode
  let state = begun
  let nextLogIndex = 0
  const included = new IncludedTransactions(rules, context)
  const results: SimulatedResult[] = []
  for (const [call, wanted] of request.calls.entries()) {
    await evm.work.pause()
    const room = {
      gas: header.gasLimit - included.gasUsed,
      budget: budget - included.gasUsed,
      blobGas: isValidated ? blobGasLimit(rules, header.gasLimit) - included.blobGasUsed : undefined,
    }
    const transaction = toSimulatedTransaction(rules, context, state, wanted, room, isValidated)
    if ('kind' in transaction) return { kind: 'refusedSimulatedCall', call, rejection: transaction }
    const place = { context, moved, firstLogIndex: nextLogIndex }
    const run = await simulateTransaction(evm, state, place, transaction, mode)
    const before = state
    const { outcome, logs } = run
    state = withSmallNonce(run.state, transaction)
    included.add(transaction, run)
    results.push(
      outcome.kind === 'success'
        ? { outcome, logs }
        : {
            outcome,
            logs,
            runAgain: (watcher) => watchSimulated(evm, before, place, transaction, mode, watcher),
          },
    )
    ;({ nextLogIndex } = run)
  }
  return { state, included, results }
}

/** Returns `state` with the sender's nonce set to 0 if it exceeds 64 bits, as in geth without validation. */
function withSmallNonce(state: State, { from }: Transaction): State {
  const nonce = state.account(from)?.nonce ?? 0n
  return nonce <= MAX_ACCOUNT_NONCE ? state : state.with([{ address: from, nonce: 0n }])
}
