/** How what a client wants sent becomes a transaction that waits. */

import { type Address, type Hash, type Hex, ZERO_ADDRESS } from '../../model/bytes/hex.ts'
import type { BlobSidecar } from '../../model/transaction/blobSidecar.ts'
import { isProven } from '../../model/transaction/kzgSidecar.ts'
import { impersonate, signTransaction } from '../../model/transaction/signedTransaction.ts'
import type { Transaction, UnsignedTransaction } from '../../model/transaction/transaction.ts'
import { breathe } from '../../sequencer/clock.ts'
import type { Submission } from '../../sequencer/submissions.ts'
import { type CallFields, toCall } from '../../wire/call.ts'
import type { Sent } from '../../wire/rawTransaction.ts'
import type { RpcContext } from '../context.ts'
import { Problem } from '../problem.ts'
import { enoughGas } from './calls.ts'
import { fill, type TransactionRequest } from './transactionRequest.ts'

/** Makes a transaction that can be submitted. */
export type Sign = (unsigned: UnsignedTransaction, from: Address) => Transaction

/** Who sends: the first account, where nobody is named. */
export function senderOf({ keys }: RpcContext, { fields }: TransactionRequest): Address {
  return fields.from ?? keys.keys().next().value ?? ZERO_ADDRESS
}

/** Who signs for `from`, if its key is here and unlocked. */
export function signatory({ keys }: RpcContext, from: Address): Sign | undefined {
  const key = keys.get(from)
  return key && signsWith(key)
}

export function signsWith(key: Uint8Array): Sign {
  return (unsigned, from) => signTransaction(unsigned, key, from)
}

/** Sends for an account whose key is here, or that is impersonated. Returns the hash; throws for any other account. */
export function sendAllowed(context: RpcContext, request: TransactionRequest): Promise<Hash> {
  const from = senderOf(context, request)
  const signs = signatory(context, from)
  if (signs === undefined && !context.sequencer.steering.isImpersonated(from)) {
    throw new Problem({ kind: 'unknownAccount', address: from })
  }
  return send(context, request, from, signs ?? impersonate)
}

/** Fills in what was left out, has it signed and lets it wait. Answers its hash. */
export async function send(
  context: RpcContext,
  request: TransactionRequest,
  from: Address,
  sign: Sign,
): Promise<Hex> {
  const { fields } = request
  return withGas(context, fields, from, async (gasLimit) => {
    const unsigned = fill(context, request, gasLimit)
    const make = (nonce: bigint) => sign({ ...unsigned, nonce: fields.nonce ?? nonce }, from)
    return accepted(await context.sequencer.submissions.submitNext(from, make))
  })
}

/** Lets a signed transaction wait, once its blobs are looked at. Answers its hash; throws why it may not. */
export async function submitSent(context: RpcContext, { transaction, sidecar }: Sent): Promise<Hash> {
  const { sequencer } = context
  const submit = async () => accepted(await sequencer.submissions.submit(transaction))
  return sidecar === undefined ? submit() : sequencer.clock.inTurn(() => requireProven(sidecar), submit)
}

async function requireProven(sidecar: BlobSidecar): Promise<void> {
  for (const index of sidecar.blobs.keys()) {
    const isRight = await isProven(sidecar, index)
    if (!isRight) throw new Problem({ kind: 'rejected', rejection: { kind: 'unprovenBlob', index } })
    // Each takes long enough for a tick to fall due.
    await breathe()
  }
}

/** What would be sent now. */
export async function filled(
  context: RpcContext,
  request: TransactionRequest,
  from: Address,
): Promise<UnsignedTransaction> {
  const { fields } = request
  return withGas(context, fields, from, (gasLimit) => ({
    ...fill(context, request, gasLimit),
    nonce: fields.nonce ?? pendingNonce(context, from),
  }))
}

/** What `eth_getTransactionCount` answers on `pending`: by the options waiting transactions count, or not. */
function pendingNonce({ chain, sequencer, options }: RpcContext, from: Address): bigint {
  if (options.pendingNonce === 'pool') return sequencer.submissions.nextNonce(from)
  return chain.pending.state.account(from)?.nonce ?? 0n
}

/** Goes on with the gas that is given, or with as much as the transaction needs on what is pre-confirmed. */
async function withGas<T>(
  context: RpcContext,
  fields: CallFields,
  from: Address,
  goOn: (gasLimit: bigint) => T | Promise<T>,
): Promise<T> {
  // Nothing is awaited where nothing has to be: a transaction keeps its place among the commands around it.
  if (fields.gas !== undefined) return goOn(fields.gas)
  return context.sequencer.clock.inTurn(() => enoughGas(context, { ...toCall(fields), from }), goOn)
}

/** The hash of a transaction that was let in. Throws the problem with one that was not. */
function accepted(submission: Submission): Hash {
  if (submission.kind === 'rejected') throw new Problem(submission)
  return submission.transaction.hash
}
