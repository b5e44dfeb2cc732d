/** Sending transactions, and finding them again. */

import type { Inclusion } from '../../chain/moment.ts'
import type { Block } from '../../model/block.ts'
import { type Address, type Hash, type Hex, ZERO_ADDRESS } from '../../model/hex.ts'
import { byHash } from '../../model/selector.ts'
import { impersonate, signTransaction } from '../../model/signedTransaction.ts'
import type { Transaction, TransactionType, UnsignedTransaction } from '../../model/transaction.ts'
import type { Submission } from '../../sequencer/sequencer.ts'
import { type CallFields, parseCallFields, toCall } from '../../wire/call.ts'
import { encodeIncludedTransaction, encodePooledTransaction, encodeReceipt } from '../../wire/encode.ts'
import { encodeBytes, parseHash, parseUint64 } from '../../wire/hex.ts'
import { InvalidValue, optional, type Parser } from '../../wire/parser.ts'
import { parseRawTransaction } from '../../wire/rawTransaction.ts'
import { parseNumberOrTag } from '../../wire/selector.ts'
import type { RpcContext } from '../context.ts'
import { method, params } from '../method.ts'
import { Problem } from '../problem.ts'
import { estimate } from './calls.ts'
import { baseFeeToPay, suggestedTip } from './fees.ts'
import { lookedUp } from './lookedUp.ts'

export const eth_sendRawTransaction = method(params(parseRawTransaction), submitSent)

/** The hash of the transaction, which waits now. Throws why it may not. */
export async function submitSent(context: RpcContext, transaction: Transaction): Promise<Hash> {
  return accepted(await context.sequencer.submit(transaction))
}

/** Whether the transaction waits to be sealed, as a Base node tells (`base_transactionStatus`). */
export const base_transactionStatus = method(params(parseHash), ({ chain, pool }, hash) => {
  const isPreconfirmed = chain.open?.positions.has(hash) === true
  return { status: pool.get(hash) !== undefined || isPreconfirmed ? 'Known' : 'Unknown' }
})

const transactionRequest = params((value, path) => {
  const fields = parseCallFields(value, path)
  requireAuthorizable(fields, path)
  const wished = optional(parseType)(fields.record.type, `${path}.type`)
  return { fields, wished }
})

export const eth_sendTransaction = method(transactionRequest, (context, request) => {
  const from = senderOf(context, request)
  const signs = signatory(context, from)
  if (signs === undefined && !context.sequencer.steering.isImpersonated(from)) {
    throw new Problem({ kind: 'unknownAccount', address: from })
  }
  return send(context, request, from, signs ?? impersonate)
})

/** From whomever it says, impersonated or not: a signature is made only where there is a key. */
export const eth_sendUnsignedTransaction = method(transactionRequest, (context, request) => {
  const from = senderOf(context, request)
  return send(context, request, from, signatory(context, from) ?? impersonate)
})

/** Signs and does not send: the bytes for `eth_sendRawTransaction`, and the transaction as an object. */
export const eth_signTransaction = method(transactionRequest, async (context, request) => {
  const from = senderOf(context, request)
  const signs = signatory(context, from)
  if (signs === undefined) throw new Problem({ kind: 'unknownAccount', address: from })
  const { fields, wished } = request
  const gasLimit = fields.gas ?? (await enoughGas(context, fields, from))
  const nonce = fields.nonce ?? context.sequencer.nextNonce(from)
  const transaction = signs({ ...fill(context, fields, gasLimit, wished), nonce }, from)
  return { raw: encodeBytes(transaction.raw), tx: encodePooledTransaction(transaction) }
})

export const eth_getTransactionByHash = method(params(parseHash), ({ chain, pool }, hash) => {
  const inclusion = chain.find(hash)
  if (inclusion !== undefined) return encodeIncludedTransaction(inclusion.block, inclusion.index)
  const waiting = pool.get(hash) ?? hidden(chain.findHidden(hash))
  return waiting === undefined ? null : encodePooledTransaction(waiting)
})

export const eth_getTransactionByBlockNumberAndIndex = method(
  params(parseNumberOrTag, parseUint64),
  ({ chain }, at, index) => lookedUp(chain.at(at), included(index)),
)

export const eth_getTransactionByBlockHashAndIndex = method(
  params(parseHash, parseUint64),
  ({ chain }, hash, index) => lookedUp(chain.at(byHash(hash)), included(index)),
)

export const eth_getTransactionReceipt = method(params(parseHash), ({ chain }, hash) => {
  const inclusion = chain.find(hash)
  return inclusion === undefined ? null : encodeReceipt(inclusion.block, inclusion.index)
})

