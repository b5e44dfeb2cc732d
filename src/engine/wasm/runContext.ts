/** The context of a run in the module's memory: the block, and the fields of the transaction that all frames see. */
import type { Address, Hash } from '../../bytes/hex.ts'
import type { AnyHardfork, Rules } from '../../model/hardfork/hardfork.ts'
import { gasOf, isDefined, OPCODES } from '../../model/opcodes.ts'
import type { BlockContext } from '../blockContext.ts'
import {
  BASE_FEE,
  BLOB_BASE_FEE,
  BLOB_COUNT,
  BLOB_HASHES,
  CHAIN_ID,
  CODE_LIMIT,
  COINBASE,
  DESTROYS_NEW_ONLY,
  DIFFICULTY,
  EXP_BYTE_GAS,
  FAILS_WITHOUT_DEPOSIT,
  GAS_LIMIT,
  GAS_PRICE,
  HAS_ACCESS_COSTS,
  HAS_DELEGATIONS,
  INIT_CODE_LIMIT,
  IS_DEFINED,
  KEEPS_64TH,
  METERS_INIT_CODE,
  NUMBER,
  ORIGIN,
  REJECTS_EF,
  REMOVES_EMPTY,
  RULES_NUMBER,
  SELFDESTRUCT_REFUND,
  SSTORE_CLEAR_REFUND,
  SSTORE_DIRTY_GAS,
  SSTORE_LEGACY,
  SSTORE_NET,
  SSTORE_RESET_GAS,
  SSTORE_RULE,
  SSTORE_SENTRY,
  STACK_IN,
  STACK_OUT,
  STATIC_GAS,
  TIMESTAMP,
} from './layout.ts'
import type { Exports, Memory } from './module.ts'

/** The values that make up the context. */
export interface ContextOfRun {
  readonly rules: Rules
  readonly context: BlockContext
  readonly origin: Address
  readonly gasPrice: bigint
  readonly blobVersionedHashes: readonly Hash[]
}

/** Writes the values that differ from the last run's: most runs are in the same block. */
export class RunContext {
  readonly #exports: Exports
  readonly #memory: Memory
  #context: BlockContext | undefined
  #rules: Rules | undefined
  #origin: Address | undefined

  constructor(exports: Exports, memory: Memory) {
    this.#exports = exports
    this.#memory = memory
  }

  write({ rules, context, origin, gasPrice, blobVersionedHashes }: ContextOfRun): void {
    const last = rules === this.#rules ? this.#context : undefined
    if (context !== last) this.#writeBlock(context, last, rules)
    this.#context = context
    this.#rules = rules
    const memory = this.#memory
    if (origin !== this.#origin) memory.setDigits(ORIGIN, origin)
    this.#origin = origin
    memory.setWord(GAS_PRICE, gasPrice)
    this.#writeBlobHashes(blobVersionedHashes)
  }

  #writeBlock(context: BlockContext, last: BlockContext | undefined, rules: Rules): void {
    const memory = this.#memory
    if (context.coinbase !== last?.coinbase) memory.setDigits(COINBASE, context.coinbase)
    if (context.timestamp !== last?.timestamp) memory.setWord(TIMESTAMP, context.timestamp)
    if (context.number !== last?.number) memory.setWord(NUMBER, context.number)
    if (!rules.since('paris')) memory.setWord(DIFFICULTY, context.difficulty)
    else if (context.prevRandao !== last?.prevRandao) memory.setDigits(DIFFICULTY, context.prevRandao)
    if (context.gasLimit !== last?.gasLimit) memory.setWord(GAS_LIMIT, context.gasLimit)
    memory.setWord(BASE_FEE, context.baseFeePerGas ?? 0n)
    memory.setWord(BLOB_BASE_FEE, context.blobBaseFee ?? 0n)
  }

