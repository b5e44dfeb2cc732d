/**
 * Parses anvil's `state.json` (foundry `crates/anvil/src/eth/backend/db.rs`, `SerializableState`): blocks, receipts,
 * accounts after the newest block, and with `--preserve-historical-states` accounts after each other block.
 */
import { EMPTY_BYTES, type Hash, ZERO_HASH } from '../../bytes/hex.ts'
import type { UncheckedBlock } from '../../model/block/decodeBlock.ts'
import { blobBaseFee } from '../../model/block/fees.ts'
import type { GenesisAccount } from '../../model/block/genesis.ts'
import { type Header, hashHeader } from '../../model/block/header.ts'
import type { ForkSchedule } from '../../model/hardfork/forkSchedule.ts'
import type { ExecutionFailure, ExecutionResult } from '../../model/receipt/receipt.ts'
import { type Sender, withSignature } from '../../model/transaction/signedTransaction.ts'
import type { Transaction, TransactionType } from '../../model/transaction/transaction.ts'
import { parseCallFields } from '../../wire/call.ts'
import { parseHeader } from '../../wire/header.ts'
import {
  parseAddress,
  parseAmount64,
  parseBytes,
  parseHash,
  parseQuantity,
  parseUint64,
  smallAmount,
} from '../../wire/hex.ts'
import {
  arrayOf,
  InvalidValue,
  type JsonObject,
  type Parser,
  recordOf,
  withDefault,
} from '../../wire/parser.ts'
import { historicalAccounts, parseAnvilAccounts, parseTouched } from './parseAnvilAccounts.ts'

/** Returns whether parsed JSON is a state file of anvil. */
export function isAnvilState(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'accounts' in value && 'best_block_number' in value
}

/** A block in anvil's file, with its receipts. */
export interface WholeBlock {
  readonly block: UncheckedBlock
  readonly results: readonly ExecutionResult[]
  /** All accounts after the block; `undefined` if unknown. */
  readonly accounts: readonly GenesisAccount[] | undefined
}

interface AnvilChain {
  /** The blocks from block 0 on; on a fork, the blocks after the fork block, without accounts. */
  readonly blocks: readonly WholeBlock[]
  /** The fork block, if anvil's chain was a fork. */
  readonly fork?: AnvilFork
}

export interface AnvilFork {
  readonly number: bigint
  readonly hash: Hash
  /** The accounts that anvil read or changed, after the newest block, with slots that differ from the network's. */
  readonly touched: readonly GenesisAccount[]
}

/** Returns the chain in a file. Its blocks must be valid under `schedule`. Throws `InvalidValue`. */
export function parseAnvilState(value: unknown, schedule: ForkSchedule): AnvilChain {
  const state = recordOf(value, '', "anvil's state.json")
  const mined = minedTransactions(state.transactions)
  const begun = arrayOf(parseBegun)(state.blocks, 'blocks')
  const blocks = chainOf(begun, bestNumber(state))
  const [first] = blocks
  if (first!.header.number > 0n) {
    const { number, parentHash } = first!.header
    if (parentHash === ZERO_HASH) {
      const expected = 'blocks from block 0 on (those of --number are not loaded)'
      throw new InvalidValue('blocks', expected, `block ${number} first`)
    }
    const touched = parseTouched(state.accounts, 'accounts')
    return {
      blocks: blocks.map((block) => ({ ...parseBody(block, mined, schedule), accounts: undefined })),
      fork: { number: number - 1n, hash: parentHash, touched },
    }
  }
  const newest = blocks.at(-1)!.hash
  const accounts = parseAnvilAccounts(state.accounts, 'accounts')
  const older = historicalAccounts(state.historical_states, accounts)
  return {
    blocks: blocks.map((block) => ({
      ...parseBody(block, mined, schedule),
      accounts: block.hash === newest ? accounts : older.get(block.hash),
    })),
  }
}

interface BegunBlock {
  readonly path: string
  readonly header: Header
  readonly hash: Hash
  readonly record: JsonObject
}

function parseBegun(value: unknown, path: string): BegunBlock {
  const record = recordOf(value, path, 'a block {header, transactions, ommers}')
  const header = parseHeader(record.header, `${path}.header`)
  return { path, header, hash: hashHeader(header), record }
}

