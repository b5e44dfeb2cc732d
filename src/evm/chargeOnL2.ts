/**
 * What an L2 does around a transaction (specs.optimism.io `protocol/exec-engine.html`, `protocol/deposits.html`): before it,
 * deposited ether is minted and senders pay for L1; after it, vaults get that, and what is burnt elsewhere.
 */
import { type Address, EMPTY_BYTES } from '../model/bytes/hex.ts'
import { l1Charge, noL1Charge } from '../model/l2/l1Fee.ts'
import { BASE_FEE_VAULT, L1_FEE_VAULT } from '../model/l2/l2.ts'
import type { L2Receipt } from '../model/receipt/receipt.ts'
import type { Draft } from '../state/draft.ts'
import { l1PricesIn } from '../state/l1Block.ts'
import type { Runnable } from './message.ts'

/** Pays the vaults when the transaction has been run, and answers what its receipt says of it. */
type Settle = (baseFeePerGas: bigint, gasUsed: bigint) => L2Receipt

/** Does what comes before `transaction` is run; what comes after it, the answered function does. */
export function chargeOnL2(draft: Draft, { from, raw = EMPTY_BYTES, deposit }: Runnable): Settle {
  if (deposit !== undefined) {
    const depositNonce = draft.account(from)?.nonce ?? 0n
    pay(draft, from, deposit.mint)
    // It may tell of new prices, and its receipt has those that are in force then.
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
  // An account that gets nothing does not begin to exist (EIP-161).
  if (wei === 0n) return
  const account = draft.account(address)
  draft.putAccount(address, account?.nonce ?? 0n, (account?.balance ?? 0n) + wei)
}
