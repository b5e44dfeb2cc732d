/**
 * The records of a state file, one per line. The first member of a record is its kind. Members have a fixed order,
 * and empty members are omitted, so that equal chains give equal files. Each block is followed by its receipts and by
 * the account changes since its parent, from which all states are restored.
 */
import { type Address, type Hash, toHex } from '../../bytes/hex.ts'
import { encodeBlock } from '../../model/block/block.ts'
import { decodeBlock, MalformedBlock, type UncheckedBlock } from '../../model/block/decodeBlock.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { ExecutionResult, L2Receipt } from '../../model/receipt/receipt.ts'
import { decodeTransactionFrom, type Sender, senderOf } from '../../model/transaction/signedTransaction.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { MalformedTransaction } from '../../model/transaction/transactionFields.ts'
import { encodeForkConfig, parseForkConfig } from '../../wire/forkConfig.ts'
import { firstNumber } from '../../wire/genesis.ts'
import {
  encodeBytes,
  encodeQuantity,
  parseAddress,
  parseBytes,
  parseHash,
  parseQuantity,
  parseUint64,
} from '../../wire/hex.ts'
import {
  anything,
  arrayOf,
  boolean,
  InvalidValue,
  integer,
  type JsonObject,
  type Parser,
  recordOf,
  text,
  withDefault,
} from '../../wire/parser.ts'
import { type Form, form, mapped, maybe, object, type TypeOf } from './form.ts'

/** The format's name and version, with which the first line of a state file begins. */
const FORMAT = 'state'
const VERSION = 1

const address = form(parseAddress)
const hash = form(parseHash)
const hashes = form<readonly Hash[]>(arrayOf(parseHash))
const quantity = form(parseQuantity, encodeQuantity)
const uint64 = form(parseUint64, encodeQuantity)
const bytes = form(parseBytes, encodeBytes)
const flag = form(withDefault(boolean, false), (value) => (value ? true : undefined))
const count = form(integer(0, Number.MAX_SAFE_INTEGER, 'a whole number from 0'))

const milliseconds = form<number>((value, path) => {
  if (typeof value !== 'number') throw new InvalidValue(path, 'milliseconds (a JSON number)', value)
  return value
})

/** Returns the form of an array. An empty array is omitted. */
function list<T>({ parse, encode }: Form<T>): Form<readonly T[]> {
  const parseAll = arrayOf(parse)
  return form<readonly T[]>(
    (value, path) => (value === undefined || value === null ? [] : parseAll(value, path)),
    (values) => (values.length === 0 ? undefined : values.map(encode)),
  )
}

/** Returns the form of an array with one value of each form. `what` describes the array in errors. */
function tuple<const T extends readonly unknown[]>(
  what: string,
  ...forms: { readonly [K in keyof T]: Form<T[K]> }
): Form<Readonly<T>> {
  return form<Readonly<T>>(
    (value, path) => {
      if (!Array.isArray(value) || value.length !== forms.length) throw new InvalidValue(path, what, value)
      return forms.map((one, i) => one.parse(value[i], `${path}[${i}]`)) as unknown as T
    },
    (values) => forms.map((one, i) => one.encode(values[i])),
  )
}

/** Returns the form of a member that is always `wanted`. */
function constant<T>(wanted: T, expected: string): Form<T> {
  return form<T>((value, path) => {
    if (value !== wanted) throw new InvalidValue(path, expected, value)
    return wanted
  })
}

const fork = object(
  {
    chainId: quantity,
    number: uint64,
    hash,
    /** Whether values of the network are fetched with proofs. */
    hasProofs: ['proofs', flag],
  },
  'an object {chainId, number, hash}',
)
export type SavedFork = TypeOf<typeof fork>