/** Returns the blocks up to number `best`, from block 0 or, on a fork, from the first block after the fork block. */
function chainOf(blocks: readonly BegunBlock[], best: number): BegunBlock[] {
  // The file may have blocks that a reorg removed. As in anvil, the last block of each number is valid.
  const byNumber = new Map(blocks.map((block) => [Number(block.header.number), block]))
  const chain: BegunBlock[] = []
  const first = byNumber.size === 0 ? 0 : Math.min(best, ...byNumber.keys())
  for (let number = first; number <= best; number++) {
    const block = byNumber.get(number)
    if (block === undefined) {
      throw new InvalidValue('blocks', `blocks ${first} to ${best}`, `no block ${number}`)
    }
    const parent = chain.at(-1)?.hash
    const { parentHash } = block.header
    if (parent !== undefined && parent !== parentHash) {
      const path = `${block.path}.header.parentHash`
      throw new InvalidValue(path, `the hash of block ${number - 1}, ${parent}`, parentHash)
    }
    chain.push(block)
  }
  return chain
}

function bestNumber({ best_block_number, block }: JsonObject): number {
  if (best_block_number !== null) return parseSmall(best_block_number, 'best_block_number')
  return parseSmall(recordOf(block, 'block', 'the environment of the newest block').number, 'block.number')
}

const parseSmall = smallAmount(Number.MAX_SAFE_INTEGER)

interface MinedTransaction {
  readonly path: string
  readonly info: JsonObject
  readonly receipt: JsonObject
}

type MinedTransactions = ReadonlyMap<string, MinedTransaction>

function minedTransactions(value: unknown): MinedTransactions {
  const entries = arrayOf((item, path) => {
    const form = 'a mined transaction {info, receipt, block_hash}'
    const { info, receipt, block_hash } = recordOf(item, path, form)
    const record = recordOf(info, `${path}.info`, 'an object')
    const index = parseSmall(record.transaction_index, `${path}.info.transaction_index`)
    const key = placeOf(parseHash(block_hash, `${path}.block_hash`), index)
    return [key, { path, info: record, receipt: recordOf(receipt, `${path}.receipt`, 'a receipt') }] as const
  })(value ?? [], 'transactions')
  return new Map(entries)
}

function placeOf(block: Hash, index: number): string {
  return `${block} ${index}`
}

function parseBody(
  { path, header, hash, record }: BegunBlock,
  mined: MinedTransactions,
  schedule: ForkSchedule,
): Omit<WholeBlock, 'accounts'> {
  const transactions: Transaction[] = []
  const results: ExecutionResult[] = []
  const items = arrayOf((each) => each)(record.transactions, `${path}.transactions`)
  for (const [index, item] of items.entries()) {
    const at = `${path}.transactions[${index}]`
    const found = mined.get(placeOf(hash, index))
    if (found === undefined) {
      const expected = `its receipt in transactions (block_hash ${hash}, index ${index})`
      throw new InvalidValue(at, expected, undefined)
    }
    const transaction = parseTransaction(item, at, found.info, `${found.path}.info`, schedule)
    const price = transaction.type === 3 ? blobBaseFee(schedule.at(header), header.excessBlobGas) : undefined
    transactions.push(transaction)
    results.push({ ...parseResult(found), blobGasPrice: price })
  }
  const ommers = arrayOf(parseHeader)(record.ommers ?? [], `${path}.ommers`)
  // anvil writes `null` in place of the empty list of withdrawals that its blocks have since Shanghai.
  const withdrawals = header.withdrawalsRoot === undefined ? undefined : []
  return { block: { header, hash, transactions, ommers, withdrawals }, results }
}

