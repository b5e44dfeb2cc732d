/** Runs one transaction of a simulated block (eth_simulateV1): anyone may be its sender, and what it does is kept. */
import type { Log } from '../model/receipt/log.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { Draft } from '../state/draft.ts'
import type { State } from '../state/state.ts'
import type { BlockContext } from './blockContext.ts'
import type { Evm, EvmListener, MovedPrecompiles } from './evm.ts'
import { Message } from './message.ts'
import { outcomeOf, type Run } from './runMessage.ts'
import { TransferTracer } from './trace/transferTracer.ts'
import { watch } from './trace/watch.ts'

export interface SimulationMode {
  /** Whether transfers of ether are told as logs. */
  readonly tracesTransfers: boolean
  /** Whether fees are due even where none is offered. */
  readonly isValidated: boolean
}

export interface SimulatedRun extends Run {
  /** What was logged, with the transfers of ether among it if they were asked for. */
  readonly logs: readonly Log[]
}

/** Runs `transaction` on `state`. The caller has checked that it can be paid. */
export async function simulateTransaction(
  evm: Evm,
  state: State,
  context: BlockContext,
  transaction: Transaction,
  moved: MovedPrecompiles | undefined,
  { tracesTransfers, isValidated }: SimulationMode,
): Promise<SimulatedRun> {
  const draft = new Draft(state)
  const message = new Message(evm.rules, transaction, true)
  const transfers = tracesTransfers ? new TransferTracer() : undefined
  const watching = transfers && watch(evm.rules, draft, transfers)
  const free = isValidated ? undefined : freeContext(context, transaction)
  const ran =
    free === undefined
      ? await evm.run(draft, context, message, moved, watching)
      : await evm.run(draft, free, message, moved, revealing(free, context, watching))
  const outcome = outcomeOf(ran, message)
  const logs = outcome.kind === 'success' ? outcome.logs : []
  return { outcome, state: draft.finish(), logs: transfers?.among(logs) ?? logs }
}

type Prices = Pick<BlockContext, 'baseFeePerGas' | 'blobBaseFee'>
/** A block context in which prices can change. */
type FreeContext = Omit<BlockContext, keyof Prices> & { -readonly [K in keyof Prices]: Prices[K] }

/** `context` without the prices that `transaction` does not offer to pay; nothing where it pays all there are. */
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
 * Puts the prices of `context` into `free` as soon as code runs: what is paid is settled by then, and BASEFEE and
 * BLOBBASEFEE are those of the block for everybody.
 */
function revealing(
  free: FreeContext,
  { baseFeePerGas, blobBaseFee }: Prices,
  then: EvmListener | undefined,
): EvmListener {
  return {
    step: then?.step ?? (() => {}),
    beforeMessage(message) {
      free.baseFeePerGas = baseFeePerGas
      free.blobBaseFee = blobBaseFee
      then?.beforeMessage(message)
    },
    afterMessage: then?.afterMessage ?? (() => {}),
  }
}
