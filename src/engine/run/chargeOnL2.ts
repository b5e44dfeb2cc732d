/**
 * The charges of an L2 around a transaction (specs.optimism.io `protocol/exec-engine.html`, `protocol/deposits.html`).
 * Before it, the ether of a deposit is minted, and other senders pay for data on L1 and the operator, for all their gas;
 * after it, the vaults receive these fees and the base fee, which L1 burns, and what the gas left over cost is returned.
 */
import { type Address, EMPTY_BYTES } from '../../bytes/hex.ts'
import { l1Charge, noL1Charge, operatorFee } from '../../model/l2/l1Fee.ts'
import {
  BASE_FEE_VAULT,
  L1_BLOCK,
  L1_FEE_VAULT,
  type L2Upgrade,
  OPERATOR_FEE_VAULT,
} from '../../model/l2/l2.ts'
import type { L2Receipt } from '../../model/receipt/receipt.ts'
import { l1PricesIn } from '../../state/l1Block.ts'
import { paid } from '../../state/payments.ts'
import type { State } from '../../state/state.ts'
import type { Runnable } from './message.ts'

/** A transaction that was charged for. */
interface Charged {
  /** The state in which it runs. */
  readonly begun: State
  /** Returns the state with the vaults paid after the run, and the fields that an L2 adds to the receipt. */
  settle(after: State, baseFeePerGas: bigint, gasUsed: bigint): Settled
}

interface Settled {
  readonly state: State
  readonly l2: L2Receipt
}

/**
 * Charges for `transaction` on `state`. Throws `NotFetched` if the state stands on a remote one and lacks anything that
 * this or `settle` needs.
 */
export function chargeOnL2(
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
      begun: paid(state, [[from, deposit.mint]]),
      // The deposit may set new prices; its receipt has the new ones.
      settle: (after) => ({
        state: after,
        l2: { l1: noL1Charge(upgrade, raw, l1PricesIn(after, upgrade)), depositNonce },
      }),
    }
  }
  const l1 = l1Charge(upgrade, raw, prices)
  const operator = operatorFee(upgrade, prices, gasLimit)
  return {
    begun: charged(state, from, l1.fee + operator),
    settle: (after, baseFeePerGas, gasUsed) => ({
      state: paid(after, [
        [BASE_FEE_VAULT, baseFeePerGas * gasUsed],
        [L1_FEE_VAULT, l1.fee],
        ...toOperator(from, operator, operatorFee(upgrade, prices, gasUsed)),
      ]),
      l2: { l1 },
    }),
  }
}

/** Returns the payment to the operator, of which the sender has paid at least as much before. */
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
