/** The header of a simulated block, as far as it is known before the block runs. */

import { EMPTY_BYTES, ZERO_HASH } from '../../bytes/hex.ts'
import { encodeRlp } from '../../bytes/rlp.ts'
import type { Block } from '../../model/block/block.ts'
import { EMPTY_OMMERS_HASH, type Header, isMined, ZERO_NONCE } from '../../model/block/header.ts'
import { withdrawalFields } from '../../model/block/withdrawal.ts'
import type { SimulatedBlockOverride } from '../../model/execution/simulation.ts'
import type { BlockPosition, ForkSchedule } from '../../model/hardfork/forkSchedule.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { EMPTY_BLOOM } from '../../model/receipt/bloom.ts'
import { nextBaseFee, nextExcessBlobGas } from '../../model/transaction/fees.ts'
import { EMPTY_ROOT, listRoot } from '../../state/roots.ts'
import type { LaidOut } from '../block/layOut.ts'
import { laterFields } from '../block/openBlock.ts'

/**
 * Returns the position of the block of `number` and `timestamp` after `parent`. It has the difficulty of its parent
 * (without proof of work), unless the chain has merged until then.
 */
export function positionAfter(
  schedule: ForkSchedule,
  parent: Header,
  { number, timestamp, request }: LaidOut,
): BlockPosition {
  const merged = { number, timestamp, difficulty: 0n }
  if (!isMined(parent) || hasMerged(schedule, merged)) return merged
  return { ...merged, difficulty: request.override.difficulty ?? parent.difficulty }
}

/** As geth's `IsPostMerge`: the total difficulty at that block is unknown. */
function hasMerged({ config, at }: ForkSchedule, position: BlockPosition): boolean {
  const { mergeNetsplitBlock, terminalTotalDifficulty } = config
  return (
    (mergeNetsplitBlock !== undefined && position.number >= mergeNetsplitBlock) ||
    (terminalTotalDifficulty !== undefined && Number(terminalTotalDifficulty) === 0) ||
    at(position).since('shanghai')
  )
}

/** Returns the header at `position` after `parent`, with the values of `override`. */
export function simulatedHeader(
  rules: Rules,
  { header: parent, hash: parentHash }: Block,
  { number, timestamp, difficulty }: BlockPosition,
  override: SimulatedBlockOverride,
  isValidated: boolean,
): Header {
  const later = laterFields(rules, nextExcessBlobGas(rules, parent))
  const { withdrawals = [], parentBeaconBlockRoot = ZERO_HASH } = override
  return {
    parentHash,
    ommersHash: EMPTY_OMMERS_HASH,
    coinbase: override.coinbase ?? parent.coinbase,
    stateRoot: ZERO_HASH,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: EMPTY_BLOOM,
    difficulty,
    number,
    gasLimit: override.gasLimit ?? parent.gasLimit,
    gasUsed: 0n,
    timestamp,
    extraData: EMPTY_BYTES,
    prevRandao: override.prevRandao ?? ZERO_HASH,
    nonce: ZERO_NONCE,
    // 0 unless it is overridden: a simulation should not need a balance for gas.
    baseFeePerGas: rules.has(1559)
      ? (override.baseFeePerGas ?? (isValidated ? nextBaseFee(rules, parent) : 0n))
      : undefined,
    ...later,
    withdrawalsRoot:
      later.withdrawalsRoot &&
      listRoot(withdrawals.map((withdrawal) => encodeRlp(withdrawalFields(withdrawal)))),
    parentBeaconBlockRoot: later.parentBeaconBlockRoot && parentBeaconBlockRoot,
  }
}
