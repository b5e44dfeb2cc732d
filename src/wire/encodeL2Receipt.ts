/** Encodes the fields that receipts of an L2 have in addition. */
import type { L1Prices } from '../model/l2/l1Fee.ts'
import { DEPOSIT_RECEIPT_VERSION, daFootprintIn, type L2Receipt } from '../model/receipt/receipt.ts'
import { encodeQuantity } from './hex.ts'
import type { JsonObject } from './parser.ts'

/** Returns the fields of op-geth (`core/types/receipt_opstack.go`). */
export function encodeL2Receipt(receipt: L2Receipt): JsonObject {
  const { l1, depositNonce } = receipt
  const { fee, gasUsed, prices } = l1
  const { operator, daFootprintGasScalar } = prices
  return {
    ...(depositNonce === undefined
      ? {}
      : {
          depositNonce: encodeQuantity(depositNonce),
          depositReceiptVersion: encodeQuantity(DEPOSIT_RECEIPT_VERSION),
        }),
    l1Fee: encodeQuantity(fee),
    l1GasUsed: encodeQuantity(gasUsed),
    l1GasPrice: encodeQuantity(prices.baseFee),
    ...encodeWeights(prices),
    ...(operator === undefined
      ? {}
      : {
          operatorFeeScalar: encodeQuantity(operator.scalar),
          operatorFeeConstant: encodeQuantity(operator.constant),
        }),
    ...(daFootprintGasScalar === undefined
      ? {}
      : {
          daFootprintGasScalar: encodeQuantity(daFootprintGasScalar),
          blobGasUsed: encodeQuantity(daFootprintIn(receipt)),
        }),
  }
}

function encodeWeights({ bedrock, blobBaseFee, baseFeeScalar, blobBaseFeeScalar }: L1Prices): JsonObject {
  if (bedrock !== undefined) return { l1FeeScalar: millionths(bedrock.scalar) }
  return {
    l1BaseFeeScalar: encodeQuantity(baseFeeScalar),
    l1BlobBaseFee: encodeQuantity(blobBaseFee),
    l1BlobBaseFeeScalar: encodeQuantity(blobBaseFeeScalar),
  }
}

/** Returns so many millionths as a decimal number, such as "0.684". */
function millionths(value: bigint): string {
  const digits = value.toString().padStart(7, '0')
  const rest = digits.slice(-6).replace(/0+$/, '')
  return rest === '' ? digits.slice(0, -6) : `${digits.slice(0, -6)}.${rest}`
}
