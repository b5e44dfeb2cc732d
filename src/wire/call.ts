import { areEqual } from '../bytes/bytes.ts'
import { type Address, EMPTY_BYTES, type Hash, ZERO_ADDRESS } from '../bytes/hex.ts'
import type { Block } from '../model/block/block.ts'
import type { AccountOverride, BlockOverride, Call, CallFee, SimulatedCall } from '../model/execution/call.ts'
import type { Log } from '../model/receipt/log.ts'
import type { AccessListItem, Authorization } from '../model/transaction/transaction.ts'
import { encodeBlock, encodeLog } from './encode.ts'
import {
  encodeBytes,
  encodeQuantity,
  parseAddress,
  parseBytes,
  parseHash,
  parseQuantity,
  parseShortLivedBytes,
  parseUint8,
  parseUint64,
  parseWord,
} from './hex.ts'
import {
  arrayOf,
  ConflictingValues,
  entriesOf,
  InvalidValue,
  type JsonObject,
  optional,
  type Parser,
  parsedMember,
  recordOf,
} from './parser.ts'

export interface CallFields extends Omit<SimulatedCall, 'requestedType'> {
  readonly record: Record<string, unknown>
}

export const parseCallFields: Parser<CallFields> = (value, path) => {
  const record = recordOf(value, path, 'a call object')
  const data = parsedMember(record.data, 'data', path, parseShortLivedBytes)
  const input = parsedMember(record.input, 'input', path, parseShortLivedBytes)
  if (data !== undefined && input !== undefined && !areEqual(data, input))
    throw new ConflictingValues('input', path)
  const gasPrice = parsedMember(record.gasPrice, 'gasPrice', path, parseQuantity)
  const maxFeePerGas = parsedMember(record.maxFeePerGas, 'maxFeePerGas', path, parseQuantity)
  const maxPriorityFeePerGas = parsedMember(
    record.maxPriorityFeePerGas,
    'maxPriorityFeePerGas',
    path,
    parseQuantity,
  )
  if (gasPrice !== undefined && (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined)) {
    throw new ConflictingValues(maxFeePerGas === undefined ? 'maxPriorityFeePerGas' : 'maxFeePerGas', path)
  }
  return {
    from: parsedMember(record.from, 'from', path, parseAddress),
    to: parsedMember(record.to, 'to', path, parseAddress),
    gas: parsedMember(record.gas, 'gas', path, parseUint64),
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas,
    value: parsedMember(record.value, 'value', path, parseQuantity),
    data: input ?? data ?? EMPTY_BYTES,
    nonce: parsedMember(record.nonce, 'nonce', path, parseUint64),
    chainId: parsedMember(record.chainId, 'chainId', path, parseQuantity),
    accessList: parsedMember(record.accessList, 'accessList', path, parseAccessList),
    authorizationList: parsedMember(record.authorizationList, 'authorizationList', path, parseAuthorizations),
    blobVersionedHashes: parsedMember(record.blobVersionedHashes, 'blobVersionedHashes', path, parseHashes),
    maxFeePerBlobGas: parsedMember(record.maxFeePerBlobGas, 'maxFeePerBlobGas', path, parseQuantity),
    record,
  }
}

export const parseCall: Parser<Call> = (value, path) => toCall(parseCallFields(value, path))

export function toCall(fields: CallFields): Call {
  return {
    from: fields.from ?? ZERO_ADDRESS,
    to: fields.to,
    gas: fields.gas,
    fee: feeOf(fields),
    value: fields.value ?? 0n,
    data: fields.data,
    accessList: fields.accessList ?? NONE,
    authorizationList: fields.authorizationList ?? NONE,
    blobVersionedHashes: fields.blobVersionedHashes ?? NONE,
  }
}

export function freeCall(from: Address, to: Address, data: Uint8Array, gas?: bigint): Call {
  const lists = { accessList: NONE, authorizationList: NONE, blobVersionedHashes: NONE }
  return { from, to, gas, fee: NO_FEE, value: 0n, data, ...lists }
}

const NONE: readonly never[] = []
const NO_FEE: CallFee = { kind: 'none' }