/** Options and rules of a chain. */
const chain = {
  schedule: [
    'config',
    form(
      (value, path) =>
        parseForkConfig(recordOf(value, path, 'an object with chainId and the fork schedule'), path),
      encodeForkConfig,
    ),
  ],
  first: form(firstNumber, (value: bigint) => (value === 0n ? undefined : encodeQuantity(value))),
  /** The recipient of tips. */
  coinbase: address,
  /** The seed from which each block's prevRandao is computed. */
  randaoSeed: hash,
  fork: maybe(fork),
} as const

/** The first record: options and rules of the chain, and of its L1. */
export const HEAD = object({
  preseal: constant(FORMAT, `"${FORMAT}"`),
  version: constant(VERSION, `${VERSION}, the only one that this version of preseal reads`),
  ...chain,
  l1: maybe(object(chain)),
})
export type SavedHead = Omit<TypeOf<typeof HEAD>, 'preseal' | 'version'>

export function encodeHead(head: SavedHead): unknown {
  return HEAD.encode({ preseal: FORMAT, version: VERSION, ...head })
}

/** The sender of a transaction, which is stored because recovering it from the signature is slow. */
const sender = form<Sender>(
  (value, path) => {
    if (typeof value === 'string') return { kind: 'signed', from: parseAddress(value, path) }
    const { impersonated, hash } = recordOf(value, path, 'an address, or an object {impersonated, hash}')
    return {
      kind: 'impersonated',
      from: parseAddress(impersonated, `${path}.impersonated`),
      hash: parseHash(hash, `${path}.hash`),
    }
  },
  (value) => (value.kind === 'signed' ? value.from : { impersonated: value.from, hash: value.hash }),
)

/** The RLP of a block, and the senders of its transactions. */
const rlp = { rlp: bytes, senders: list(sender) }

function encodeRlp(block: UncheckedBlock): { rlp: Uint8Array; senders: readonly Sender[] } {
  return { rlp: encodeBlock(block), senders: block.transactions.map(senderOf) }
}

/** Decodes a block, which must have this number. `name` is the member with the number, for errors. */
function decoded(name: string, number: bigint, rlp: Uint8Array, senders: readonly Sender[]): UncheckedBlock {
  let block: UncheckedBlock
  try {
    block = decodeBlock(rlp, senders)
  } catch (error) {
    if (!(error instanceof MalformedBlock)) throw error
    throw new InvalidValue('rlp', `a block (${error.message})`, toHex(rlp))
  }
  if (block.header.number === number) return block
  const expected = `the number in the block's RLP, ${block.header.number}`
  throw new InvalidValue(name, expected, encodeQuantity(number))
}

interface SealedBlock {
  readonly block: UncheckedBlock
  /** Whether the state after the block is known. If not, the block has no account records. */
  readonly isStateKnown: boolean
  /** Whether the network hashed the header with fields that preseal does not know. */
  readonly isForeign?: boolean
}

/** A sealed block, followed by its receipts and accounts. */
const sealedBlock = mapped(
  object({ number: ['block', uint64], hash, ...rlp, stateless: flag, foreign: flag }),
  ({ number, hash, rlp, senders, stateless, foreign }): SealedBlock => {
    const block = decoded('block', number, rlp, senders)
    const isStateKnown = !stateless
    if (foreign) return { block: { ...block, hash }, isStateKnown, isForeign: true }
    // The hash is stored to make blocks searchable by hash in the file, and to verify the decoded block.
    if (hash === block.hash) return { block, isStateKnown }
    throw new InvalidValue('hash', `the hash of the block's RLP, ${block.hash}`, hash)
  },
  ({ block, isStateKnown, isForeign = false }) => ({
    number: block.header.number,
    hash: block.hash,
    ...encodeRlp(block),
    stateless: !isStateKnown,
    foreign: isForeign,
  }),
)

/** The block under construction, with zeros as its hash and state root. */
const preconfirmedBlock = mapped(
  object({ number: ['preconfirmed', uint64], slices: count, ...rlp }),
  ({ number, slices, rlp, senders }) => ({
    block: decoded('preconfirmed', number, rlp, senders),
    slices,
  }),
  ({ block, slices }) => ({ number: block.header.number, slices, ...encodeRlp(block) }),
)

