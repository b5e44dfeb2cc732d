/** Parses the records of a state file, as `encodeRecord` writes them. Throws `InvalidValue` with the path in the line. */

import { decodeBlock, MalformedBlock, type UncheckedBlock } from '../../model/block/decodeBlock.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { ExecutionFailure, ExecutionResult, L2Receipt } from '../../model/receipt/receipt.ts'
import { decodeTransactionFrom, type Sender } from '../../model/transaction/signedTransaction.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { MalformedTransaction } from '../../model/transaction/transactionFields.ts'
import { parseForkConfig } from '../../wire/forkConfig.ts'
import { firstNumber } from '../../wire/genesis.ts'
import { parseAddress, parseBytes, parseHash, parseQuantity, parseUint64 } from '../../wire/hex.ts'
import {
  arrayOf,
  boolean,
  InvalidValue,
  type JsonObject,
  optional,
  type Parser,
  recordOf,
  text,
  withDefault,
} from '../../wire/parser.ts'
import type {
  SavedAccount,
  SavedCheats,
  SavedClock,
  SavedFetched,
  SavedFork,
  SavedHead,
  SavedRecord,
} from '../savedChain.ts'
import { FORMAT, VERSION } from './encodeRecord.ts'

/** Parses the first line. */
export const parseHead: Parser<SavedHead> = (value, path) => {
  const { preseal, version, config, first, coinbase, randaoSeed, fork } = recordOf(value, path, 'an object')
  if (preseal !== FORMAT) throw new InvalidValue('preseal', `"${FORMAT}"`, preseal)
  if (version !== VERSION) {
    throw new InvalidValue('version', `${VERSION}, the only one that this version of preseal reads`, version)
  }
  return {
    kind: 'head',
    schedule: parseForkConfig(
      recordOf(config, 'config', 'an object with chainId and the fork schedule'),
      'config',
    ),
    first: firstNumber(first, 'first'),
    coinbase: parseAddress(coinbase, 'coinbase'),
    randaoSeed: parseHash(randaoSeed, 'randaoSeed'),
    ...(fork === undefined ? {} : { fork: parseFork(fork) }),
  }
}

function parseFork(value: unknown): SavedFork {
  const { chainId, number, hash, proofs } = recordOf(value, 'fork', 'an object {chainId, number, hash}')
  return {
    chainId: parseQuantity(chainId, 'fork.chainId'),
    number: parseUint64(number, 'fork.number'),
    hash: parseHash(hash, 'fork.hash'),
    hasProofs: withDefault(boolean, false)(proofs, 'fork.proofs'),
  }
}

/** Parses a line after the first. */
export const parseRecord: Parser<Exclude<SavedRecord, SavedHead>> = (value, path) => {
  const record = recordOf(value, path, 'an object')
  const [kind] = Object.keys(record)
  const parse = kind === undefined ? undefined : PARSERS.get(kind)
  if (parse === undefined) {
    throw new InvalidValue(
      path,
      `a record (its first member is one of ${[...PARSERS.keys()].join(', ')})`,
      kind,
    )
  }
  return parse(record)
}

const PARSERS = new Map<string, (record: JsonObject) => Exclude<SavedRecord, SavedHead>>([
  ['code', ({ code }) => ({ kind: 'code', code: parseBytes(code, 'code') })],
  ['account', parseAccount],
  [
    'block',
    (record) => ({
      kind: 'block',
      block: parseBlock(record, 'block'),
      isStateKnown: !withDefault(boolean, false)(record.stateless, 'stateless'),
      ...(record.foreign === undefined ? {} : { isForeign: boolean(record.foreign, 'foreign') }),
    }),
  ],
  [
    'preconfirmed',
    (record) => ({
      kind: 'preconfirmed',
      block: parseBlock(record, 'preconfirmed'),
      slices: count(record.slices, 'slices'),
    }),
  ],
  ['receipt', (record) => ({ kind: 'receipt', result: parseResult(record) })],
  ['changed', ({ changed }) => ({ kind: 'changed', after: parseUint64(changed, 'changed') })],
  ['pruned', ({ pruned }) => ({ kind: 'pruned', hashes: arrayOf(parseHash)(pruned, 'pruned') })],
  ['waiting', (record) => ({ kind: 'waiting', transaction: parseWaiting(record) })],
  ['clock', ({ clock }) => parseClock(clock)],
  ['cheats', ({ cheats }) => parseCheats(cheats)],
  ['fetched', parseFetched],
])