/** As in geth, a fee of zero means that no fee is charged. */
function feeOf({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: CallFields): CallFee {
  if (gasPrice !== undefined) return gasPrice === 0n ? NO_FEE : { kind: 'legacy', gasPrice }
  if ((maxFeePerGas ?? 0n) === 0n && (maxPriorityFeePerGas ?? 0n) === 0n) return NO_FEE
  return { kind: 'eip1559', maxFeePerGas, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n }
}

export const parseAccessListItem: Parser<AccessListItem> = (value, path) => {
  const item = recordOf(value, path, 'an access list item {address, storageKeys}')
  return {
    address: parseAddress(item.address, `${path}.address`),
    storageKeys: optional(arrayOf(parseHash))(item.storageKeys, `${path}.storageKeys`) ?? [],
  }
}

const parseAccessList: Parser<AccessListItem[]> = arrayOf(parseAccessListItem)
const parseHashes: Parser<Hash[]> = arrayOf(parseHash)

/** Parses `r` or `s` of a signature: a quantity, or 32 bytes with leading zeros (sent by ethers and Hardhat). */
export const parseSignaturePart: Parser<bigint> = (value, path) =>
  typeof value === 'string' && value.length === 66 ? parseWord(value, path) : parseQuantity(value, path)

export const parseAuthorization: Parser<Authorization> = (value, path) => {
  const item = recordOf(value, path, 'an authorization {chainId, address, nonce, yParity, r, s}')
  return {
    chainId: parseQuantity(item.chainId, `${path}.chainId`),
    address: parseAddress(item.address, `${path}.address`),
    nonce: parseUint64(item.nonce, `${path}.nonce`),
    // A parity other than 0 or 1 is accepted, because the EVM skips such an authorization (EIP-7702).
    yParity: Number(parseUint8(item.yParity ?? item.v, `${path}.yParity`)) as 0 | 1,
    r: parseSignaturePart(item.r, `${path}.r`),
    s: parseSignaturePart(item.s, `${path}.s`),
  }
}

const parseAuthorizations: Parser<Authorization[]> = arrayOf(parseAuthorization)

/** Parses state overrides: `{address: {balance, nonce, code, state | stateDiff, movePrecompileToAddress}}`. */
export const parseAccountOverrides: Parser<AccountOverride[]> = (value, path) =>
  entriesOf(value, path, 'state overrides {address: {…}}').map(([key, override]) => {
    const at = `${path}["${key}"]`
    const address = parseAddress(key, at)
    const record = recordOf(override, at, 'an account override')
    const member = <T>(name: string, parse: Parser<T>): T | undefined =>
      optional(parse)(record[name], `${at}.${name}`)
    const state = member('state', parseSlots)
    const stateDiff = member('stateDiff', parseSlots)
    if (state !== undefined && stateDiff !== undefined) {
      throw new InvalidValue(
        at,
        'either state (replaces all storage) or stateDiff (replaces some), not both',
        override,
      )
    }
    return {
      address,
      balance: member('balance', parseQuantity),
      nonce: member('nonce', parseUint64),
      code: member('code', parseBytes),
      state,
      stateDiff,
      movePrecompileTo: member('movePrecompileToAddress', parseAddress),
    }
  })

const parseSlots: Parser<[bigint, bigint][]> = (value, path) =>
  entriesOf(value, path, 'slots {slot: value}, each of 32 bytes').map(([slot, word]) => [
    parseWord(slot, `${path}["${slot}"]`),
    parseWord(word, `${path}["${slot}"]`),
  ])

/** Parses block overrides. Accepts the member names of execution-apis and those of geth. */
export const parseBlockOverrides: Parser<BlockOverride> = (value, path) => {
  const record = recordOf(value, path, 'block overrides')
  const override: Record<string, unknown> = {}
  for (const [name, [field, parse]] of Object.entries(BLOCK_OVERRIDES)) {
    const parsed = optional<unknown>(parse)(record[name], `${path}.${name}`)
    if (parsed !== undefined) override[field] = parsed
  }
  return override
}

const BLOCK_OVERRIDES: Record<string, readonly [keyof BlockOverride, Parser<unknown>]> = {
  number: ['number', parseUint64],
  difficulty: ['difficulty', parseQuantity],
  time: ['timestamp', parseUint64],
  gasLimit: ['gasLimit', parseUint64],
  feeRecipient: ['coinbase', parseAddress],
  prevRandao: ['prevRandao', parseHash],
  baseFeePerGas: ['baseFeePerGas', parseQuantity],
  blobBaseFee: ['blobBaseFee', parseQuantity],
}

export interface EncodableResult {
  readonly returnData: Uint8Array
  readonly logs: readonly { readonly log: Log; readonly index: number }[]
  readonly gasUsed: bigint
  /** Gas used, without subtracting refunds. */
  readonly gasBeforeRefund: bigint
  readonly error: object | undefined
}

export function encodeSimulatedBlock(
  block: Block,
  results: readonly EncodableResult[],
  transactions: 'full' | 'hashes',
): JsonObject {
  const json = encodeBlock(block, transactions)
  return {
    ...json,
    transactions: (json.transactions as unknown[]).map((transaction, i) =>
      // Simulated transactions are unsigned, so `v` of a legacy transaction contains no chain id.
      transactions === 'full' && block.transactions[i]!.type === 0
        ? { ...(transaction as JsonObject), v: '0x0' }
        : transaction,
    ),
    calls: results.map((result, transactionIndex) => encodeResult(block, result, transactionIndex)),
  }
}

function encodeResult(block: Block, result: EncodableResult, transactionIndex: number): JsonObject {
  const { returnData, logs, gasUsed, gasBeforeRefund, error } = result
  return {
    returnData: encodeBytes(returnData),
    logs: logs.map(({ log, index }) => encodeLog({ log, block, transactionIndex, logIndex: index })),
    gasUsed: encodeQuantity(gasUsed),
    maxUsedGas: encodeQuantity(gasBeforeRefund),
    status: error === undefined ? '0x1' : '0x0',
    ...(error === undefined ? {} : { error }),
  }
}
