/** Accepts the transactions of clients: fills in missing fields, signs, and submits. */

import { type Address, type Hash, type Hex, ZERO_ADDRESS } from '../../bytes/hex.ts'
import { type BlobSidecar, isProven } from '../../model/transaction/blobSidecar.ts'
import { impersonate, signTransaction } from '../../model/transaction/signedTransaction.ts'
import type { Transaction, UnsignedTransaction } from '../../model/transaction/transaction.ts'
import type { SendContext } from '../../rpc/context.ts'
import { Problem } from '../../rpc/errors/problem.ts'
import { isImpersonated } from '../../sequencer/cheats.ts'
import { yieldToEventLoop } from '../../sequencer/clock.ts'
import type { Submission } from '../../sequencer/submissions.ts'
import { type CallFields, toCall } from '../../wire/call.ts'
import type { Sent } from '../../wire/includedTransaction.ts'
import { enoughGas } from './calls.ts'
import { fill, type TransactionRequest } from './transactionRequest.ts'

export type Sign = (unsigned: UnsignedTransaction, from: Address) => Transaction

/** Returns the sender that the request names, by default the first account. */
export function senderOf({ keys }: SendContext, { fields }: TransactionRequest): Address {
  return fields.from ?? keys.keys().next().value ?? ZERO_ADDRESS
}

/** Returns the signing function of `from`; `undefined` if the devnet does not have its key. */
export function signatory({ keys }: SendContext, from: Address): Sign | undefined {
  const key = keys.get(from)
  return key && ((unsigned, from) => signTransaction(unsigned, key, from))
}

/** Sends from an unlocked or impersonated account. Returns the hash. Throws a `Problem` for any other account. */
export function sendAllowed(context: SendContext, request: TransactionRequest): Promise<Hash> {
  const from = senderOf(context, request)
  const signs = signatory(context, from)
  if (signs === undefined && !isImpersonated(context.upcoming.cheats, from)) {
    throw new Problem({ kind: 'unknownAccount', address: from })
  }
  return sendFrom(context, request, from, signs ?? impersonate)
}

/** Fills in missing fields, signs the transaction and submits it. Returns its hash. */
export async function sendFrom(
  context: SendContext,
  request: TransactionRequest,
  from: Address,
  sign: Sign,
): Promise<Hex> {
  const { fields } = request
  return withGas(context, fields, from, async (gasLimit) => {
    const unsigned = fill(context, request, gasLimit)
    const make = (nonce: bigint) => sign({ ...unsigned, nonce: fields.nonce ?? nonce }, from)
    return accepted(await context.submissions.submitNext(from, make))
  })
}

/** Submits a signed transaction after checking its blobs. Throws a `Problem` if the transaction is refused. */
export async function submitSent(context: SendContext, { transaction, sidecar }: Sent): Promise<Hash> {
  const { submissions, clock } = context
  const submit = async () => accepted(await submissions.submit(transaction))
  return sidecar === undefined ? submit() : clock.prepare(() => requireProven(sidecar, transaction), submit)
}

async function requireProven(sidecar: BlobSidecar, transaction: Transaction): Promise<void> {
  for (const index of sidecar.blobs.keys()) {
    const isRight = await isProven(sidecar, index)
    if (!isRight) {
      const rejection = { kind: 'unprovenBlob', index } as const
      throw new Problem({ kind: 'rejected', rejection, transaction, mayWait: true })
    }
    // Checking a blob takes so long that a tick may become due meanwhile.
    await yieldToEventLoop()
  }
}

export async function filled(
  context: SendContext,
  request: TransactionRequest,
  from: Address,
): Promise<UnsignedTransaction> {
  const { fields } = request
  return withGas(context, fields, from, (gasLimit) => ({
    ...fill(context, request, gasLimit),
    nonce: fields.nonce ?? pendingNonce(context, from),
  }))
}

/** Returns the result of `eth_getTransactionCount` on `pending`. */
function pendingNonce({ chain, submissions, options }: SendContext, from: Address): bigint {
  if (options.pendingNonce === 'pool') return submissions.nextNonce(from)
  return chain.pending.state.account(from)?.nonce ?? 0n
}

/** Calls `goOn` with the given gas limit, or with the gas that the transaction needs on the pre-confirmed state. */
async function withGas<T>(
  context: SendContext,
  fields: CallFields,
  from: Address,
  goOn: (gasLimit: bigint) => T | Promise<T>,
): Promise<T> {
  if (fields.to === undefined && fields.data.length === 0) throw new Problem({ kind: 'creationWithoutData' })
  const { chainId: asked } = fields
  const { chainId } = context
  if (asked !== undefined && asked !== chainId) throw new Problem({ kind: 'wrongChainId', asked, chainId })
  // No `await` before this call, so that the transaction keeps its place among the commands around it.
  if (fields.gas !== undefined) return goOn(fields.gas)
  const call = { ...toCall(fields), from }
  // Fetches values of a forked network here, instead of running the whole request again. A second run would call
  // `clock.prepare` again, and a replay would assign this call to another request.
  const find = () => context.submissions.prepare(() => enoughGas(context, call), context.work)
  return context.clock.prepare(find, goOn)
}

function accepted(submission: Submission): Hash {
  if (submission.kind === 'rejected') throw new Problem(submission)
  return submission.transaction.hash
}
