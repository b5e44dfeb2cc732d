/** Runs an imported block, and compares its header with the result. */

import { type Address, type Hash, toHex } from '../../bytes/hex.ts'
import type { Moment } from '../../chain/moment.ts'
import { blockContext } from '../../engine/blockContext.ts'
import type { Evm } from '../../engine/evm.ts'
import { runIncluded } from '../../engine/run/runMessage.ts'
import { beginBlock, endBlock, type RequestFailure } from '../../engine/run/systemCalls.ts'
import type { UncheckedBlock } from '../../model/block/decodeBlock.ts'
import { blobGasLimit } from '../../model/block/fees.ts'
import { isMined } from '../../model/block/header.ts'
import { miningRewards } from '../../model/block/proofOfWork.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { union } from '../../model/receipt/log.ts'
import { encodeReceipt, type Receipt } from '../../model/receipt/receipt.ts'
import { hasHighS } from '../../model/transaction/signedTransaction.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { refuseAccount, refuseForm } from '../../pool/admit.ts'
import { listRoot } from '../../state/roots.ts'
import type { State } from '../../state/state.ts'
import { withPayments } from '../../state/stateEdits.ts'
import { IncludedTransactions } from '../block/includedTransactions.ts'
import {
  type BlockFlaw,
  DEVNET_RULES_HINT,
  differs,
  type ImportRules,
  type InclusionRejection,
  invalid,
} from './flawInHeader.ts'

export async function runBlock(
  evm: Evm,
  importRules: ImportRules,
  parent: State,
  block: UncheckedBlock,
  blockHash: (number: bigint) => Hash | undefined,
): Promise<Moment | BlockFlaw> {
  const { header, hash, transactions, ommers, withdrawals } = block
  const { rules } = evm
  const context = blockContext(rules, header, blockHash)
  let state = await beginBlock(evm, parent, context, header)
  const included = new IncludedTransactions(rules, context)
  for (const [index, transaction] of transactions.entries()) {
    const rejection = refuseIncluded(rules, transaction, state, header.gasLimit - included.gasUsed, context)
    if (rejection !== undefined) return { kind: 'transaction', index, hash: transaction.hash, rejection }
    const ran = runIncluded(evm, state, context, transaction)
    const run = ran instanceof Promise ? await ran : ran
    state = run.state
    included.add(transaction, run)
  }
  const { receipts, gasUsed, blobGasUsed } = included
  const ended = await endBlock(evm, state, context, receipts)
  const failed = flawInRequests(rules.l2 === undefined ? importRules : 'devnet', ended.failures)
  if (failed !== undefined) return failed
  state = withPayments(ended.state, paymentsOf(rules, block))
  const made: Made = { state, receipts, gasUsed, blobGasUsed, requestsHash: ended.requestsHash }
  return (
    flawInResults(rules, block, made) ?? {
      block: { header, hash, transactions, ommers, withdrawals, receipts },
      state,
    }
  )
}

const WEI_PER_GWEI = 10n ** 9n

/** Returns the wei paid to each address by withdrawals and mining rewards. */
export function paymentsOf(
  rules: Rules,
  { header, ommers, withdrawals = [] }: Pick<UncheckedBlock, 'header' | 'ommers' | 'withdrawals'>,
): (readonly [Address, bigint])[] {
  const withdrawn = withdrawals.map(
    ({ address, amountGwei }) => [address, amountGwei * WEI_PER_GWEI] as const,
  )
  return isMined(header) ? [...withdrawn, ...miningRewards(rules, header, ommers)] : withdrawn
}