  #writeBlobHashes(hashes: readonly Hash[]): void {
    const memory = this.#memory
    memory.setU32(BLOB_COUNT, hashes.length)
    if (hashes.length === 0) return
    const place = this.#exports.allocate(hashes.length * 32)
    memory.setU32(BLOB_HASHES, place)
    for (const [i, hash] of hashes.entries()) memory.setDigits(place + 32 * i, hash)
  }

  /** Releases the values of one run. */
  release(): void {
    const memory = this.#memory
    const blobs = memory.u32(BLOB_COUNT)
    if (blobs > 0) this.#exports.release(memory.u32(BLOB_HASHES), blobs * 32)
    memory.setU32(BLOB_COUNT, 0)
  }
}

/** EIP-170. */
const CODE_SIZE = 24_576
const NO_LIMIT = 0xffffffff

/** The numbers of hardforks in the module, which decodes code for each. */
const numbers = new Map<AnyHardfork, number>()

export function writeRules(memory: Memory, rules: Rules): void {
  const { hardfork, codeSizeLimit } = rules
  const flag = (is: boolean) => (is ? 1 : 0)
  const number = numbers.get(hardfork) ?? numbers.size + 1
  numbers.set(hardfork, number)
  const limit = Math.min(codeSizeLimit ?? (rules.since('spuriousDragon') ? CODE_SIZE : NO_LIMIT), NO_LIMIT)
  const values: readonly (readonly [place: number, value: number])[] = [
    [RULES_NUMBER, number],
    [HAS_ACCESS_COSTS, flag(rules.has(2929))],
    [EXP_BYTE_GAS, rules.since('spuriousDragon') ? 50 : 10],
    [KEEPS_64TH, flag(rules.since('tangerineWhistle'))],
    [REMOVES_EMPTY, flag(rules.since('spuriousDragon'))],
    [SELFDESTRUCT_REFUND, rules.has(3529) ? 0 : 24_000],
    [DESTROYS_NEW_ONLY, flag(rules.has(6780))],
    [METERS_INIT_CODE, flag(rules.has(3860))],
    [CODE_LIMIT, limit],
    [INIT_CODE_LIMIT, Math.min(2 * limit, NO_LIMIT)],
    [REJECTS_EF, flag(rules.has(3541))],
    [FAILS_WITHOUT_DEPOSIT, flag(rules.since('homestead'))],
    [HAS_DELEGATIONS, flag(rules.has(7702))],
    ...sstoreRules(rules),
  ]
  for (const [place, value] of values) memory.setU32(place, value)
  memory.setWord(CHAIN_ID, rules.chainId)
  for (const opcode of OPCODES) {
    const { code, takes, puts } = opcode
    const is = isDefined(opcode, rules)
    memory.u8[IS_DEFINED + code] = flag(is)
    memory.u8[STACK_IN + code] = is ? takes : 0
    memory.u8[STACK_OUT + code] = is ? puts : 0
    memory.setU32(STATIC_GAS + 4 * code, is ? gasOf(opcode, rules) : 0)
  }
}

/** Returns the gas and refunds of SSTORE (EIP-1283, 2200, 2929, 3529). */
function sstoreRules(rules: Rules): [place: number, value: number][] {
  const of = (rule: number, dirty: number, reset: number, clear: number): [number, number][] => [
    [SSTORE_RULE, rule],
    [SSTORE_DIRTY_GAS, dirty],
    [SSTORE_RESET_GAS, reset],
    [SSTORE_CLEAR_REFUND, clear],
  ]
  if (rules.has(2929)) return of(SSTORE_SENTRY, 100, 2_900, rules.has(3529) ? 4_800 : 15_000)
  if (rules.since('istanbul')) return of(SSTORE_SENTRY, 800, 5_000, 15_000)
  if (rules.hardfork === 'constantinople') return of(SSTORE_NET, 200, 5_000, 15_000)
  return of(SSTORE_LEGACY, 0, 5_000, 15_000)
}
