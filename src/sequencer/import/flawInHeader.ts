/**
 * May a block with this header and body follow its parent? All that can be said before it is run: geth's
 * `consensus/misc` and the Yellow Paper's 4.3.4. Whether the seal of a mined block is right is not asked.
 *
 * One rule is milder than that of other nodes: a block may have its parent's timestamp, as our own blocks of less than
 * a second do.
 */

import type { UncheckedBlock } from '../../model/block/encodedBlock.ts'
import { EMPTY_OMMERS_HASH, type Header, headerFields, isMined } from '../../model/block/header.ts'
import { withdrawalFields } from '../../model/block/withdrawal.ts'
import { type Hash, toHex } from '../../model/bytes/hex.ts'
import { encodeRlp } from '../../model/bytes/rlp.ts'
import { keccakHash } from '../../model/crypto/keccak.ts'
import { nextDifficulty } from '../../model/crypto/proofOfWork.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { nextBaseFee, nextExcessBlobGas, nextGasLimit } from '../../model/transaction/fees.ts'
import { listRoot } from '../../state/roots.ts'
import { type BlockFlaw, differs } from './blockFlaw.ts'

/** The first thing that keeps `block`, which is under `rules`, from following `parent`. */
export function flawInHeader(rules: Rules, parent: Header, block: UncheckedBlock): BlockFlaw | undefined {
  return flawInFields(rules, block.header) ?? flawInValues(rules, parent, block.header) ?? flawInRoots(block)
}

/** Which fields came with which EIP. */
const OPTIONAL_FIELDS = [
  ['baseFeePerGas', 1559],
  ['withdrawalsRoot', 4895],
  ['blobGasUsed', 4844],
  ['excessBlobGas', 4844],
  ['parentBeaconBlockRoot', 4788],
  ['requestsHash', 7685],
] as const satisfies readonly (readonly [keyof Header, number])[]

/** The first field that a header under `rules` should have and has not, or the other way round. */
export function flawInFields(
  rules: Rules,
  header: Header,
): Extract<BlockFlaw, { kind: 'invalid' }> | undefined {
  for (const [field, eip] of OPTIONAL_FIELDS) {
    const isThere = header[field] !== undefined
    if (isThere === rules.has(eip)) continue
    const reason = isThere
      ? `the block has this field of EIP-${eip}, which is not in force under ${rules.hardfork}`
      : `the block lacks this field, which EIP-${eip} asks for under ${rules.hardfork}`
    return { kind: 'invalid', field, reason }
  }
  return undefined
}

function flawInValues(rules: Rules, parent: Header, header: Header): BlockFlaw | undefined {
  if (header.timestamp < parent.timestamp) {
    return {
      kind: 'invalid',
      field: 'timestamp',
      reason: `${header.timestamp} is before that of its parent, ${parent.timestamp}`,
    }
  }
  if (header.gasUsed > header.gasLimit) {
    return {
      kind: 'invalid',
      field: 'gasUsed',
      reason: `${header.gasUsed} is above the gas limit, ${header.gasLimit}`,
    }
  }
  return (
    flawInGasLimit(rules, parent, header) ??
    flawInDifficulty(rules, parent, header) ??
    mustBe('baseFeePerGas', header.baseFeePerGas, nextBaseFee(rules, parent)) ??
    mustBe('excessBlobGas', header.excessBlobGas, nextExcessBlobGas(rules, parent))
  )
}

const GAS_LIMIT_BOUND_DIVISOR = 1_024n
const MIN_GAS_LIMIT = 5_000n

function flawInGasLimit(rules: Rules, parent: Header, { gasLimit }: Header): BlockFlaw | undefined {
  const before = nextGasLimit(rules, parent)
  const step = before / GAS_LIMIT_BOUND_DIVISOR
  const isNear = gasLimit > before - step && gasLimit < before + step
  if ((gasLimit === before || isNear) && gasLimit >= MIN_GAS_LIMIT) return undefined
  return {
    kind: 'invalid',
    field: 'gasLimit',
    reason: `${gasLimit} is not within ${step} of ${before}, or below ${MIN_GAS_LIMIT}`,
  }
}

function flawInDifficulty(rules: Rules, parent: Header, header: Header): BlockFlaw | undefined {
  if (isMined(header)) {
    // Once a chain is not mined any more it never is again (EIP-3675); only block 0 may say either.
    if (!isMined(parent) || rules.since('paris')) return differs('difficulty', header.difficulty, 0n)
    return mustBe('difficulty', header.difficulty, nextDifficulty(rules, parent, header.timestamp))
  }
  // A chain may stop being mined at any block, whether or not its fork schedule has a merge: our own blocks are not mined.
  if (header.nonce.some((byte) => byte !== 0))
    return differs('nonce', toHex(header.nonce), '0x0000000000000000')
  return mustBe('ommersHash', header.ommersHash, EMPTY_OMMERS_HASH)
}

function mustBe<T>(field: string, stated: T, computed: T): BlockFlaw | undefined {
  return stated === computed ? undefined : differs(field, stated, computed)
}

/** The hashes that a header has over its block's body. */
function flawInRoots({ header, transactions, ommers, withdrawals }: UncheckedBlock): BlockFlaw | undefined {
  const withdrawalsRoot = withdrawals && listRoot(withdrawals.map((one) => encodeRlp(withdrawalFields(one))))
  return (
    mustBe('transactionsRoot', header.transactionsRoot, listRoot(transactions.map(({ raw }) => raw))) ??
    mustBe('ommersHash', header.ommersHash, ommersHash(ommers)) ??
    mustBe('withdrawalsRoot', header.withdrawalsRoot, withdrawalsRoot)
  )
}

function ommersHash(ommers: readonly Header[]): Hash {
  return keccakHash(encodeRlp(ommers.map(headerFields)))
}
