/** Messages between an L2 and its L1: deposits and withdrawals, each with the transactions that it needs on both chains. */
import type { Address, Hash } from '../../bytes/hex.ts'

export interface BridgeMessage {
  readonly kind: 'deposit' | 'withdrawal'
  readonly status: DepositStatus | WithdrawalStatus
  /** The time, in seconds, from which the next step is possible. `undefined` if it is possible now, or never. */
  readonly nextStepAt: bigint | undefined
  /** For a deposit, the hash of its transaction on L2; for a withdrawal, the hash by which the portal knows it. */
  readonly id: Hash
  readonly content: MessageContent
  /** The ether that a deposit mints. */
  readonly mint: bigint | undefined
  /** The transactions so far, oldest first. */
  readonly steps: readonly BridgeStep[]
}

type DepositStatus = 'waiting-for-l2' | 'success' | 'failed' | 'removed'

/** The statuses of viem's `getWithdrawalStatus`, and `removed` for a withdrawal that a reorg took away. */
export type WithdrawalStatus =
  | 'waiting-to-prove'
  | 'ready-to-prove'
  | 'waiting-to-finalize'
  | 'ready-to-finalize'
  | 'finalized'
  | 'removed'

export interface MessageContent {
  readonly from: Address
  /** `undefined` if a deposit creates a contract. */
  readonly to: Address | undefined
  readonly value: bigint
  /** The tokens that the standard bridge transfers. */
  readonly token: BridgedToken | undefined
}

interface BridgedToken {
  readonly l1: Address
  readonly l2: Address
  readonly amount: bigint
}

/** A transaction that moved a message on. */
export interface BridgeStep {
  readonly name: 'deposited' | 'derived' | 'initiated' | 'proposed' | 'proven' | 'finalized'
  readonly chain: 'l1' | 'l2'
  readonly transactionHash: Hash
  readonly blockNumber: bigint
  readonly timestamp: bigint
  readonly state: 'preconfirmed' | 'sealed' | 'removed'
  /** Whether the message was not executed: its transaction or its call failed. */
  readonly hasFailed: boolean
}