/** Returns the reason why `transaction` cannot run next in its block, on `state`, with `gasLeft` left in the block. */
export function refuseIncluded(
  rules: Rules,
  transaction: Transaction,
  state: State,
  gasLeft: bigint,
  {
    baseFeePerGas = 0n,
    blobBaseFee = 0n,
  }: { baseFeePerGas: bigint | undefined; blobBaseFee: bigint | undefined },
): InclusionRejection | undefined {
  const { nonce, from, maxFeePerGas, maxFeePerBlobGas } = transaction
  // L1 validates deposits. A deposit that cannot run is included as failed.
  if (transaction.deposit !== undefined && rules.l2 !== undefined) return undefined
  if (rules.since('homestead') && hasHighS(transaction)) return { kind: 'highS' }
  const refused = refuseForm(transaction, { rules, blockGasLimit: gasLeft })
  if (refused !== undefined) return refused
  if (maxFeePerGas < baseFeePerGas) return { kind: 'feeBelowBaseFee', maxFeePerGas, baseFeePerGas }
  if (maxFeePerBlobGas !== undefined && maxFeePerBlobGas < blobBaseFee) {
    return { kind: 'blobFeeTooLow', maxFeePerBlobGas, blobBaseFee }
  }
  const impossible = refuseAccount(transaction, state, rules)
  if (impossible !== undefined) return impossible
  const next = state.account(from)?.nonce ?? 0n
  return nonce > next ? { kind: 'nonceTooHighForNow', next, got: nonce } : undefined
}

/** Returns the first of `failures` as a flaw. Under the rules `devnet`, failed system calls are not flaws. */
function flawInRequests(
  importRules: ImportRules,
  failures: readonly RequestFailure[],
): BlockFlaw | undefined {
  const [failure] = failures
  if (failure === undefined || importRules === 'devnet') return undefined
  switch (failure.kind) {
    case 'depositLayout': {
      const reason = `it has a DepositEvent that EIP-6110 does not allow: ${failure.reason}`
      return invalid(`transactions[${failure.transactionIndex}]`, failure.kind, reason)
    }
    case 'systemCallFailed': {
      const reason = `the call of the system contract ${failure.address} (EIP-${failure.eip}) failed`
      return invalid('block', failure.kind, reason)
    }
    case 'systemContractMissing': {
      const reason = `there is no code at ${failure.address}, the system contract of EIP-${failure.eip}; ${DEVNET_RULES_HINT}`
      return invalid('block', failure.kind, reason)
    }
  }
}

interface Made {
  readonly state: State
  readonly receipts: readonly Receipt[]
  readonly gasUsed: bigint
  readonly blobGasUsed: bigint
  readonly requestsHash: Hash | undefined
}

function flawInResults(rules: Rules, { header }: UncheckedBlock, made: Made): BlockFlaw | undefined {
  if (made.gasUsed !== header.gasUsed) return differs('gasUsed', header.gasUsed, made.gasUsed)
  if (header.blobGasUsed !== undefined) {
    const limit = blobGasLimit(rules, header.gasLimit)
    if (made.blobGasUsed > limit) {
      const reason = `the block has blobs of ${made.blobGasUsed} gas, at most ${limit} are allowed`
      return invalid('blobGasUsed', 'blobGasAboveLimit', reason)
    }
    if (made.blobGasUsed !== header.blobGasUsed) {
      return differs('blobGasUsed', header.blobGasUsed, made.blobGasUsed)
    }
  }
  const stated = {
    receiptsRoot: header.receiptsRoot,
    logsBloom: toHex(header.logsBloom),
    stateRoot: header.stateRoot,
  }
  const computed = {
    receiptsRoot: listRoot(made.receipts.map(encodeReceipt)),
    logsBloom: toHex(union(made.receipts.map(({ logsBloom }) => logsBloom))),
    stateRoot: made.state.root(),
  }
  for (const field of ['stateRoot', 'receiptsRoot', 'logsBloom'] as const) {
    if (stated[field] !== computed[field]) return differs(field, stated[field], computed[field])
  }
  return made.requestsHash === header.requestsHash
    ? undefined
    : differs('requestsHash', header.requestsHash, made.requestsHash)
}
