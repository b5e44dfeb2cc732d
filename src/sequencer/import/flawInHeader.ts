/** Checks blocks against their parents, without proof of work (geth's `consensus/misc`, Yellow Paper section 4.3.4). */

import { areEqual } from '../../bytes/bytes.ts'
import { type Hash, toHex } from '../../bytes/hex.ts'
import { encodeRlp } from '../../bytes/rlp.ts'
import type { History } from '../../chain/history.ts'
import { keccakHash } from '../../crypto/keccak.ts'
import { maxBlockBytes } from '../../model/block/block.ts'
import type { UncheckedBlock } from '../../model/block/decodeBlock.ts'
import { nextBaseFee, nextExcessBlobGas, nextGasLimit } from '../../model/block/fees.ts'
import {
  EMPTY_OMMERS_HASH,
  type Header,
  hashHeader,
  headerFields,
  isMined,
  withdrawalFields,
} from '../../model/block/header.ts'
import { nextDifficulty } from '../../model/block/proofOfWork.ts'
import type { ForkSchedule } from '../../model/hardfork/forkSchedule.ts'
import { DAO_EXTRA_DATA, hasDaoExtraData, type Rules } from '../../model/hardfork/hardfork.ts'
import type { Rejection } from '../../pool/admit.ts'
import { listRoot } from '../../state/roots.ts'

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

/** Returns a flaw if the RLP of a block has more bytes than `rules` allow (EIP-7934). */
export function flawInSize(rules: Rules, size: number): FieldFlaw | undefined {
  const limit = maxBlockBytes(rules)
  if (limit === undefined || size <= limit) return undefined
  return invalid(
    'block',
    'blockTooLarge',
    `the block has ${size} bytes, at most ${limit} are allowed (EIP-7934)`,
  )
}

const OPTIONAL_FIELDS = [
  ['baseFeePerGas', 1559],
  ['withdrawalsRoot', 4895],
  ['blobGasUsed', 4844],
  ['excessBlobGas', 4844],
  ['parentBeaconBlockRoot', 4788],
  ['requestsHash', 7685],
] as const satisfies readonly (readonly [keyof Header, number])[]

/** Returns the first field that the header lacks, or must not have, under `rules`. */
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

/** Returns the first field of `header` that is impossible in a child of `parent`. Checks neither body nor execution. */
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
  const reason = `${timestamp} is also the timestamp of its parent, and must be greater; ${DEVNET_RULES_HINT}`
  return invalid('timestamp', 'timestampOfParent', reason)
}

function flawInGasUsed({ gasUsed, gasLimit }: Header): FieldFlaw | undefined {
  if (gasUsed <= gasLimit) return undefined
  return invalid('gasUsed', 'gasUsedAboveLimit', `${gasUsed} is above the gas limit, ${gasLimit}`)
}

const GAS_LIMIT_BOUND_DIVISOR = 1_024n
const MIN_GAS_LIMIT = 5_000n
/** The maximum of EIP-1985, which all nodes apply. */
const MAX_GAS_LIMIT = 2n ** 63n - 1n

function flawInGasLimit(rules: Rules, parent: Header, { gasLimit }: Header): FieldFlaw | undefined {
  if (gasLimit > MAX_GAS_LIMIT) {
    return invalid('gasLimit', 'gasLimitAboveInt63', `${gasLimit} is above ${MAX_GAS_LIMIT} (2^63 - 1)`)
  }
  const before = nextGasLimit(rules, parent)
  const step = before / GAS_LIMIT_BOUND_DIVISOR
  const isNear = gasLimit > before - step && gasLimit < before + step
  if ((gasLimit === before || isNear) && gasLimit >= MIN_GAS_LIMIT) return undefined
  const reason = `${gasLimit} must differ by less than ${step} from ${before}, and be at least ${MIN_GAS_LIMIT}`
  return invalid('gasLimit', 'gasLimitOutOfBounds', reason)
}

function flawInDifficulty(rules: Rules, parent: Header, header: Header): FieldFlaw | undefined {
  if (isMined(header)) {
    // A mined block cannot follow a block that was not mined (EIP-3675).
    if (!isMined(parent) || rules.since('paris')) return differs('difficulty', header.difficulty, 0n)
    return mustBe('difficulty', header.difficulty, nextDifficulty(rules, parent, header.timestamp))
  }
  // Difficulty 0 is possible in any block, because a devnet does not mine.
  if (header.nonce.some((byte) => byte !== 0))
    return differs('nonce', toHex(header.nonce), '0x0000000000000000')
  return mustBe('ommersHash', header.ommersHash, EMPTY_OMMERS_HASH)
}

