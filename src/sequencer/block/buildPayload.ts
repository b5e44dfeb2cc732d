/** Builds a block from the Engine API's payload attributes for `testing_buildBlockV1`. Does not add it to the chain. */

import type { Address, Hash } from '../../bytes/hex.ts'
import { encodeRlp } from '../../bytes/rlp.ts'
import type { LogIndex } from '../../chain/logIndex.ts'
import type { Moment, Preconfirmed } from '../../chain/moment.ts'
import { type BlockContext, blockContext } from '../../engine/blockContext.ts'
import type { Evm, Evms } from '../../engine/evm.ts'
import { beginBlock, endBlock } from '../../engine/run/systemCalls.ts'
import type { Block } from '../../model/block/block.ts'
import { GAS_PER_BLOB } from '../../model/block/fees.ts'
import { type Header, type Withdrawal, withdrawalFields } from '../../model/block/header.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { inGivenOrder, inOrder, type Order } from '../../pool/order.ts'
import type { PoolContents } from '../../pool/pool.ts'
import { listRoot } from '../../state/roots.ts'
import { withPayments } from '../../state/stateEdits.ts'
import type { Work } from '../../work/work.ts'
import { yieldingEvery } from '../clock.ts'
import type { InclusionRejection } from '../import/flawInHeader.ts'
import { paymentsOf, refuseIncluded } from '../import/runBlock.ts'
import { blobRoom } from './includedTransactions.ts'
import { nextHeader, openBlock, sealBlock } from './openBlock.ts'
import { runSlice } from './slice.ts'

export interface PayloadRequest {
  readonly timestamp: bigint
  readonly prevRandao: Hash
  readonly feeRecipient: Address
  readonly withdrawals: readonly Withdrawal[]
  readonly parentBeaconBlockRoot: Hash
  readonly extraData: Uint8Array
}

export interface PayloadBase {
  readonly evms: Evms
  readonly parent: Moment
  /** Lets the event loop do other work between transactions, and can end the build. */
  readonly work: Work
  readonly blockHash: BlockContext['blockHash']
  readonly logIndex: LogIndex
}

/** A built block. `requests` (EIP-7685) is `undefined` before Prague. */
export interface Payload {
  readonly block: Block
  readonly value: bigint
  readonly requests: readonly Uint8Array[] | undefined
}

export type PayloadFlaw =
  | { readonly kind: 'notAfterParent'; readonly got: bigint; readonly parent: bigint }
  | {
      readonly kind: 'unfit'
      readonly index: number
      readonly hash: Hash
      readonly rejection:
        | InclusionRejection
        | { readonly kind: 'noBlobsLeft'; readonly count: number; readonly left: number }
    }

/** Returns a block of exactly the listed transactions; for a pool, of its executable transactions without blobs. */
export async function buildPayload(
  base: PayloadBase,
  request: PayloadRequest,
  transactions: readonly Transaction[] | PoolContents,
): Promise<Payload | PayloadFlaw> {
  const { evms, parent, blockHash, logIndex, work } = base
  const { header: parentHeader, hash: parentHash } = parent.block
  const { timestamp } = request
  if (timestamp <= parentHeader.timestamp) {
    return { kind: 'notAfterParent', got: timestamp, parent: parentHeader.timestamp }
  }
  const evm = evms.at({ number: parentHeader.number + 1n, timestamp, difficulty: 0n }).for(work)
  const header = payloadHeader(evm.rules, parentHeader, parentHash, request)
  const context = blockContext(evm.rules, header, blockHash)
  const state = await beginBlock(evm, parent.state, context, header)
  const opened = openBlock(header, state, logIndex)
  const open =
    'byHash' in transactions
      ? await withReady(evm, opened, context, transactions)
      : await withAll(evm, opened, context, transactions)
  return 'kind' in open ? open : ended(evm, open, context, request)
}

/** The target gas limit of most clients and of hive's `rpc-compat` (`HIVE_TARGET_GAS_LIMIT`), for equal results. */
const TARGET_GAS_LIMIT = 60_000_000n
const GAS_LIMIT_BOUND_DIVISOR = 1_024n

