/** Runs one transaction or call on a state: the step that transactions and simulations share. */
import type { L2Receipt } from '../../model/receipt/receipt.ts'
import type { State } from '../../state/state.ts'
import type { StateView } from '../../state/view.ts'
import { whenFetched } from '../../state/whenFetched.ts'
import { type MaybePromise, whenThere } from '../../work/maybePromise.ts'
import type { BlockContext } from '../blockContext.ts'
import type { MovedPrecompiles, Watcher } from '../engine.ts'
import type { Evm } from '../evm.ts'
import type { Outcome } from '../outcome.ts'
import { chargeOnL2 } from './chargeOnL2.ts'
import { paymentOf, type Runnable, simulationMessage, transactionMessage } from './message.ts'

/** The outcome, and the state after it. */
export interface Run {
  readonly outcome: Outcome
  readonly state: State
  /** The fields that an L2 adds to the receipt. */
  readonly l2?: L2Receipt | undefined
}

/**
 * Runs a transaction: its sender pays, and its nonce increases. The caller has checked that it is executable. Returns a
 * promise only if the run paused or the engine is asynchronous.
 */
export function runTransaction(
  evm: Evm,
  state: State,
  context: BlockContext,
  transaction: Runnable,
  watcher?: Watcher,
): MaybePromise<Run> {
  const message = transactionMessage(transaction, context)
  if (evm.rules.l2 === undefined) {
    return whenThere(evm.run(state, context, message, watcher), ({ outcome, changes }) => ({
      outcome,
      state: state.with(changes),
    }))
  }
  const charged = whenFetched(() => chargeOnL2(evm.rules.l2Upgrade, state, transaction), evm.work)
  return whenThere(charged, ({ begun, settle }) =>
    whenThere(evm.run(begun, context, message, watcher), ({ outcome, changes }) => ({
      outcome,
      ...settle(begun.with(changes), context.baseFeePerGas ?? 0n, outcome.gasUsed),
    })),
  )
}

/** Runs a simulation, whose changes are dropped. The caller has checked gas and balance. */
export function simulate(
  evm: Evm,
  state: StateView,
  context: BlockContext,
  call: Runnable,
  moved?: MovedPrecompiles,
  watcher?: Watcher,
): MaybePromise<Outcome> {
  const message = simulationMessage(call, paymentOf(call, context), moved, true)
  return whenThere(evm.run(state, context, message, watcher), ({ outcome }) => outcome)
}
