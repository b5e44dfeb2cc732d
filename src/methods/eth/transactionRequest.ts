import type { Hash } from '../../bytes/hex.ts'
import { blobBaseFee } from '../../model/block/fees.ts'
import type { TransactionType, UnsignedTransaction } from '../../model/transaction/transaction.ts'
import { typeOf } from '../../model/transaction/transaction.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { type CallFields, parseCallFields } from '../../wire/call.ts'
import { InvalidValue, optional, type Parser } from '../../wire/parser.ts'
import { baseFeeToPay, suggestedTip } from './fees.ts'

export interface TransactionRequest {
  readonly fields: CallFields
  readonly requestedType: TransactionType | undefined
}

export const parseTransactionRequest: Parser<TransactionRequest> = (value, path) => {
  const fields = parseCallFields(value, path)
  requireAuthorizable(fields, path)
  requireBlobHashes(fields, path)
  const requestedType = optional(parseType)(fields.record.type, `${path}.type`)
  if (requestedType === 3 && fields.blobVersionedHashes === undefined) {
    throw new InvalidValue(`${path}.blobVersionedHashes`, 'the hashes of its blobs (EIP-4844)', undefined)
  }
  return { fields, requestedType }
}

/** Requires that an authorization list is not empty, and that its transaction creates no contract (EIP-7702). */
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

/** Requires that a blob transaction creates no contract (EIP-4844). Refuses blobs, because they must come signed. */
function requireBlobHashes({ blobVersionedHashes, to, record }: CallFields, path: string): void {
  if (record.blobs !== undefined && record.blobs !== null) {
    const expected =
      'nothing: blobs are sent signed, with eth_sendRawTransaction; here their blobVersionedHashes are enough'
    throw new InvalidValue(`${path}.blobs`, expected, record.blobs)
  }
  if (blobVersionedHashes === undefined) return
  if (blobVersionedHashes.length === 0) {
    throw new InvalidValue(`${path}.blobVersionedHashes`, 'at least one hash (EIP-4844)', blobVersionedHashes)
  }
  if (to === undefined) {
    const expected = 'a 20-byte address, which a transaction with blobs needs (EIP-4844)'
    throw new InvalidValue(`${path}.to`, expected, undefined)
  }
}

/** Fills in missing fields: the type that the given fields require, and fees that suffice after a few full blocks. */
export function fill(
  context: ReadContext,
  { fields, requestedType }: TransactionRequest,
  gasLimit: bigint,
): UnsignedTransaction {
  const { gasPrice, accessList, authorizationList } = fields
  const baseFee = baseFeeToPay(context)
  const type = typeOf(context.rules, fields, requestedType)
  const tip = fields.maxPriorityFeePerGas ?? (fields.maxFeePerGas === undefined ? suggestedTip : 0n)
  // A gas price is paid in full, so its default is eth_gasPrice. maxFeePerGas is a limit, so its default is higher.
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
    ...(fields.blobVersionedHashes && blobFields(context, fields.blobVersionedHashes, fields)),
  }
}

function blobFields(
  { chain, rules }: ReadContext,
  blobVersionedHashes: readonly Hash[],
  { maxFeePerBlobGas }: CallFields,
): Pick<UnsignedTransaction, 'blobVersionedHashes' | 'maxFeePerBlobGas'> {
  const price = blobBaseFee(rules, chain.pending.block.header.excessBlobGas) ?? 0n
  return { blobVersionedHashes, maxFeePerBlobGas: maxFeePerBlobGas ?? price * 2n }
}

const TYPES = new Map<unknown, TransactionType>([
  ['0x0', 0],
  ['0x1', 1],
  ['0x2', 2],
  ['0x3', 3],
  ['0x4', 4],
])

const parseType: Parser<TransactionType> = (value, path) => {
  const type = TYPES.get(value)
  if (type === undefined) throw new InvalidValue(path, `one of ${[...TYPES.keys()].join(', ')}`, value)
  return type
}
