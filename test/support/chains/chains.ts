/** Chains of which nothing matters but the numbers of their blocks and what these contain: no code runs to make them. */

import { type Hash, ZERO_HASH } from '../../../src/bytes/hex.ts'
import { Chain, type ChainOptions } from '../../../src/chain/chain.ts'
import type { Moment, Preconfirmed } from '../../../src/chain/moment.ts'
import type { Block } from '../../../src/model/block/block.ts'
import { PersistentMap } from '../../../src/model/collections/persistentMap.ts'
import type { Log } from '../../../src/model/receipt/log.ts'
import { EMPTY_BLOOM } from '../../../src/model/receipt/log.ts'
import type { Receipt } from '../../../src/model/receipt/receipt.ts'
import { withoutSignature } from '../../../src/model/transaction/signedTransaction.ts'
import type { Transaction } from '../../../src/model/transaction/transaction.ts'
import { State } from '../../../src/state/state.ts'
import { address, blockHash } from '../engines/scenes.ts'
import { Random } from '../random/random.ts'
import { randomHeader } from './headers.ts'

/** Safe and finalized trail by 32 and 64 blocks; all blocks are kept, and the slices of none. */
const OPTIONS: ChainOptions = {
  safeDistance: 32,
  finalizedDistance: 64,
  historyBlocks: undefined,
  sliceBlocks: 0,
  randaoSeed: ZERO_HASH,
}

/** A block with this number. It has `logs` logs, each of a transaction of its own, whose hash `transactionHash` tells. */
export function blockOf(number: number, { logs = 0, hash = blockHash(BigInt(number)) } = {}): Block {
  const transactions = Array.from({ length: logs }, (_, i) => ({
    ...TRANSACTION,
    hash: transactionHash(number, i),
    // Its hash is not that of its bytes.
    isImpersonated: true as const,
  }))
  const receipts = transactions.map((_, i) => ({ ...RECEIPT, firstLogIndex: i }))
  const header = { ...HEADER, number: BigInt(number), timestamp: BigInt(number) }
  return { header, hash, transactions, ommers: [], withdrawals: undefined, receipts }
}

const HEADER = randomHeader(new Random(1), 'frontier')
const TRANSACTION = withoutSignature(
  {
    type: 1,
    chainId: 1n,
    nonce: 0n,
    gasLimit: 21_000n,
    to: address(1),
    value: 0n,
    data: new Uint8Array(),
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    accessList: [],
    authorizationList: [],
  },
  address(2),
)
const LOG: Log = { address: address(1), topics: [], data: new Uint8Array() }
const RECEIPT: Receipt = {
  type: 1,
  status: 'success',
  root: undefined,
  gasUsed: 21_000n,
  cumulativeGasUsed: 21_000n,
  effectiveGasPrice: 0n,
  logs: [LOG],
  firstLogIndex: 0,
  logsBloom: EMPTY_BLOOM,
  failure: undefined,
  contractAddress: undefined,
}

/** The hash of the transaction with this index in `blockOf(number)`. */
export function transactionHash(number: number, index: number): Hash {
  return blockHash(BigInt(1_000_000 + number * 1_000 + index))
}

/** A chain whose sealed blocks have so many logs each, from block 0 on. */
export function chainOf(logs: readonly number[], options: Partial<ChainOptions> = {}): Chain {
  const [genesis, ...later] = logs.map((count, number) => momentOf(blockOf(number, { logs: count })))
  const chain = Chain.of(genesis!, { ...OPTIONS, ...options })
  for (const moment of later) chain.seal(moment)
  return chain
}

export function momentOf(block: Block): Moment {
  return { block, state: State.empty }
}

/** Makes `open` the block under construction, which readers see. */
export function showPreconfirmed(chain: Chain, open: Preconfirmed): void {
  chain.preconfirm(open, open)
}

/** The block with this number under construction, after `slices` slices. */
export function preconfirmedOf(
  chain: Chain,
  number: number,
  { logs = 0, slices = 1, previous }: { logs?: number; slices?: number; previous?: Preconfirmed } = {},
): Preconfirmed {
  const block = blockOf(number, { logs, hash: ZERO_HASH })
  return {
    block,
    state: State.empty,
    slices,
    previous,
    positions: positionsOf(block.transactions),
    logIndex: chain.state.history.logIndex.add(block),
  }
}

function positionsOf(transactions: readonly Transaction[]): PersistentMap<number> {
  return PersistentMap.empty<number>().setAll(transactions.map(({ hash }, i) => [hash, i] as const))
}
