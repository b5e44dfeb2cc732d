/** Writes the context of a run to the module's memory: block and transaction values that instructions return. */
import type { Address, Hash } from '../../bytes/hex.ts'
import type { AnyHardfork, Rules } from '../../model/hardfork/hardfork.ts'
import { gasOf, isDefined, OPCODES } from '../../model/opcodes.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Message } from '../engine.ts'
import * as layout from './layout.ts'
import type { Exports, Memory } from './module.ts'

export type ShownMessage = Pick<Message, 'from' | 'gasPrice' | 'blobVersionedHashes' | 'movedPrecompiles'>

/** Writes only values that differ from the last run, because most runs are in the same block. */
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

  write(rules: Rules, context: BlockContext, message: ShownMessage): void {
    const last = rules === this.#rules ? this.#context : undefined
    if (context !== last) this.#writeBlock(context, last, rules)
    this.#context = context
    this.#rules = rules
    const { from, gasPrice, blobVersionedHashes } = message
    if (from !== this.#origin) this.#memory.setDigits(layout.ORIGIN, from)
    this.#origin = from
    this.#memory.setWord(layout.GAS_PRICE, gasPrice)
    this.#writeBlobHashes(blobVersionedHashes)
  }

  #writeBlock(context: BlockContext, last: BlockContext | undefined, rules: Rules): void {
    const memory = this.#memory
    if (context.coinbase !== last?.coinbase) memory.setDigits(layout.COINBASE, context.coinbase)
    if (context.timestamp !== last?.timestamp) memory.setWord(layout.TIMESTAMP, context.timestamp)
    if (context.number !== last?.number) memory.setWord(layout.NUMBER, context.number)
    if (!rules.since('paris')) memory.setWord(layout.DIFFICULTY, context.difficulty)
    else if (context.prevRandao !== last?.prevRandao) memory.setDigits(layout.DIFFICULTY, context.prevRandao)
    if (context.gasLimit !== last?.gasLimit) memory.setWord(layout.GAS_LIMIT, context.gasLimit)
    memory.setWord(layout.BASE_FEE, context.baseFeePerGas ?? 0n)
    memory.setWord(layout.BLOB_BASE_FEE, context.blobBaseFee ?? 0n)
  }

  #writeBlobHashes(hashes: readonly Hash[]): void {
    const memory = this.#memory
    memory.setU32(layout.BLOB_COUNT, hashes.length)
    if (hashes.length === 0) return
    const place = this.#exports.allocate(hashes.length * 32)
    memory.setU32(layout.BLOB_HASHES, place)
    for (const [i, hash] of hashes.entries()) memory.setDigits(place + 32 * i, hash)
  }

  release(): void {
    const memory = this.#memory
    const blobs = memory.u32(layout.BLOB_COUNT)
    if (blobs > 0) this.#exports.release(memory.u32(layout.BLOB_HASHES), blobs * 32)
    memory.setU32(layout.BLOB_COUNT, 0)
  }
}

const CODE_SIZE = 24_576
const NO_LIMIT = 0xffffffff

/** Numbers of hardforks for the module, which decodes code separately for each hardfork. */
const numbers = new Map<AnyHardfork, number>()

export function writeRules(memory: Memory, rules: Rules): void {
  const { hardfork, codeSizeLimit } = rules
  const flag = (is: boolean) => (is ? 1 : 0)
  const number = numbers.get(hardfork) ?? numbers.size + 1
  numbers.set(hardfork, number)
  const limit = Math.min(codeSizeLimit ?? (rules.since('spuriousDragon') ? CODE_SIZE : NO_LIMIT), NO_LIMIT)
  const values: readonly (readonly [place: number, value: number])[] = [
    [layout.RULES_NUMBER, number],
    [layout.HAS_ACCESS_COSTS, flag(rules.has(2929))],
    [layout.EXP_BYTE_GAS, rules.since('spuriousDragon') ? 50 : 10],
    [layout.KEEPS_64TH, flag(rules.since('tangerineWhistle'))],
    [layout.REMOVES_EMPTY, flag(rules.since('spuriousDragon'))],
    [layout.SELFDESTRUCT_REFUND, rules.has(3529) ? 0 : 24_000],
    [layout.DESTROYS_NEW_ONLY, flag(rules.has(6780))],
    [layout.METERS_INIT_CODE, flag(rules.has(3860))],
    [layout.CODE_LIMIT, limit],
    [layout.INIT_CODE_LIMIT, Math.min(2 * limit, NO_LIMIT)],
    [layout.REJECTS_EF, flag(rules.has(3541))],
    [layout.FAILS_WITHOUT_DEPOSIT, flag(rules.since('homestead'))],
    [layout.HAS_DELEGATIONS, flag(rules.has(7702))],
    ...sstoreRules(rules),
  ]
  for (const [place, value] of values) memory.setU32(place, value)
  memory.setWord(layout.CHAIN_ID, rules.chainId)
  for (const opcode of OPCODES) {
    const { code, takes, puts } = opcode
    const is = isDefined(opcode, rules)
    memory.u8[layout.IS_DEFINED + code] = flag(is)
    memory.u8[layout.STACK_IN + code] = is ? takes : 0
    memory.u8[layout.STACK_OUT + code] = is ? puts : 0
    memory.setU32(layout.STATIC_GAS + 4 * code, is ? gasOf(opcode, rules) : 0)
  }
}

/** Returns the gas and refunds of SSTORE (EIP-1283, 2200, 2929, 3529) by their addresses in the module's memory. */
function sstoreRules(rules: Rules): [place: number, value: number][] {
  const of = (rule: number, dirty: number, reset: number, clear: number): [number, number][] => [
    [layout.SSTORE_RULE, rule],
    [layout.SSTORE_DIRTY_GAS, dirty],
    [layout.SSTORE_RESET_GAS, reset],
    [layout.SSTORE_CLEAR_REFUND, clear],
  ]
  if (rules.has(2929)) return of(layout.SSTORE_SENTRY, 100, 2_900, rules.has(3529) ? 4_800 : 15_000)
  if (rules.since('istanbul')) return of(layout.SSTORE_SENTRY, 800, 5_000, 15_000)
  if (rules.hardfork === 'constantinople') return of(layout.SSTORE_NET, 200, 5_000, 15_000)
  return of(layout.SSTORE_LEGACY, 0, 5_000, 15_000)
}
