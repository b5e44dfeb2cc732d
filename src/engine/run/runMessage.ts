import { type Address, EMPTY_BYTES } from '../../bytes/hex.ts'
import { depositL1Charge, l1Charge, operatorFee } from '../../model/l2/l1Fee.ts'
import {
  BASE_FEE_VAULT,
  L1_BLOCK,
  L1_FEE_VAULT,
  type L2Upgrade,
  OPERATOR_FEE_VAULT,
} from '../../model/l2/l2.ts'
import type { L2Receipt } from '../../model/receipt/receipt.ts'
import { l1PricesIn } from '../../state/l1Block.ts'
import type { State } from '../../state/state.ts'
import { withPayments } from '../../state/stateEdits.ts'
import type { StateView } from '../../state/view.ts'
import { whenFetched } from '../../state/whenFetched.ts'
import { andThen, type MaybePromise } from '../../work/maybePromise.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Message, MovedPrecompiles, Outcome, Watcher } from '../engine.ts'
import type { Evm } from '../evm.ts'
import { paymentOf, type Runnable, simulationMessage, transactionMessage } from './message.ts'

export interface Run {
  readonly outcome: Outcome
  readonly state: State
  readonly l2?: L2Receipt | undefined
}

/** Runs a checked transaction. Returns a promise only if the run paused or the engine is asynchronous. */
export function runTransaction(
  evm: Evm,
  state: State,
  context: BlockContext,
  transaction: Runnable,
  watcher?: Watcher,
): MaybePromise<Run> {
  const message = transactionMessage(transaction, context)
  if (evm.rules.l2 === undefined) {
    return runOn(evm, state, context, message, watcher)
  }
  const charged = whenFetched(() => chargeOnL2(evm.rules.l2Upgrade, state, transaction), evm.work)
  return andThen(charged, ({ begun, settle }) =>
    andThen(evm.run(begun, context, message, watcher), ({ outcome, changes }) => ({
      outcome,
      ...settle(begun.with(changes), context.baseFeePerGas ?? 0n, outcome.gasUsed),
    })),
  )
}

export function runOn(
  evm: Evm,
  state: State,
  context: BlockContext,
  message: Message,
  watcher?: Watcher,
): MaybePromise<Run> {
  return andThen(evm.run(state, context, message, watcher), ({ outcome, changes }) => ({
    outcome,
    state: state.with(changes),
  }))
}

/** Runs a transaction of a new block. Before Byzantium, fetches the values needed for the state root in its receipt. */
export function runIncluded(
  evm: Evm,
  state: State,
  context: BlockContext,
  transaction: Runnable,
): MaybePromise<Run> {
  const ran = runTransaction(evm.withCoverage, state, context, transaction)
  if (state.remote === undefined || evm.rules.since('byzantium')) return ran
  return andThen(ran, (run) =>
    andThen(
      whenFetched(() => run.state.root(), evm.work),
      () => run,
    ),
  )
}

/** Runs a simulation and drops its changes. The caller has checked gas and balance. */
export function simulate(
  evm: Evm,
  state: StateView,
  context: BlockContext,
  call: Runnable,
  moved?: MovedPrecompiles,
  watcher?: Watcher,
): MaybePromise<Outcome> {
  const message = simulationMessage(call, paymentOf(call, context), moved, true)
  return andThen(evm.run(state, context, message, watcher), ({ outcome }) => outcome)
}

/** An L2 transaction whose sender has paid the L2 fees in advance. */
interface Charged {
  readonly begun: State
  /** Pays the fee vaults. Returns the new state and the L2 fields of the receipt. */
  settle(after: State, baseFeePerGas: bigint, gasUsed: bigint): Settled
}

interface Settled {
  readonly state: State
  readonly l2: L2Receipt
}

/** Charges the L2 fees in advance. Throws `NotFetched` if a value that this function or `settle` needs is missing. */
function chargeOnL2(
  upgrade: L2Upgrade,
  state: State,
  { from, raw = EMPTY_BYTES, deposit, gasLimit }: Runnable,
): Charged {
  state.requireAccounts([from, L1_BLOCK, BASE_FEE_VAULT, L1_FEE_VAULT])
  const prices = l1PricesIn(state, upgrade)
  if (prices.operator !== undefined) state.requireAccounts([OPERATOR_FEE_VAULT])
  if (deposit !== undefined) {
    const depositNonce = state.account(from)?.nonce ?? 0n
    return {
      begun: withPayments(state, [[from, deposit.mint]]),
      // This deposit may set new L1 prices. Its receipt reports the new prices.
      settle: (after) => ({
        state: after,
        l2: { l1: depositL1Charge(upgrade, raw, l1PricesIn(after, upgrade)), depositNonce },
      }),
    }
  }
  const l1 = l1Charge(upgrade, raw, prices)
  const operator = operatorFee(upgrade, prices, gasLimit)
  return {
    begun: charged(state, from, l1.fee + operator),
    settle: (after, baseFeePerGas, gasUsed) => ({
      state: withPayments(after, [
        [BASE_FEE_VAULT, baseFeePerGas * gasUsed],
        [L1_FEE_VAULT, l1.fee],
        ...toOperator(from, operator, operatorFee(upgrade, prices, gasUsed)),
      ]),
      l2: { l1 },
    }),
  }
}

/** Returns the payment to the operator and the refund to the sender, who paid the maximum in advance. */
function toOperator(from: Address, before: bigint, fee: bigint): readonly (readonly [Address, bigint])[] {
  if (before === 0n) return []
  return [
    [OPERATOR_FEE_VAULT, fee],
    [from, before - fee],
  ]
}

function charged(state: State, address: Address, wei: bigint): State {
  if (wei === 0n) return state
  return state.with([{ address, balance: (state.account(address)?.balance ?? 0n) - wei }])
}
