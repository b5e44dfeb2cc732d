/**
 * Checks whether a block with this header and body can follow its parent, as far as this is known before it is run:
 * geth's `consensus/misc` and the Yellow Paper's 4.3.4. The proof of work of a mined block is not checked.
 */

import { areEqual } from '../../bytes/bytes.ts'
import { type Hash, toHex } from '../../bytes/hex.ts'
import { encodeRlp } from '../../bytes/rlp.ts'
import { keccakHash } from '../../crypto/keccak.ts'
import { maxBlockBytes } from '../../model/block/blockSize.ts'
import type { UncheckedBlock } from '../../model/block/encodedBlock.ts'
import { EMPTY_OMMERS_HASH, type Header, headerFields, isMined } from '../../model/block/header.ts'
import { nextDifficulty } from '../../model/block/proofOfWork.ts'
import { withdrawalFields } from '../../model/block/withdrawal.ts'
import { DAO_EXTRA_DATA, hasDaoExtraData } from '../../model/hardfork/daoFork.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { nextBaseFee, nextExcessBlobGas, nextGasLimit } from '../../model/transaction/fees.ts'
import { listRoot } from '../../state/roots.ts'
import {
  type BlockFlaw,
  differs,
  type FieldFlaw,
  type ImportRules,
  invalid,
  ONLY_A_DEVNET,
} from './blockFlaw.ts'

/** Returns the first flaw of `block`, which is under `rules`, as a successor of `parent`. */
export function flawInHeader(
  rules: Rules,
  importRules: ImportRules,
  parent: Header,
  block: UncheckedBlock,
): BlockFlaw | undefined {
  return (
    flawInFields(rules, block.header) ??
    flawInValues(rules, importRules, parent, block.header) ??
    flawInRoots(block)
  )
}

/** Returns the flaw of a block under `rules` whose RLP has `size` bytes (EIP-7934), if it is too large. */
export function flawInSize(rules: Rules, size: number): FieldFlaw | undefined {
  const limit = maxBlockBytes(rules)
  if (limit === undefined || size <= limit) return undefined
  return invalid(
    'block',
    'blockTooLarge',
    `the block has ${size} bytes, at most ${limit} are allowed (EIP-7934)`,
  )
}

/** The EIPs of optional header fields. */
const OPTIONAL_FIELDS = [
  ['baseFeePerGas', 1559],
  ['withdrawalsRoot', 4895],
  ['blobGasUsed', 4844],
  ['excessBlobGas', 4844],
  ['parentBeaconBlockRoot', 4788],
  ['requestsHash', 7685],
] as const satisfies readonly (readonly [keyof Header, number])[]

/** Returns the first field that is missing in a header under `rules`, or that it must not have. */
export function flawInFields(rules: Rules, header: Header): FieldFlaw | undefined {
  for (const [field, eip] of OPTIONAL_FIELDS) {
    const isThere = header[field] !== undefined
    if (isThere === rules.has(eip)) continue
    const reason = isThere
      ? `the block has this field of EIP-${eip}, which is not in force under ${rules.hardfork}`
      : `the block lacks this field, which EIP-${eip} asks for under ${rules.hardfork}`
    return invalid(field, isThere ? 'unexpectedField' : 'missingField', reason)
  }
  return undefined
}

/**
 * Returns the first field of `header` whose value cannot follow `parent`; its body and its execution are not checked.
 */
export function flawInValues(
  rules: Rules,
  importRules: ImportRules,
  parent: Header,
  header: Header,
): FieldFlaw | undefined {
  return (
    flawInTimestamp(importRules, parent, header) ??
    flawInGasLimit(rules, parent, header) ??
    flawInGasUsed(header) ??
    flawInDifficulty(rules, parent, header) ??
    flawInExtraData(rules, header) ??
    mustBe('baseFeePerGas', header.baseFeePerGas, nextBaseFee(rules, parent)) ??
    mustBe('excessBlobGas', header.excessBlobGas, nextExcessBlobGas(rules, parent))
  )
}

function flawInTimestamp(
  importRules: ImportRules,
  parent: Header,
  { timestamp }: Header,
): FieldFlaw | undefined {
  if (timestamp > parent.timestamp) return undefined
  if (timestamp < parent.timestamp) {
    const reason = `${timestamp} is before that of its parent, ${parent.timestamp}`
    return invalid('timestamp', 'timestampBeforeParent', reason)
  }
  if (importRules === 'devnet') return undefined
  const reason = `${timestamp} is that of its parent, it must be above; ${ONLY_A_DEVNET}`
  return invalid('timestamp', 'timestampOfParent', reason)
}

function flawInGasUsed({ gasUsed, gasLimit }: Header): FieldFlaw | undefined {
  if (gasUsed <= gasLimit) return undefined
  return invalid('gasUsed', 'gasUsedAboveLimit', `${gasUsed} is above the gas limit, ${gasLimit}`)
}

const GAS_LIMIT_BOUND_DIVISOR = 1_024n
const MIN_GAS_LIMIT = 5_000n
/** EIP-1985, which all nodes apply. */
const MAX_GAS_LIMIT = 2n ** 63n - 1n

function flawInGasLimit(rules: Rules, parent: Header, { gasLimit }: Header): FieldFlaw | undefined {
  if (gasLimit > MAX_GAS_LIMIT) {
    return invalid('gasLimit', 'gasLimitAboveInt63', `${gasLimit} is above ${MAX_GAS_LIMIT} (2^63 - 1)`)
  }
  const before = nextGasLimit(rules, parent)
  const step = before / GAS_LIMIT_BOUND_DIVISOR
  const isNear = gasLimit > before - step && gasLimit < before + step
  if ((gasLimit === before || isNear) && gasLimit >= MIN_GAS_LIMIT) return undefined
  const reason = `${gasLimit} is not within ${step} of ${before}, or below ${MIN_GAS_LIMIT}`
  return invalid('gasLimit', 'gasLimitOutOfBounds', reason)
}

function flawInDifficulty(rules: Rules, parent: Header, header: Header): FieldFlaw | undefined {
  if (isMined(header)) {
    // Once blocks are not mined, no later block is (EIP-3675); only block 0 may be either.
    if (!isMined(parent) || rules.since('paris')) return differs('difficulty', header.difficulty, 0n)
    return mustBe('difficulty', header.difficulty, nextDifficulty(rules, parent, header.timestamp))
  }
  // A chain may cease to be mined at any block, with or without a merge in its fork schedule: devnet blocks are not
  // mined.
  if (header.nonce.some((byte) => byte !== 0))
    return differs('nonce', toHex(header.nonce), '0x0000000000000000')
  return mustBe('ommersHash', header.ommersHash, EMPTY_OMMERS_HASH)
}

/** EIP-779: the extra data of the first blocks after the DAO fork shows their side of it. */
function flawInExtraData({ dao }: Rules, { number, extraData }: Header): FieldFlaw | undefined {
  if (dao === undefined || !hasDaoExtraData(dao, number)) return undefined
  if (areEqual(extraData, DAO_EXTRA_DATA) === dao.isSupported) return undefined
  const reason = dao.isSupported
    ? `${toHex(extraData)} must be ${toHex(DAO_EXTRA_DATA)} in the first blocks of the DAO fork (EIP-779)`
    : `${toHex(extraData)} is that of the DAO fork, which this chain does not make (daoForkSupport)`
  return invalid('extraData', 'daoExtraData', reason)
}

function mustBe<T>(field: string, stated: T, computed: T): FieldFlaw | undefined {
  return stated === computed ? undefined : differs(field, stated, computed)
}

/** Checks the roots of the block's body in its header. */
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