function parseFetched({ fetched, params, result }: JsonObject): SavedFetched {
  return {
    kind: 'fetched',
    method: text(fetched, 'fetched'),
    params: arrayOf((param) => param)(params, 'params'),
    result,
  }
}

function parseAccount({ account, deleted, nonce, balance, code, storage }: JsonObject): SavedAccount {
  return {
    kind: 'account',
    address: parseAddress(account, 'account'),
    isDeleted: deleted === undefined ? false : boolean(deleted, 'deleted'),
    ...(nonce === undefined ? {} : { nonce: parseUint64(nonce, 'nonce') }),
    ...(balance === undefined ? {} : { balance: parseQuantity(balance, 'balance') }),
    ...(code === undefined ? {} : { codeHash: parseHash(code, 'code') }),
    storage: storage === undefined ? NO_SLOTS : parseSlots(storage, 'storage'),
  }
}

const NO_SLOTS: SavedAccount['storage'] = []

const parseSlots = arrayOf((value, path): [bigint, bigint] => {
  const [slot, word] = pairOf(value, path)
  return [parseQuantity(slot, `${path}[0]`), parseQuantity(word, `${path}[1]`)]
})

function pairOf(value: unknown, path: string): unknown[] {
  if (Array.isArray(value) && value.length === 2) return value
  throw new InvalidValue(path, 'a slot and its value', value)
}

function parseBlock(record: JsonObject, kind: 'block' | 'preconfirmed'): UncheckedBlock {
  const number = parseUint64(record[kind], kind)
  const bytes = parseBytes(record.rlp, 'rlp')
  const block = decoded(bytes, arrayOf(parseSender)(record.senders ?? [], 'senders'), record.rlp)
  if (block.header.number !== number) {
    throw new InvalidValue(kind, `the number in the block's RLP, ${block.header.number}`, record[kind])
  }
  if (kind === 'preconfirmed') return block
  // The hash follows from the RLP. It is in the file to be searched for, and to verify the decoded block.
  const hash = parseHash(record.hash, 'hash')
  if (record.foreign === true) return { ...block, hash }
  if (hash !== block.hash) {
    throw new InvalidValue('hash', `the hash of the block's RLP, ${block.hash}`, record.hash)
  }
  return block
}

function decoded(bytes: Uint8Array, senders: readonly Sender[], rlp: unknown): UncheckedBlock {
  try {
    return decodeBlock(bytes, senders)
  } catch (error) {
    if (!(error instanceof MalformedBlock)) throw error
    throw new InvalidValue('rlp', `a block (${error.message})`, rlp)
  }
}

const parseSender: Parser<Sender> = (value, path) => {
  if (typeof value === 'string') return { kind: 'signed', from: parseAddress(value, path) }
  const { impersonated, hash } = recordOf(value, path, 'an address, or an object {impersonated, hash}')
  return {
    kind: 'impersonated',
    from: parseAddress(impersonated, `${path}.impersonated`),
    hash: parseHash(hash, `${path}.hash`),
  }
}

function parseResult({
  receipt,
  root,
  gasUsed,
  logs,
  revert,
  halt,
  blobGasPrice,
  l2,
}: JsonObject): ExecutionResult {
  if (receipt !== 'success' && receipt !== 'failure') {
    throw new InvalidValue('receipt', '"success" or "failure"', receipt)
  }
  return {
    status: receipt,
    root: optional(parseHash)(root, 'root'),
    gasUsed: parseUint64(gasUsed, 'gasUsed'),
    logs: arrayOf(parseLog)(logs ?? [], 'logs'),
    failure: parseFailure(revert, halt),
    blobGasPrice: optional(parseQuantity)(blobGasPrice, 'blobGasPrice'),
    l2: optional(parseL2)(l2, 'l2'),
  }
}

const parseL2: Parser<L2Receipt> = (value, path) => {
  const { l1, depositNonce, ...more } = recordOf(value, path, 'an object {l1, depositNonce}')
  const numbers = arrayOf(parseQuantity)(l1, `${path}.l1`)
  if (numbers.length !== 6) throw new InvalidValue(`${path}.l1`, 'fee, gas and four prices', l1)
  type Six = [bigint, bigint, bigint, bigint, bigint, bigint]
  const [fee, gasUsed, baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar] = numbers as Six
  const nonce = optional(parseUint64)(depositNonce, `${path}.depositNonce`)
  const bedrock = optional(parsePair)(more.bedrock, `${path}.bedrock`)
  const operator = optional(parsePair)(more.operator, `${path}.operator`)
  const daFootprintGasScalar = optional(parseQuantity)(more.daFootprint, `${path}.daFootprint`)
  const prices = {
    ...{ baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar },
    ...(bedrock === undefined ? {} : { bedrock: { overhead: bedrock[0], scalar: bedrock[1] } }),
    ...(operator === undefined ? {} : { operator: { scalar: operator[0], constant: operator[1] } }),
    ...(daFootprintGasScalar === undefined ? {} : { daFootprintGasScalar }),
  }
  return { l1: { fee, gasUsed, prices }, ...(nonce === undefined ? {} : { depositNonce: nonce }) }
}