const pair = tuple('two quantities', quantity, quantity)

/** The L1 data fee, its gas, and the prices of the L1 data fee and of the operator fee. */
const l2 = mapped(
  object(
    {
      l1: tuple('fee, gas and four prices', quantity, quantity, quantity, quantity, quantity, quantity),
      bedrock: maybe(pair),
      operator: maybe(pair),
      daFootprint: maybe(quantity),
      depositNonce: maybe(uint64),
    },
    'an object {l1, depositNonce}',
  ),
  ({ l1, bedrock, operator, daFootprint, depositNonce }): L2Receipt => {
    const [fee, gasUsed, baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar] = l1
    const prices = {
      ...{ baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar },
      ...(bedrock && { bedrock: { overhead: bedrock[0], scalar: bedrock[1] } }),
      ...(operator && { operator: { scalar: operator[0], constant: operator[1] } }),
      ...(daFootprint !== undefined && { daFootprintGasScalar: daFootprint }),
    }
    return { l1: { fee, gasUsed, prices }, ...(depositNonce !== undefined && { depositNonce }) }
  },
  ({ l1: { fee, gasUsed, prices }, depositNonce }) => {
    const { baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar, bedrock, operator } = prices
    return {
      l1: [fee, gasUsed, baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar] as const,
      bedrock: bedrock && ([bedrock.overhead, bedrock.scalar] as const),
      operator: operator && ([operator.scalar, operator.constant] as const),
      daFootprint: prices.daFootprintGasScalar,
      depositNonce,
    }
  },
)

const status = form<ExecutionResult['status']>((value, path) => {
  if (value === 'success' || value === 'failure') return value
  throw new InvalidValue(path, '"success" or "failure"', value)
})

const halt = form<string>((value, path) => {
  if (typeof value === 'string') return value
  throw new InvalidValue(path, 'the error that halted the EVM (a string)', value)
})

const log = mapped(
  tuple<[Address, readonly Hash[], Uint8Array]>(
    'a log: its address, topics and data',
    address,
    hashes,
    bytes,
  ),
  ([address, topics, data]): Log => ({ address, topics, data }),
  ({ address, topics, data }) => [address, topics, data] as const,
)

/** The receipt of the next transaction of the block. */
const receipt = mapped(
  object({
    status: ['receipt', status],
    root: maybe(hash),
    gasUsed: uint64,
    logs: list(log),
    revert: maybe(bytes),
    halt: maybe(halt),
    blobGasPrice: maybe(quantity),
    l2: maybe(l2),
  }),
  ({ status, root, gasUsed, logs, revert, halt, blobGasPrice, l2 }) => {
    const halted = halt === undefined ? undefined : ({ kind: 'halt', reason: halt } as const)
    const failure = revert === undefined ? halted : ({ kind: 'revert', data: revert } as const)
    const result: ExecutionResult = { status, root, gasUsed, logs, failure, blobGasPrice, l2 }
    return { result }
  },
  ({ result: { failure, ...result } }) => ({
    ...result,
    revert: failure?.kind === 'revert' ? failure.data : undefined,
    halt: failure?.kind === 'halt' ? failure.reason : undefined,
  }),
)

/** A waiting transaction. These records are in the order of arrival. */
const waiting = mapped(
  object({ waiting: bytes, sender }),
  ({ waiting, sender }): { readonly transaction: Transaction } => {
    try {
      return { transaction: decodeTransactionFrom(sender, waiting) }
    } catch (error) {
      if (!(error instanceof MalformedTransaction)) throw error
      throw new InvalidValue('waiting', `a transaction (${error.reason})`, toHex(waiting))
    }
  },
  ({ transaction }) => ({ waiting: transaction.raw, sender: senderOf(transaction) }),
)

