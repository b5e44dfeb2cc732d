/** Methods of op-node (`optimism_…`), for tools of the OP Stack. As there, numbers in results are JSON numbers. */
import { type Hash, toHex, toQuantity, toWord, ZERO_HASH } from '../bytes/hex.ts'
import type { Moment } from '../chain/moment.ts'
import type { Block } from '../model/block/block.ts'
import type { Selector } from '../model/block/selector.ts'
import { L2_TERMS, type L2Chain, OWN_UPGRADES } from '../model/l2/l2.ts'
import { params, read } from '../rpc/method.ts'
import type { Pair, ReadContext } from '../rpc/readContext.ts'
import { parseQuantity } from '../wire/hex.ts'
import { type L1, l1Of, MAX_SEQUENCER_DRIFT, withoutL1 } from './l1.ts'
import { originOf } from './l1Origin.ts'
import { outputOf } from './proposal.ts'

export const optimism_version = read(params(), ({ options }) => options.clientVersion)

export const optimism_outputAtBlock = read(params(parseQuantity), (context, number) => {
  const moment = context.at({ kind: 'number', number })
  const { version, stateRoot, withdrawalStorageRoot, outputRoot } = outputOf(moment)
  const syncStatus = syncStatusOf(context)
  return { version, outputRoot, blockRef: l2Ref(moment), withdrawalStorageRoot, stateRoot, syncStatus }
})

export const optimism_syncStatus = read(params(), (context) => syncStatusOf(context))

export const optimism_rollupConfig = read(params(), (context) => {
  const pair = pairOf(context)
  const l1 = l1Of(pair)
  const { optimismPortal2, systemConfig } = l1.bridge
  const [first, firstOnL1] = [context.at(EARLIEST), blockOf(l1, EARLIEST)]
  const active = UPGRADES.slice(0, UPGRADES.indexOf(context.upcoming.rules.l2Upgrade) + 1)
  return {
    genesis: {
      l1: idOf(firstOnL1),
      l2: idOf(first.block),
      l2_time: Number(first.block.header.timestamp),
      system_config: systemConfigOf(l1.l2, first.block),
    },
    block_time: l1.l2BlockSeconds,
    max_sequencer_drift: Number(MAX_SEQUENCER_DRIFT),
    seq_window_size: l1.sequencingWindow,
    l1_chain_id: Number(pair.l1.chainId),
    l2_chain_id: Number(context.chainId),
    ...Object.fromEntries(active.map((upgrade) => [`${upgrade}_time`, 0])),
    deposit_contract_address: optimismPortal2,
    l1_system_config_address: systemConfig,
  }
})

/** Returns the values of SystemConfig at the first block (`SystemConfig` in op-service/eth). */
function systemConfigOf(l2: L2Chain, { header: { gasLimit, extraData } }: Block) {
  const { batcher, baseFeeScalar, blobBaseFeeScalar, daFootprintGasScalar } = L2_TERMS[l2]
  const [parameters, minBaseFee] = [extraData.subarray(1, 9), extraData.subarray(9)]
  return {
    batcherAddr: batcher,
    overhead: ZERO_HASH,
    scalar: toHex(toWord((1n << 248n) | (blobBaseFeeScalar << 32n) | baseFeeScalar)),
    gasLimit: Number(gasLimit),
    eip1559Params: toHex(parameters),
    operatorFeeParams: ZERO_HASH,
    minBaseFee: Number(toQuantity(minBaseFee)),
    daFootprintGasScalar: Number(daFootprintGasScalar),
  }
}

const UPGRADES: readonly string[] = [
  ...['regolith', 'canyon', 'delta', 'ecotone', 'fjord', 'granite', 'holocene'],
  ...OWN_UPGRADES,
]
const EARLIEST: Selector = { kind: 'tag', tag: 'earliest' }
const LATEST: Selector = { kind: 'tag', tag: 'latest' }
const SAFE: Selector = { kind: 'tag', tag: 'safe' }
const FINALIZED: Selector = { kind: 'tag', tag: 'finalized' }

/** Returns the pair of an L2. */
function pairOf({ pair, chain }: ReadContext): Pair {
  if (pair !== undefined && pair.l2.chain === chain) return pair
  throw withoutL1()
}

function syncStatusOf(context: ReadContext) {
  const l1 = l1Of(pairOf(context))
  const [head, safe, finalized] = [LATEST, SAFE, FINALIZED].map((tag) => refOf(blockOf(l1, tag)))
  const [unsafeL2, safeL2, finalizedL2] = [LATEST, SAFE, FINALIZED].map((tag) => l2Ref(context.at(tag)))
  return {
    current_l1: head,
    current_l1_finalized: finalized,
    head_l1: head,
    safe_l1: safe,
    finalized_l1: finalized,
    unsafe_l2: unsafeL2,
    safe_l2: safeL2,
    finalized_l2: finalizedL2,
    pending_safe_l2: safeL2,
  }
}

function blockOf(l1: L1, selector: Selector): Block {
  return (l1.chain.at(selector) as Moment).block
}

function idOf({ hash, header: { number } }: Block): { readonly hash: Hash; readonly number: number } {
  return { hash, number: Number(number) }
}

function refOf(block: Block) {
  const { parentHash, timestamp } = block.header
  return { ...idOf(block), parentHash, timestamp: Number(timestamp) }
}

function l2Ref(moment: Moment) {
  const { number, hash, sequenceNumber } = originOf(moment)
  const l1origin = { hash, number: Number(number) }
  return { ...refOf(moment.block), l1origin, sequenceNumber: Number(sequenceNumber) }
}