/** Checks the extra data of the first blocks after the DAO fork (EIP-779). */
function flawInExtraData({ dao }: Rules, { number, extraData }: Header): FieldFlaw | undefined {
  if (dao === undefined || !hasDaoExtraData(dao, number)) return undefined
  if (areEqual(extraData, DAO_EXTRA_DATA) === dao.isSupported) return undefined
  const reason = dao.isSupported
    ? `${toHex(extraData)} must be ${toHex(DAO_EXTRA_DATA)} in the first blocks of the DAO fork (EIP-779)`
    : `${toHex(extraData)} is the extra data of the DAO fork, which this chain does not support (daoForkSupport)`
  return invalid('extraData', 'daoExtraData', reason)
}

function mustBe<T>(field: string, stated: T, computed: T): FieldFlaw | undefined {
  return stated === computed ? undefined : differs(field, stated, computed)
}

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

/** The reason for refusing a block, with values as text for messages. */
export type BlockFlaw =
  /** A field differs from the value computed from the parent or by running the block. */
  | { readonly kind: 'differs'; readonly field: string; readonly stated: string; readonly computed: string }
  /** A field is missing, or breaks a rule that does not depend on a computed value. */
  | {
      readonly kind: 'invalid'
      readonly field: string
      readonly rule: BlockRule
      readonly reason: string
    }
  | {
      readonly kind: 'transaction'
      readonly index: number
      readonly hash: Hash
      readonly rejection: InclusionRejection
    }

export type FieldFlaw = Extract<BlockFlaw, { kind: 'differs' | 'invalid' }>

/**
 * The rules for imported blocks. `devnet` also accepts a timestamp equal to the parent's, failed system calls
 * (EIP-7002, EIP-7251), malformed deposit events (EIP-6110), and difficulty 0 before the terminal total difficulty.
 */
export const IMPORT_RULES = ['ethereum', 'devnet'] as const
export type ImportRules = (typeof IMPORT_RULES)[number]

/** A hint in error messages about blocks that are accepted under the rules `devnet` only. */
export const DEVNET_RULES_HINT =
  "only a devnet makes such blocks; import accepts them with the option rules: 'devnet' (--import-rules devnet)"

/** Rules that are checked without comparing a field with a computed value. */
export type BlockRule =
  /** The chain has a different block with this number. */
  | 'otherBlock'
  | 'missingField'
  | 'unexpectedField'
  | 'timestampBeforeParent'
  | 'timestampOfParent'
  | 'gasUsedAboveLimit'
  | 'gasLimitOutOfBounds'
  | 'gasLimitAboveInt63'
  | 'blobGasAboveLimit'
  /** The RLP of the block is too large (EIP-7934). */
  | 'blockTooLarge'
  /** The extra data is wrong for a block near the DAO fork (EIP-779). */
  | 'daoExtraData'
  /** The block is mined, although the terminal total difficulty was reached before it (EIP-3675). */
  | 'minedAfterMerge'
  /** The block is not mined, although the terminal total difficulty has not been reached (EIP-3675). */
  | 'unminedBeforeMerge'
  /** The data of a deposit event has a layout that EIP-6110 does not allow. */
  | 'depositLayout'
  /** A system contract has no code (EIP-7002, EIP-7251). */
  | 'systemContractMissing'
  /** A system contract reverted or halted (EIP-7002, EIP-7251). */
  | 'systemCallFailed'
  | 'tooManyOmmers'
  | 'ommerIsAncestor'
  | 'ommerIsKnown'
  | 'ommerIsSibling'
  | 'ommerParentUnknown'

/** The reason why a transaction cannot be in a block. */
export type InclusionRejection =
  | Rejection
  | { readonly kind: 'highS' }
  | { readonly kind: 'nonceTooHighForNow'; readonly next: bigint; readonly got: bigint }
  | { readonly kind: 'feeBelowBaseFee'; readonly maxFeePerGas: bigint; readonly baseFeePerGas: bigint }
  | { readonly kind: 'blobFeeTooLow'; readonly maxFeePerBlobGas: bigint; readonly blobBaseFee: bigint }

export function differs(field: string, stated: unknown, computed: unknown): FieldFlaw {
  const shown = (value: unknown) => (value === undefined ? 'nothing' : String(value))
  return { kind: 'differs', field, stated: shown(stated), computed: shown(computed) }
}

export function invalid(field: string, rule: BlockRule, reason: string): FieldFlaw {
  return { kind: 'invalid', field, rule, reason }
}

/** Maximum number of ommers in a block (Yellow Paper, section 11.1). */
const MAX_OMMERS = 2
/** Maximum number of generations between a block and the parent of its ommer. */
const MAX_DEPTH = 7