/** The state of the clock, in milliseconds. */
const clock = object(
  { nowMs: milliseconds, lastTickMs: milliseconds, shiftedMs: milliseconds },
  'an object {nowMs, lastTickMs, shiftedMs}',
)

const cheats = object(
  {
    next: object({
      timestamp: maybe(uint64),
      baseFeePerGas: maybe(quantity),
      prevRandao: maybe(hash),
      gasLimit: maybe(uint64),
    }),
    chainId: maybe(quantity),
    coinbase: maybe(address),
    extraData: maybe(bytes),
    timestampInterval: maybe(quantity),
    impersonated: form<ReadonlySet<Address>>(
      (value, path) => new Set(arrayOf(parseAddress)(value, path)),
      (addresses) => [...addresses].sort(),
    ),
    impersonatesAll: form(boolean),
    /** The number of reorgs that led to this chain. */
    branch: form(withDefault(milliseconds.parse, 0), (branch) => branch || undefined),
  },
  'an object {next, impersonated, impersonatesAll}',
)

/** The forms of the records after the head. */
const FORMS = {
  /** Code, to which later records of accounts refer by the hash of the code. */
  code: object({ code: bytes }),
  /** Changes of an account. An absent member has not changed. An account with many slots has several records. */
  account: object({
    address: ['account', address],
    isDeleted: ['deleted', flag],
    nonce: maybe(uint64),
    balance: maybe(quantity),
    codeHash: ['code', maybe(hash)],
    /** Slots and their new values; zero removes a slot. */
    storage: list(tuple<[slot: bigint, value: bigint]>('a slot and its value', quantity, quantity)),
  }),
  block: sealedBlock,
  preconfirmed: preconfirmedBlock,
  receipt,
  /** The account records that follow are changes that cheat methods made to the state of the first block. */
  changed: object({ after: ['changed', uint64] }),
  /** The hashes of consecutive pruned blocks. */
  pruned: object({ hashes: ['pruned', hashes] }),
  waiting,
  clock: object({ clock }),
  cheats: object({ cheats }),
  /** A response of the upstream node about the fork block or an older block. These records follow the head. */
  fetched: object({
    method: ['fetched', form(text)],
    params: form<readonly unknown[]>(arrayOf(anything)),
    result: form(anything),
  }),
  /** The failures of the L1. The records that follow are those of the L1. */
  l1: object({
    outages: [
      'l1',
      object({
        withheld: list(object({ first: quantity, last: quantity }, 'an object {first, last}')),
        slots: count,
      }),
    ],
  }),
}

type Forms = typeof FORMS
type Kind = keyof Forms

export type Saved<K extends Kind> = { readonly kind: K } & TypeOf<Forms[K]>

/** Any record after the head. The order in a file: fetched responses, the chain, the pool, the clock, the cheats, and the same of the L1. */
export type SavedRecord = { [K in Kind]: Saved<K> }[Kind]

export type ChainRecord = Exclude<SavedRecord, { kind: 'waiting' | 'clock' | 'cheats' | 'fetched' | 'l1' }>

export function encodeRecord(record: SavedRecord): JsonObject {
  return (FORMS[record.kind] as unknown as Form<SavedRecord>).encode(record) as JsonObject
}

/** Parses a line after the first. Throws `InvalidValue` with the path within the line. */
export const parseRecord: Parser<SavedRecord> = (value, path) => {
  const [kind] = Object.keys(recordOf(value, path, 'an object'))
  if (kind === undefined || !Object.hasOwn(FORMS, kind)) {
    const kinds = Object.keys(FORMS).join(', ')
    throw new InvalidValue(path, `a record (its first member is one of ${kinds})`, kind)
  }
  const record = (FORMS[kind as Kind] as Form<object>).parse(value, '') as JsonObject
  record.kind = kind
  return record as unknown as SavedRecord
}
