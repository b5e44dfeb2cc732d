import { fromHex, type Hex, toHex, toMinimalBytes } from '../../../bytes/hex.ts'
import { encodeRlp, withType } from '../../../bytes/rlp.ts'
import { hashOf } from '../../../solidity/abi/codec.ts'
import type { RpcReceipt, RpcTransaction } from '../../../wire/encode.ts'
import type { State } from '../../live/transactions.ts'
import type { Ask, Explained } from '../../source/source.ts'

/** An entry of `preseal_getTimeline`. */
export interface Step {
  readonly step: 'pooled' | 'preconfirmed' | 'sealed' | 'removed' | 'dropped' | 'safe' | 'finalized'
  /** When the step happened, in milliseconds of the devnet's clock. */
  readonly time?: number
  readonly blockNumber?: Hex
  readonly blockHash?: Hex
  readonly slice?: Hex
  readonly transactionIndex?: Hex
  readonly reason?: string
  /** Number of the block whose seal made the transaction's block safe or final. Absent if the L1 did. */
  readonly since?: Hex
}

export interface WholeTransaction {
  /** `null` if the transaction was dropped. */
  readonly transaction: RpcTransaction | null
  readonly receipt: RpcReceipt | null
  readonly timeline: readonly Step[]
  readonly explained: Explained
}

/**
 * Resolves to all data of a transaction, or to `null` if the devnet never accepted it. Reuses the receipt in `before`,
 * the previous result, while block and index stay the same, because a receipt may have thousands of logs.
 */
export async function wholeTransaction(
  hash: string,
  request: Ask,
  before?: WholeTransaction,
): Promise<WholeTransaction | null> {
  const told = () =>
    Promise.all([
      request<Step[]>('preseal_getTimeline', [hash]),
      request<Explained>('preseal_explain', [hash, false]),
    ])
  const included = () =>
    Promise.all([
      request<RpcTransaction | null>('eth_getTransactionByHash', [hash]),
      request<RpcReceipt | null>('eth_getTransactionReceipt', [hash]),
    ])
  if (before?.transaction && before.receipt !== null) {
    const [timeline, explained] = await told()
    const now = { timeline, explained }
    if (placeOf(now) !== undefined && placeOf(now) === placeOf(before)) return { ...before, ...now }
  }
  const [[transaction, receipt], [timeline, explained]] = await Promise.all([included(), told()])
  if (transaction === null && timeline.length === 0) return null
  return {
    transaction,
    receipt: receipt ?? (await receiptOfOpenBlock(hash, explained, request)),
    timeline,
    explained,
  }
}

function placeOf({
  timeline,
  explained: { status },
}: Pick<WholeTransaction, 'timeline' | 'explained'>): string | undefined {
  if (status !== 'preconfirmed' && status !== 'sealed') return undefined
  return `${status} ${JSON.stringify(timeline.findLast(({ step }) => PLACES.has(step)))}`
}

const PLACES: ReadonlySet<string> = new Set<Step['step']>(['preconfirmed', 'sealed', 'removed'])

/** Resolves to a pre-confirmed transaction's receipt, even if `eth_getTransactionReceipt` waits for the seal. */
async function receiptOfOpenBlock(
  hash: string,
  { status }: Explained,
  request: Ask,
): Promise<RpcReceipt | null> {
  if (status !== 'preconfirmed') return null
  const receipts = await request<RpcReceipt[] | null>('eth_getBlockReceipts', ['pending'])
  return receipts?.find(({ transactionHash }) => transactionHash === hash) ?? null
}