/** Returns the gas limit of a child block: as near to the target as the rules allow (geth's `CalcGasLimit`). */
export function votedGasLimit(parent: bigint): bigint {
  const step = parent / GAS_LIMIT_BOUND_DIVISOR - 1n
  const next = parent < TARGET_GAS_LIMIT ? parent + step : parent - step
  return next < TARGET_GAS_LIMIT === parent < TARGET_GAS_LIMIT ? next : TARGET_GAS_LIMIT
}

function payloadHeader(rules: Rules, parent: Header, parentHash: Hash, request: PayloadRequest): Header {
  const { timestamp, prevRandao, feeRecipient, withdrawals, parentBeaconBlockRoot, extraData } = request
  const position = { number: parent.number + 1n, timestamp, difficulty: 0n }
  const settings = { coinbase: feeRecipient, randaoSeed: prevRandao }
  const header = nextHeader(rules, parent, parentHash, position, settings)
  return {
    ...header,
    gasLimit: votedGasLimit(header.gasLimit),
    prevRandao,
    extraData,
    withdrawalsRoot:
      header.withdrawalsRoot && listRoot(withdrawals.map((one) => encodeRlp(withdrawalFields(one)))),
    parentBeaconBlockRoot: header.parentBeaconBlockRoot && parentBeaconBlockRoot,
  }
}

async function withAll(
  evm: Evm,
  opened: Preconfirmed,
  context: BlockContext,
  transactions: readonly Transaction[],
): Promise<Preconfirmed | PayloadFlaw> {
  const { rules } = evm
  const rest = yieldingEvery(TURN_MS)
  let open = opened
  for (const [index, transaction] of transactions.entries()) {
    const { gasUsed, gasLimit, blobGasUsed = 0n } = open.block.header
    const count = transaction.blobVersionedHashes?.length ?? 0
    const room = blobRoom(rules, open.state, gasLimit)
    const left = room.limit - blobGasUsed
    const rejection =
      refuseIncluded(rules, transaction, open.state, gasLimit - gasUsed, context) ??
      (room.shareOf(transaction) > left
        ? ({ kind: 'noBlobsLeft', count, left: Number(left / GAS_PER_BLOB) } as const)
        : undefined)
    if (rejection !== undefined) return { kind: 'unfit', index, hash: transaction.hash, rejection }
    ;({ open } = await runSlice(evm, open, inGivenOrder([transaction]), context, gasLimit, rest))
  }
  return open
}

/** Milliseconds of work between two pauses. During a pause the event loop runs other work. */
const TURN_MS = 10

async function withReady(
  evm: Evm,
  opened: Preconfirmed,
  context: BlockContext,
  contents: PoolContents,
): Promise<Preconfirmed> {
  const { baseFeePerGas = 0n, blobBaseFee = 0n, gasLimit } = context
  const order = withoutBlobs(inOrder(contents, opened.state, { baseFeePerGas, blobBaseFee }))
  return (await runSlice(evm, opened, order, context, gasLimit, yieldingEvery(TURN_MS))).open
}

function withoutBlobs(order: Order): Order {
  return {
    passed: [],
    next() {
      for (let next = order.next(); next !== undefined; next = order.next()) {
        if (next.blobVersionedHashes === undefined) return next
        order.hold()
      }
      return undefined
    },
    advance: () => order.advance(),
    hold: () => order.hold(),
  }
}

async function ended(
  evm: Evm,
  open: Preconfirmed,
  context: BlockContext,
  request: PayloadRequest,
): Promise<Payload> {
  const { header, receipts } = open.block
  const { state, requests, requestsHash } = await endBlock(evm, open.state, context, receipts)
  const withdrawals = header.withdrawalsRoot === undefined ? undefined : request.withdrawals
  const payments = paymentsOf(evm.rules, { header, ommers: [], withdrawals })
  const body = { ...open, block: { ...open.block, withdrawals } }
  const { block } = sealBlock(body, withPayments(state, payments), requestsHash)
  const value = receipts.reduce(
    (sum, { gasUsed, effectiveGasPrice }) =>
      sum + gasUsed * (effectiveGasPrice - (header.baseFeePerGas ?? 0n)),
    0n,
  )
  return { block, value, requests }
}