/** Returns the first flaw of the ommers in the block after `parent`. */
export function flawInOmmers(
  schedule: ForkSchedule,
  parent: Header,
  ommers: readonly Header[],
  history: Pick<History, 'first' | 'hash' | 'block'>,
): BlockFlaw | undefined {
  if (ommers.length === 0) return undefined
  if (ommers.length > MAX_OMMERS) {
    return invalid('ommers', 'tooManyOmmers', `at most ${MAX_OMMERS} are allowed, got ${ommers.length}`)
  }
  const ancestors = new Map<Hash, bigint>()
  const included = new Set<Hash>()
  const number = Number(parent.number)
  for (let at = number; at > number - MAX_DEPTH && at >= history.first; at--) {
    ancestors.set(history.hash(at)!, BigInt(at))
    for (const ommer of history.block(at)?.ommers ?? []) included.add(hashHeader(ommer))
  }
  for (const [index, ommer] of ommers.entries()) {
    const field = `ommers[${index}]`
    const hash = hashHeader(ommer)
    if (ancestors.has(hash)) return invalid(field, 'ommerIsAncestor', `${hash} is an ancestor of the block`)
    if (included.has(hash)) return invalid(field, 'ommerIsKnown', `${hash} was an ommer before`)
    // The parent of an ommer must be an ancestor of the block, but not the block's own parent.
    const generation = ancestors.get(ommer.parentHash)
    if (generation === parent.number) {
      const reason = `its parent ${ommer.parentHash} is the block's own parent`
      return invalid(field, 'ommerIsSibling', reason)
    }
    if (generation === undefined) {
      const reason = `its parent ${ommer.parentHash} is none of the ${MAX_DEPTH - 1} blocks before block ${parent.number}`
      return invalid(field, 'ommerParentUnknown', reason)
    }
    // If the ancestor is pruned, only its hash is known. The ommer's number is still checked: it determines the reward.
    const flaw =
      ommer.number !== generation + 1n
        ? differs('number', ommer.number, generation + 1n)
        : flawInOmmer(schedule, history.block(Number(generation))?.header, ommer)
    if (flaw !== undefined) return { ...flaw, field: `${field}.${flaw.field}` }
    included.add(hash)
  }
  return undefined
}

/** Returns the first flaw of `ommer` as a child of `parent`. Its roots are not checked, because its body is unknown. */
function flawInOmmer(
  schedule: ForkSchedule,
  parent: Header | undefined,
  ommer: Header,
): FieldFlaw | undefined {
  if (parent === undefined) return undefined
  const rules = schedule.at(ommer)
  return flawInFields(rules, ommer) ?? flawInValues(rules, 'ethereum', parent, ommer)
}

/** Returns a flaw if `header`, which follows `history`, is mined after the merge, or not mined before the merge. */
export function flawInMerge(
  { config, forks }: ForkSchedule,
  importRules: ImportRules,
  history: History,
  header: Header,
): FieldFlaw | undefined {
  // If the newest block is not mined, `flawInHeader` refuses a mined `header`.
  if (!isMined(history.latest.block.header)) return undefined
  const { terminalTotalDifficulty: terminal } = config
  if (terminal === undefined) {
    const merges = forks.some(({ activation }) => activation.kind === 'merge')
    return isMined(header) || merges ? undefined : tooEarly(importRules, 'this chain has no merge')
  }
  const total = totalDifficulty(history)
  if (total === undefined) return undefined
  if (isMined(header) && total >= terminal) {
    const reason = `the total difficulty reached ${terminal} before this block (it is ${total}), so the difficulty must be 0`
    return invalid('difficulty', 'minedAfterMerge', reason)
  }
  if (isMined(header) || total >= terminal) return undefined
  return tooEarly(importRules, `the total difficulty before it is ${total}, below ${terminal}`)
}

function tooEarly(importRules: ImportRules, why: string): FieldFlaw | undefined {
  if (importRules === 'devnet') return undefined
  const reason = `0 is the difficulty of a block after the merge, but ${why}; ${DEVNET_RULES_HINT}`
  return invalid('difficulty', 'unminedBeforeMerge', reason)
}

/** The total difficulty up to each header for which it has been computed. */
const totals = new WeakMap<Header, bigint>()

/** Returns the total difficulty up to the newest block; `undefined` if blocks were pruned. */
function totalDifficulty(history: History): bigint | undefined {
  let number = history.end - 1
  let total = 0n
  for (; number >= history.first; number--) {
    const header = history.block(number)?.header
    if (header === undefined) return undefined
    const known = totals.get(header)
    total += known ?? header.difficulty
    if (known !== undefined) break
  }
  totals.set(history.latest.block.header, total)
  return total
}
