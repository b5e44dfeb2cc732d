/** Runs one transaction of a simulated block (eth_simulateV1), from any sender, and returns the resulting state. */
import type { Log } from '../../model/receipt/log.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { State } from '../../state/state.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Execution, FrameExit, Message, MovedPrecompiles, Watcher } from '../engine.ts'
import type { Evm } from '../evm.ts'
import type { SimulationRules } from '../precompiles/precompileMoves.ts'
import { type NumberedLog, SimulatedLogs } from '../trace/simulatedLogs.ts'
import { type Payment, paymentOf, simulationMessage } from './message.ts'
import { type Run, runOn } from './runMessage.ts'

export interface SimulationMode {
  readonly tracesTransfers: boolean
  /** Whether base fee and blob base fee are charged even if the transaction offers no fee. */
  readonly isValidated: boolean
  readonly rules: SimulationRules
}

export interface SimulatedRun extends Run {
  readonly logs: readonly NumberedLog[]
  readonly nextLogIndex: number
}

interface SimulatedPlace {
  readonly context: BlockContext
  readonly moved: MovedPrecompiles | undefined
}

/**
 * Runs `transaction` on `state`. The caller has checked that the sender can pay. `firstLogIndex`: the number of
 * earlier logs in the block. Watching steps makes a run several times slower, so steps are watched only if transfers
 * are traced, or if logs of failed frames take indexes (as in geth) and a first run had a failed frame.
 */
export async function simulateTransaction(
  evm: Evm,
  state: State,
  place: SimulatedPlace & { readonly firstLogIndex: number },
  transaction: Transaction,
  mode: SimulationMode,
): Promise<SimulatedRun> {
  const { tracesTransfers, rules } = mode
  const { context, firstLogIndex } = place
  const message = messageOf(transaction, place, mode)
  const run = (watcher?: Watcher): MaybePromise<Run> =>
    runOn(evm.withCoverage, state, context, message, watcher)
  if (!tracesTransfers) {
    const failures = new FailedFrames()
    const plain = await run(rules === 'geth' ? failures : undefined)
    if (!failures.found) return withConsecutiveIndexes(plain, logsOf(plain), firstLogIndex)
  }
  const simulated = new SimulatedLogs(firstLogIndex, tracesTransfers)
  const watched = await run(simulated)
  const logs = simulated.withTransfers(logsOf(watched))
  return rules === 'geth'
    ? { ...watched, logs, nextLogIndex: simulated.next }
    : withConsecutiveIndexes(
        watched,
        logs.map(({ log }) => log),
        firstLogIndex,
      )
}

export function watchSimulated(
  evm: Evm,
  state: State,
  place: SimulatedPlace,
  transaction: Transaction,
  mode: SimulationMode,
  watcher: Watcher,
): MaybePromise<Execution> {
  return evm.run(state, place.context, messageOf(transaction, place, mode), watcher)
}

function messageOf(
  transaction: Transaction,
  { context, moved }: SimulatedPlace,
  { isValidated }: SimulationMode,
): Message {
  const payment = isValidated ? paymentOf(transaction, context) : offered(transaction, context)
  return simulationMessage(transaction, payment, moved)
}

function withConsecutiveIndexes(run: Run, logs: readonly Log[], first: number): SimulatedRun {
  return {
    ...run,
    logs: logs.map((log, i) => ({ log, index: first + i })),
    nextLogIndex: first + logs.length,
  }
}

function logsOf({ outcome }: Run): readonly Log[] {
  return outcome.kind === 'success' ? outcome.logs : []
}

class FailedFrames implements Watcher {
  found = false

  exit({ failure }: FrameExit): void {
    this.found ||= failure !== undefined
  }
}

/** Returns the prices that `transaction` pays without validation: 0 if it offers no fee. */
function offered(transaction: Transaction, context: BlockContext): Payment {
  const { maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas } = transaction
  const isFree = maxFeePerGas === 0n && maxPriorityFeePerGas === 0n
  const { gasPrice, tip, blobGasPrice } = paymentOf(
    transaction,
    isFree ? { ...context, baseFeePerGas: 0n } : context,
  )
  return { gasPrice, tip, blobGasPrice: maxFeePerBlobGas === 0n ? 0n : blobGasPrice }
}