/** A transaction that is in the block under construction where nobody is to see it: to them it waits. */
function hidden(inclusion: Inclusion | undefined): Transaction | undefined {
  return inclusion?.block.transactions[inclusion.index]
}

interface TransactionRequest {
  readonly fields: CallFields
  readonly wished: TransactionType | undefined
}

/** Makes a transaction that can be submitted. */
type Sign = (unsigned: UnsignedTransaction, from: Address) => Transaction

function senderOf({ keys }: RpcContext, { fields }: TransactionRequest): Address {
  return fields.from ?? keys.keys().next().value ?? ZERO_ADDRESS
}

/** Who signs for `from`, if its key is here. */
function signatory({ keys }: RpcContext, from: Address): Sign | undefined {
  const key = keys.get(from)
  return key && ((unsigned) => signTransaction(unsigned, key, from))
}

async function send(
  context: RpcContext,
  { fields, wished }: TransactionRequest,
  from: Address,
  sign: Sign,
): Promise<Hex> {
  // Nothing is awaited where nothing has to be: a transaction keeps its place among the commands around it.
  const gasLimit = fields.gas ?? (await enoughGas(context, fields, from))
  const unsigned = fill(context, fields, gasLimit, wished)
  const make = (nonce: bigint) => sign({ ...unsigned, nonce: fields.nonce ?? nonce }, from)
  return accepted(await context.sequencer.submitNext(from, make))
}

function enoughGas(context: RpcContext, fields: CallFields, from: Address): Promise<bigint> {
  return estimate(context, { ...toCall(fields), from }, { kind: 'tag', tag: 'pending' })
}

function included(index: bigint): (block: Block) => unknown {
  return (block) =>
    index < block.transactions.length ? encodeIncludedTransaction(block, Number(index)) : null
}

function accepted(submission: Submission): Hash {
  if (submission.kind === 'rejected') throw new Problem(submission)
  return submission.transaction.hash
}

/** EIP-7702: a transaction with authorizations has at least one, and creates nothing. */
function requireAuthorizable({ authorizationList, to }: CallFields, path: string): void {
  if (authorizationList === undefined) return
  if (authorizationList.length === 0) {
    throw new InvalidValue(
      `${path}.authorizationList`,
      'at least one authorization (EIP-7702)',
      authorizationList,
    )
  }
  if (to === undefined) {
    const expected = 'a 20-byte address, which a transaction with authorizations needs (EIP-7702)'
    throw new InvalidValue(`${path}.to`, expected, undefined)
  }
}

/** What the sender left out: fees that last through a few full blocks, and the type that fits the fields. */
function fill(
  context: RpcContext,
  fields: CallFields,
  gasLimit: bigint,
  wished: TransactionType | undefined,
): UnsignedTransaction {
  const { gasPrice, accessList, authorizationList } = fields
  const baseFee = baseFeeToPay(context)
  const type = typeOf(context, fields, wished)
  const tip = fields.maxPriorityFeePerGas ?? (fields.maxFeePerGas === undefined ? suggestedTip : 0n)
  // One price is paid in full, so it is that of eth_gasPrice; of two, the higher is only a limit.
  const maxFeePerGas = gasPrice ?? fields.maxFeePerGas ?? (type < 2 ? baseFee : baseFee * 2n) + tip
  return {
    type,
    chainId: fields.chainId ?? context.chainId,
    nonce: 0n,
    gasLimit,
    to: fields.to,
    value: fields.value ?? 0n,
    data: fields.data,
    maxFeePerGas,
    maxPriorityFeePerGas: type >= 2 ? tip : maxFeePerGas,
    accessList: accessList ?? [],
    authorizationList: authorizationList ?? [],
  }
}

/** The type that the fields need, or the one that was wished for where it fits them. */
function typeOf(
  { rules }: RpcContext,
  fields: CallFields,
  wished: TransactionType | undefined,
): TransactionType {
  if (fields.authorizationList !== undefined) return 4
  const hasTwoPrices = fields.maxFeePerGas !== undefined || fields.maxPriorityFeePerGas !== undefined
  const wantsOnePrice = fields.gasPrice !== undefined || (!hasTwoPrices && (wished === 0 || wished === 1))
  if (!wantsOnePrice && rules.has(1559)) return 2
  return fields.accessList === undefined && wished !== 1 ? 0 : 1
}

const TYPES = new Map<unknown, TransactionType>([
  ['0x0', 0],
  ['0x1', 1],
  ['0x2', 2],
  ['0x4', 4],
])

const parseType: Parser<TransactionType> = (value, path) => {
  const type = TYPES.get(value)
  if (type === undefined) throw new InvalidValue(path, `one of ${[...TYPES.keys()].join(', ')}`, value)
  return type
}
