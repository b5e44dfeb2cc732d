/** Runs one transaction of a simulated block (eth_simulateV1): any account may be its sender, and its state is kept. */
import type { EVMResult } from '@ethereumjs/evm'
import type { Log } from '../model/receipt/log.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { Draft } from '../state/draft.ts'
import type { State } from '../state/state.ts'
import type { BlockContext } from './blockContext.ts'
import type { Evm, EvmListener } from './evm.ts'
import { Message } from './message.ts'
import type { SimulationRules } from './precompileMoves.ts'
import { outcomeOf, type Run } from './runMessage.ts'
import type { MovedPrecompiles } from './runners.ts'
import { type NumberedLog, SimulatedLogs } from './trace/simulatedLogs.ts'
import { watch } from './trace/watch.ts'

/** The options of eth_simulateV1 that affect a run. */
export interface SimulationMode {
  /** Whether transfers of ether are reported as logs. */
  readonly tracesTransfers: boolean
  /** Whether fees are charged even if none is offered. */
  readonly isValidated: boolean
  readonly rules: SimulationRules
}

/** A run in a simulated block, with its numbered logs. */
export interface SimulatedRun extends Run {
  /** The logs, including transfers of ether if requested. */
  readonly logs: readonly NumberedLog[]
  /** The index of the next log of the block. */
  readonly nextLogIndex: number
}

/** The place of a call in its block. */
interface SimulatedPlace {
  readonly context: BlockContext
  readonly moved: MovedPrecompiles | undefined
  /** The number of logs in the block before it. */
  readonly firstLogIndex: number
}

/**
 * Runs `transaction` on `state`. The caller has checked that it can be paid.
 *
 * Listening to instructions makes a run several times slower, so it is done only if the result depends on it: if
 * transfers are traced, or if logs of failed frames count and a first run had a failed frame.
 */
export async function simulateTransaction(
  evm: Evm,
  state: State,
  place: SimulatedPlace,
  transaction: Transaction,
  { tracesTransfers, isValidated, rules }: SimulationMode,
): Promise<SimulatedRun> {
  const { context, moved, firstLogIndex } = place
  const run = async (listen: ((draft: Draft) => EvmListener) | undefined): Promise<Run> => {
    const draft = new Draft(state)
    const message = new Message(evm.rules, transaction, true)
    const free = isValidated ? undefined : freeContext(context, transaction)
    const ran =
      free === undefined
        ? await evm.run(draft, context, message, moved, listen?.(draft))
        : await evm.run(draft, free, message, moved, revealing(free, context, listen?.(draft)))
    return { outcome: outcomeOf(ran, message), state: draft.finish() }
  }
  if (!tracesTransfers) {
    const failures = new FailedFrames()
    const plain = await run(rules === 'geth' ? () => failures : undefined)
    if (!failures.areThere) return inARow(plain, logsOf(plain), firstLogIndex)
  }
  const simulated = new SimulatedLogs(firstLogIndex, tracesTransfers)
  const watched = await run((draft) => watch(evm.rules, draft, simulated))
  const logs = simulated.among(logsOf(watched))
  return rules === 'geth'
    ? { ...watched, logs, nextLogIndex: simulated.next }
    : inARow(
        watched,
        logs.map(({ log }) => log),
        firstLogIndex,
      )
}

/** Returns `run` with its `logs` numbered consecutively. */
function inARow(run: Run, logs: readonly Log[], first: number): SimulatedRun {
  return {
    ...run,
    logs: logs.map((log, i) => ({ log, index: first + i })),
    nextLogIndex: first + logs.length,
  }
}

function logsOf({ outcome }: Run): readonly Log[] {
  return outcome.kind === 'success' ? outcome.logs : []
}

/** Records whether any frame failed. */
class FailedFrames implements EvmListener {
  areThere = false

  readonly beforeMessage = (): void => {}

  readonly afterMessage = ({ execResult }: EVMResult): void => {
    this.areThere ||= execResult.exceptionError !== undefined
  }
}

type Prices = Pick<BlockContext, 'baseFeePerGas' | 'blobBaseFee'>
/** A block context whose prices can change. */
type FreeContext = Omit<BlockContext, keyof Prices> & { -readonly [K in keyof Prices]: Prices[K] }

/**
 * Returns `context` without the prices that `transaction` does not offer to pay; `undefined` if it pays all of them.
 */
function freeContext(context: BlockContext, transaction: Transaction): FreeContext | undefined {
  const { maxFeePerGas, maxPriorityFeePerGas, blobVersionedHashes, maxFeePerBlobGas } = transaction
  const isFree = maxFeePerGas === 0n && maxPriorityFeePerGas === 0n && (context.baseFeePerGas ?? 0n) > 0n
  const hasFreeBlobs = blobVersionedHashes !== undefined && maxFeePerBlobGas === 0n
  if (!isFree && !hasFreeBlobs) return undefined
  return {
    ...context,
    baseFeePerGas: isFree ? 0n : context.baseFeePerGas,
    blobBaseFee: hasFreeBlobs ? 0n : context.blobBaseFee,
  }
}

/**
 * Sets the prices of `context` in `free` as soon as code runs: by then the payment is settled, and BASEFEE and
 * BLOBBASEFEE return the block's values.
 */
function revealing(
  free: FreeContext,
  { baseFeePerGas, blobBaseFee }: Prices,
  then: EvmListener | undefined,
): EvmListener {
  return {
    ...(then?.step === undefined ? {} : { step: then.step }),
    beforeMessage(message) {
      free.baseFeePerGas = baseFeePerGas
      free.blobBaseFee = blobBaseFee
      then?.beforeMessage(message)
    },
    afterMessage: then?.afterMessage ?? (() => {}),
  }
}