/** Returns the states shown as badges: the transaction's state, followed by `failed` if it failed. */
export function statesOf({ explained, receipt, timeline }: WholeTransaction): State[] {
  switch (explained.status) {
    case 'preconfirmed':
    case 'sealed': {
      const hasFailed = receipt?.status === '0x0' || explained.failure !== undefined
      return hasFailed ? [explained.status, 'failed'] : [explained.status]
    }
    case 'waiting':
      return timeline.at(-1)?.step === 'removed' ? ['reorged', 'waiting'] : ['waiting']
    case 'dropped':
      return ['dropped']
    case 'unknown':
      return timeline.at(-1)?.step === 'removed' ? ['reorged'] : []
  }
}

/** Returns the parameter that selects the transaction's block. Returns `undefined` if it is not in a block. */
export function blockOf({ explained, transaction }: WholeTransaction): string | undefined {
  if (explained.status === 'preconfirmed') return 'pending'
  return explained.status === 'sealed' ? (transaction?.blockNumber ?? undefined) : undefined
}

interface Fee {
  readonly name: string
  readonly hint: string
  readonly amount: bigint
}

export function feesOf(receipt: RpcReceipt, baseFeePerGas: string | undefined): Fee[] {
  const { gasUsed, effectiveGasPrice, blobGasUsed, blobGasPrice, l1Fee } = receipt
  const { operatorFeeScalar, operatorFeeConstant, daFootprintGasScalar } = receipt
  const gas = BigInt(gasUsed)
  const price = BigInt(effectiveGasPrice)
  const base = baseFeePerGas === undefined ? 0n : BigInt(baseFeePerGas)
  const fees: Fee[] = []
  if (price > 0n && base <= price) {
    fees.push({ name: 'burnt', hint: 'base fee for each unit of gas', amount: gas * base })
    fees.push({ name: 'tip', hint: 'paid to the fee recipient', amount: gas * (price - base) })
  } else if (price > 0n) {
    fees.push({ name: 'gas', hint: 'price for each unit of gas', amount: gas * price })
  }
  if (typeof blobGasUsed === 'string' && typeof blobGasPrice === 'string') {
    fees.push({ name: 'blobs', hint: 'burnt', amount: BigInt(blobGasUsed) * BigInt(blobGasPrice) })
  }
  if (typeof l1Fee === 'string') {
    fees.push({ name: 'L1 fee', hint: 'for the data that goes to L1', amount: BigInt(l1Fee) })
  }
  if (typeof operatorFeeScalar === 'string' && typeof operatorFeeConstant === 'string') {
    // The scalar has another unit since Jovian, whose receipts have a DA footprint.
    const weighed = gas * BigInt(operatorFeeScalar)
    const amount = daFootprintGasScalar === undefined ? weighed / 1_000_000n : weighed * 100n
    fees.push({
      name: 'operator fee',
      hint: 'paid to the operator',
      amount: amount + BigInt(operatorFeeConstant),
    })
  }
  return fees
}

export interface Authorization {
  readonly chainId: Hex
  readonly address: Hex
  readonly nonce: Hex
  readonly yParity: Hex
  readonly r: Hex
  readonly s: Hex
}

const ECRECOVER: Hex = '0x0000000000000000000000000000000000000001'
/** The byte before the RLP in the signed message (EIP-7702). */
const MAGIC = 5

/** Returns a call of ECRECOVER that computes the signer, so that the page needs no elliptic curve code. */
export function recoveryOf({ chainId, address, nonce, yParity, r, s }: Authorization) {
  const tuple = encodeRlp([toMinimalBytes(BigInt(chainId)), fromHex(address), toMinimalBytes(BigInt(nonce))])
  const hash = hashOf(toHex(withType(MAGIC, tuple)))
  const words = [27n + BigInt(yParity), BigInt(r), BigInt(s)].map((each) =>
    each.toString(16).padStart(64, '0'),
  )
  return { to: ECRECOVER, data: `${hash}${words.join('')}` as const }
}

/** Returns the signer from the return data of ECRECOVER. Returns `undefined` if the signature is invalid. */
export function authorityIn(answer: Hex): Hex | undefined {
  return answer.length === 66 ? `0x${answer.slice(-40)}` : undefined
}