const parsePair: Parser<readonly [bigint, bigint]> = (value, path) => {
  const [first, second, ...others] = arrayOf(parseQuantity)(value, path)
  if (first === undefined || second === undefined || others.length > 0) {
    throw new InvalidValue(path, 'two quantities', value)
  }
  return [first, second]
}

const parseLog: Parser<Log> = (value, path) => {
  if (!Array.isArray(value) || value.length !== 3) {
    throw new InvalidValue(path, 'a log: its address, topics and data', value)
  }
  const [address, topics, data] = value
  return {
    address: parseAddress(address, `${path}[0]`),
    topics: arrayOf(parseHash)(topics, `${path}[1]`),
    data: parseBytes(data, `${path}[2]`),
  }
}

function parseFailure(revert: unknown, halt: unknown): ExecutionFailure | undefined {
  if (revert !== undefined) return { kind: 'revert', data: parseBytes(revert, 'revert') }
  if (halt === undefined) return undefined
  if (typeof halt !== 'string')
    throw new InvalidValue('halt', 'the error that halted the EVM (a string)', halt)
  return { kind: 'halt', reason: halt }
}

function parseWaiting({ waiting, sender }: JsonObject): Transaction {
  const raw = parseBytes(waiting, 'waiting')
  try {
    return decodeTransactionFrom(parseSender(sender, 'sender'), raw)
  } catch (error) {
    if (!(error instanceof MalformedTransaction)) throw error
    throw new InvalidValue('waiting', `a transaction (${error.reason})`, waiting)
  }
}

function parseClock(value: unknown): SavedClock {
  const form = 'an object {nowMs, lastTickMs, shiftedMs}'
  const { nowMs, lastTickMs, shiftedMs } = recordOf(value, 'clock', form)
  return {
    kind: 'clock',
    nowMs: milliseconds(nowMs, 'clock.nowMs'),
    lastTickMs: milliseconds(lastTickMs, 'clock.lastTickMs'),
    shiftedMs: milliseconds(shiftedMs, 'clock.shiftedMs'),
  }
}

const milliseconds: Parser<number> = (value, path) => {
  if (typeof value !== 'number') throw new InvalidValue(path, 'milliseconds (a JSON number)', value)
  return value
}

const count: Parser<number> = (value, path) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) {
    throw new InvalidValue(path, 'a whole number from 0', value)
  }
  return value as number
}

function parseCheats(value: unknown): SavedCheats {
  const record = recordOf(value, 'cheats', 'an object {next, impersonated, impersonatesAll}')
  const next = recordOf(record.next, 'cheats.next', 'an object')
  const { timestamp, baseFeePerGas, prevRandao, gasLimit } = next
  return {
    kind: 'cheats',
    next: {
      ...(timestamp === undefined ? {} : { timestamp: parseUint64(timestamp, 'cheats.next.timestamp') }),
      ...(baseFeePerGas === undefined
        ? {}
        : { baseFeePerGas: parseQuantity(baseFeePerGas, 'cheats.next.baseFeePerGas') }),
      ...(prevRandao === undefined ? {} : { prevRandao: parseHash(prevRandao, 'cheats.next.prevRandao') }),
      ...(gasLimit === undefined ? {} : { gasLimit: parseUint64(gasLimit, 'cheats.next.gasLimit') }),
    },
    chainId: optional(parseQuantity)(record.chainId, 'cheats.chainId'),
    coinbase: optional(parseAddress)(record.coinbase, 'cheats.coinbase'),
    extraData: optional(parseBytes)(record.extraData, 'cheats.extraData'),
    timestampInterval: optional(parseQuantity)(record.timestampInterval, 'cheats.timestampInterval'),
    impersonated: new Set(arrayOf(parseAddress)(record.impersonated, 'cheats.impersonated')),
    impersonatesAll: boolean(record.impersonatesAll, 'cheats.impersonatesAll'),
    branch: record.branch === undefined ? 0 : milliseconds(record.branch, 'cheats.branch'),
  }
}