function parseTransaction(
  value: unknown,
  path: string,
  info: JsonObject,
  infoPath: string,
  schedule: ForkSchedule,
): Transaction {
  const outer = recordOf(value, path, 'a transaction')
  // In newer files the transaction is in an object with a flag for an impersonated sender.
  const isWrapped = 'transaction' in outer
  const at = isWrapped ? `${path}.transaction` : path
  const fields = parseCallFields(isWrapped ? outer.transaction : outer, at)
  const { record, chainId } = fields
  const member = <T>(name: string, parse: Parser<T>): T => parse(record[name], `${at}.${name}`)
  const type = member('type', withDefault(parseUint64, 0n))
  if (type > 4n) throw new InvalidValue(`${at}.type`, 'a type from 0x0 to 0x4', record.type)
  if (chainId !== undefined && chainId !== schedule.chainId) {
    const expected = `${schedule.chainId}, the chain id of this devnet`
    throw new InvalidValue(`${at}.chainId`, expected, Number(chainId))
  }
  const from = parseAddress(info.from, `${infoPath}.from`)
  const hash = parseHash(info.transaction_hash, `${infoPath}.transaction_hash`)
  const isImpersonated = isWrapped && outer.impersonated_sender !== null
  const sender: Sender = isImpersonated ? { kind: 'impersonated', from, hash } : { kind: 'signed', from }
  const v = member('v', withDefault(parseQuantity, 0n))
  const isOdd =
    type === 0n ? (v < 35n ? v === 28n : (v - 35n) % 2n === 1n) : (record.yParity ?? record.v) === '0x1'
  const { maxFeePerBlobGas, blobVersionedHashes } = fields
  const transaction = withSignature(
    {
      type: Number(type) as TransactionType,
      chainId,
      nonce: fields.nonce ?? 0n,
      gasLimit: fields.gas ?? 0n,
      to: fields.to,
      value: fields.value ?? 0n,
      data: fields.data,
      maxFeePerGas: fields.gasPrice ?? fields.maxFeePerGas ?? 0n,
      maxPriorityFeePerGas: fields.gasPrice ?? fields.maxPriorityFeePerGas ?? 0n,
      accessList: fields.accessList ?? [],
      authorizationList: fields.authorizationList ?? [],
      ...(maxFeePerBlobGas === undefined ? {} : { maxFeePerBlobGas }),
      ...(blobVersionedHashes === undefined ? {} : { blobVersionedHashes }),
    },
    { yParity: isOdd ? 1 : 0, r: member('r', parseQuantity), s: member('s', parseQuantity) },
    sender,
  )
  // The computed hash covers all signed fields, so a changed field is noticed here.
  if (transaction.hash !== hash) {
    const expected = `the hash of the transaction, ${transaction.hash}`
    throw new InvalidValue(`${infoPath}.transaction_hash`, expected, hash)
  }
  return transaction
}

function parseResult({ path, info, receipt }: MinedTransaction): Omit<ExecutionResult, 'blobGasPrice'> {
  const isSuccess = receipt.status === '0x1' || receipt.status === true
  return {
    status: isSuccess ? 'success' : 'failure',
    root: undefined,
    gasUsed: parseAmount64(info.gas_used, `${path}.info.gas_used`),
    logs: arrayOf((value, at) => {
      const { address, topics, data } = recordOf(value, at, 'a log {address, topics, data}')
      return {
        address: parseAddress(address, `${at}.address`),
        topics: arrayOf(parseHash)(topics, `${at}.topics`),
        data: parseBytes(data, `${at}.data`),
      }
    })(receipt.logs, `${path}.receipt.logs`),
    failure: isSuccess ? undefined : parseFailure(info, `${path}.info`),
    l2: undefined,
  }
}

function parseFailure({ exit, out }: JsonObject, path: string): ExecutionFailure {
  if (exit === 'Revert')
    return { kind: 'revert', data: withDefault(parseBytes, EMPTY_BYTES)(out, `${path}.out`) }
  return { kind: 'halt', reason: HALTS[String(exit)] ?? 'other' }
}

/** preseal's names of exceptional halts by revm's names (`InstructionResult`). */
const HALTS: Readonly<Record<string, string>> = {
  OutOfGas: 'outOfGas',
  MemoryOOG: 'outOfGas',
  MemoryLimitOOG: 'outOfGas',
  PrecompileOOG: 'outOfGas',
  InvalidOperandOOG: 'outOfGas',
  ReentrancySentryOOG: 'outOfGas',
  OpcodeNotFound: 'invalidOpcode',
  NotActivated: 'invalidOpcode',
  InvalidFEOpcode: 'invalidOpcode',
  InvalidJump: 'invalidJump',
  StackUnderflow: 'stackUnderflow',
  StackOverflow: 'stackOverflow',
  StateChangeDuringStaticCall: 'staticStateChange',
  CallNotAllowedInsideStatic: 'staticStateChange',
  CreateCollision: 'createCollision',
  CreateContractSizeLimit: 'codeTooLarge',
  CreateInitCodeSizeLimit: 'initCodeTooLarge',
  CreateContractStartingWithEF: 'invalidCode',
  OutOfFunds: 'insufficientBalance',
  PrecompileError: 'precompileFailed',
}
