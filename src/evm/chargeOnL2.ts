/**
 * The charges of an L2 around a transaction (specs.optimism.io `protocol/exec-engine.html`, `protocol/deposits.html`).
 * Before it, the ether of a deposit is minted, and other senders pay for data on L1; after it, the vaults receive these
 * fees and the base fee, which L1 burns.
 */
import { type Address, EMPTY_BYTES } from '../model/bytes/hex.ts'
import { l1Charge, noL1Charge } from '../model/l2/l1Fee.ts'
import { BASE_FEE_VAULT, L1_FEE_VAULT } from '../model/l2/l2.ts'
import type { L2Receipt } from '../model/receipt/receipt.ts'
import type { Draft } from '../state/draft.ts'
import { l1PricesIn } from '../state/l1Block.ts'
import type { Runnable } from './message.ts'

/** Pays the vaults after the transaction was run. Returns the fields that an L2 adds to the receipt. */
type Settle = (baseFeePerGas: bigint, gasUsed: bigint) => L2Receipt

/** Applies the charges before `transaction` is run. Returns the function that applies those after it. */
export function chargeOnL2(draft: Draft, { from, raw = EMPTY_BYTES, deposit }: Runnable): Settle {
  if (deposit !== undefined) {
    const depositNonce = draft.account(from)?.nonce ?? 0n
    pay(draft, from, deposit.mint)
    // The deposit may set new prices; its receipt has the new ones.
    return () => ({ l1: noL1Charge(raw, l1PricesIn(draft)), depositNonce })
  }
  const l1 = l1Charge(raw, l1PricesIn(draft))
  pay(draft, from, -l1.fee)
  return (baseFeePerGas, gasUsed) => {
    pay(draft, BASE_FEE_VAULT, baseFeePerGas * gasUsed)
    pay(draft, L1_FEE_VAULT, l1.fee)
    return { l1 }
  }
}

function pay(draft: Draft, address: Address, wei: bigint): void {
  // A payment of zero creates no account (EIP-161).
  if (wei === 0n) return
  const account = draft.account(address)
  draft.putAccount(address, account?.nonce ?? 0n, (account?.balance ?? 0n) + wei)
}
