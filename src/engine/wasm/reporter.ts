/** Reports a run to a watcher: the module's frames and instructions in geth's terms. */
import { type Address, EMPTY_BYTES } from '../../bytes/hex.ts'
import type { CallKind } from '../../model/execution/trace.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { nameOf, OP } from '../../model/opcodes.ts'
import type { Frame, FrameFailure, Step, Watcher } from '../engine.ts'
import { TOO_DEEP, TOO_POOR, undefinedName } from '../trace/failures.ts'
import { FRAME_OPENERS, fromTop, isCreation } from '../trace/operands.ts'
import {
  ACCOUNT_BALANCE,
  ACCOUNT_FLAGS,
  CODE_BYTES,
  CODE_LENGTH,
  FRAME_ACCOUNT,
  FRAME_CALLER,
  FRAME_CODE,
  FRAME_CODE_ACCOUNT,
  FRAME_DATA,
  FRAME_DATA_LENGTH,
  FRAME_DEPTH,
  FRAME_EXIT,
  FRAME_FLAGS,
  FRAME_GAS,
  FRAME_GAS_LIMIT,
  FRAME_KIND,
  FRAME_LAST,
  FRAME_MEMORY,
  FRAME_MEMORY_SIZE,
  FRAME_OUTPUT,
  FRAME_OUTPUT_LENGTH,
  FRAME_SP,
  FRAME_STACK,
  FRAME_VALUE,
  HAS_STEPPED,
  IS_PRECOMPILE,
  REFUND,
  RETURN_DATA,
  RETURN_LENGTH,
  STACK_IN,
} from './layout.ts'
import type { Memory } from './module.ts'
import { failureOf, isOfDeposit } from './results.ts'

/** Reads of the state by a step. */
export interface Reads {
  storage(account: number, slot: bigint): bigint
  nonce(address: Address): bigint
}

/** Reports to one watcher. The numbers are addresses of frames and accounts in the module's memory. */
export class Reporter {
  readonly #memory: Memory
  readonly #rules: Rules
  readonly #watcher: Watcher
  readonly #reads: Reads
  /** The last step of each open frame, by depth. */
  readonly #steps: (FrameStep | undefined)[] = []

  constructor(memory: Memory, rules: Rules, watcher: Watcher, reads: Reads) {
    this.#memory = memory
    this.#rules = rules
    this.#watcher = watcher
    this.#reads = reads
  }

  enter(frame: number): void {
    this.#steps[this.#memory.u32(frame + FRAME_DEPTH)] = undefined
    this.#watcher.enter?.(this.#frameOf(frame))
  }

  #frameOf(frame: number): Frame {
    const memory = this.#memory
    const kind = kindOf(memory, frame)
    const addressIn = (field: number) => memory.address(memory.u32(frame + field))
    const opened = {
      kind,
      input: memory.bytes(memory.u32(frame + FRAME_DATA), memory.u32(frame + FRAME_DATA_LENGTH)),
      gas: memory.u64(frame + FRAME_GAS),
    }
    const value = memory.word(frame + FRAME_VALUE)
    switch (kind) {
      // Runs another account's code in the account of the caller.
      case 'DELEGATECALL':
      case 'CALLCODE':
        return { ...opened, from: addressIn(FRAME_ACCOUNT), to: addressIn(FRAME_CODE_ACCOUNT), value }
      case 'STATICCALL':
        return { ...opened, from: addressIn(FRAME_CALLER), to: addressIn(FRAME_ACCOUNT), value: undefined }
      case 'CALL':
        return { ...opened, from: addressIn(FRAME_CALLER), to: addressIn(FRAME_ACCOUNT), value }
      default:
        return { ...opened, from: addressIn(FRAME_CALLER), to: undefined, value }
    }
  }

  exit(frame: number): void {
    const memory = this.#memory
    const exit = memory.u32(frame + FRAME_EXIT)
    const failure = failureOf(exit, memory.u32(frame + FRAME_LAST))
    const hasStepped = (memory.u32(frame + FRAME_FLAGS) & HAS_STEPPED) !== 0
    if (failure?.kind === 'halt' && hasStepped && !isOfDeposit(exit)) this.#watcher.fault?.(failure.error)
    const isCreated = isCreation(kindOf(memory, frame))
    const account = memory.u32(frame + FRAME_CODE_ACCOUNT)
    this.#watcher.exit?.({
      gasUsed: memory.u64(frame + FRAME_GAS_LIMIT) - memory.u64(frame + FRAME_GAS),
      output: memory.bytes(memory.u32(frame + FRAME_OUTPUT), memory.u32(frame + FRAME_OUTPUT_LENGTH)),
      failure,
      createdAddress:
        isCreated && failure === undefined ? memory.address(memory.u32(frame + FRAME_ACCOUNT)) : undefined,
      isPrecompile:
        !isCreated && !isRefused(failure) && (memory.u32(account + ACCOUNT_FLAGS) & IS_PRECOMPILE) !== 0,
    })
  }

  destroyed(account: number, beneficiary: number): void {
    const memory = this.#memory
    this.#watcher.enter?.({
      kind: 'SELFDESTRUCT',
      from: memory.address(account),
      to: memory.address(beneficiary),
      value: memory.word(account + ACCOUNT_BALANCE),
      input: EMPTY_BYTES,
      gas: 0n,
    })
    this.#watcher.exit?.({
      gasUsed: 0n,
      output: EMPTY_BYTES,
      failure: undefined,
      createdAddress: undefined,
      isPrecompile: false,
    })
  }

  step(frame: number, pc: number, opcode: number, cost: number): void {
    const name = nameOf(opcode, this.#rules) ?? undefinedName(opcode)
    const depth = this.#memory.u32(frame + FRAME_DEPTH)
    const last = this.#steps[depth]
    const step = new FrameStep(this.#memory, this.#rules, this.#reads, frame, pc, opcode, name, cost, last)
    this.#steps[depth] = step
    this.#watcher.step?.(step)
  }
}

/** Returns whether the EVM refused to open the frame. */
function isRefused(failure: FrameFailure | undefined): boolean {
  return failure?.error === TOO_POOR || failure?.error === TOO_DEEP
}

function kindOf(memory: Memory, frame: number): CallKind {
  return FRAME_OPENERS.get(memory.u32(frame + FRAME_KIND))!
}

/** The opcodes that may write to memory or extend it. */
const CHANGES_MEMORY: ReadonlySet<number> = new Set([
  ...[OP.KECCAK256, OP.CALLDATACOPY, OP.CODECOPY, OP.EXTCODECOPY, OP.RETURNDATACOPY],
  ...[OP.MLOAD, OP.MSTORE, OP.MSTORE8, OP.MCOPY],
  ...[0, 1, 2, 3, 4].map((topics) => OP.LOG0 + topics),
  ...FRAME_OPENERS.keys(),
])

/** A step, read from memory when it is asked: it is valid until the watcher returns. */
class FrameStep implements Step {
  readonly #memory: Memory
  readonly #rules: Rules
  readonly #reads: Reads
  readonly #frame: number
  readonly #cost: number
  readonly pc: number
  readonly opcode: number
  readonly name: string
  /** The previous step in this frame, until the stack is read: items below its operands are unchanged. */
  #last: FrameStep | undefined
  #stack: readonly bigint[] | undefined
  #contents: Uint8Array | undefined

  constructor(
    memory: Memory,
    rules: Rules,
    reads: Reads,
    frame: number,
    pc: number,
    opcode: number,
    name: string,
    cost: number,
    last: FrameStep | undefined,
  ) {
    this.#memory = memory
    this.#rules = rules
    this.#reads = reads
    this.#frame = frame
    this.#cost = cost
    this.pc = pc
    this.opcode = opcode
    this.name = name
    this.#contents = last?.contentsAfter
    this.#last = last?.letGo()
  }

  /** Returns this step without its predecessor; `undefined` if its stack was not read. */
  letGo(): FrameStep | undefined {
    this.#last = undefined
    return this.#stack === undefined ? undefined : this
  }

  get gas(): bigint {
    return this.#memory.u64(this.#frame + FRAME_GAS)
  }

  get cost(): bigint {
    const kind = FRAME_OPENERS.get(this.opcode)
    const cost = BigInt(this.#cost)
    return kind === undefined || isCreation(kind) ? cost : cost + this.#passedOn()
  }

  /** Returns the gas that a call passes on. geth includes it in the cost, except for creations. */
  #passedOn(): bigint {
    const left = this.gas - BigInt(this.#cost)
    if (left < 0n) return 0n
    const asked = fromTop(this.stack, 0)
    const most = this.#rules.since('tangerineWhistle') ? left - left / 64n : asked
    return asked < most ? asked : most
  }

  get depth(): number {
    return this.#memory.u32(this.#frame + FRAME_DEPTH)
  }

  get code(): Uint8Array {
    const code = this.#memory.u32(this.#frame + FRAME_CODE)
    return this.#memory.bytes(this.#memory.u32(code + CODE_BYTES), this.#memory.u32(code + CODE_LENGTH))
  }

  get refund(): bigint {
    return BigInt.asIntN(64, this.#memory.u64(REFUND))
  }

  get stack(): readonly bigint[] {
    this.#stack ??= this.#readStack()
    return this.#stack
  }

  #readStack(): bigint[] {
    const bottom = this.#memory.u32(this.#frame + FRAME_STACK)
    const height = (this.#memory.u32(this.#frame + FRAME_SP) - bottom) / 32
    const stack = this.#last?.kept(height) ?? []
    this.#last = undefined
    for (let i = stack.length; i < height; i++) stack.push(this.#memory.word(bottom + 32 * (i + 1)))
    return stack
  }

  /** Returns a copy of the items, at most `height`, that this instruction does not touch. */
  kept(height: number): bigint[] {
    const stack = this.#stack!
    const kept = stack.length - this.#memory.u8[STACK_IN + this.opcode]!
    return stack.slice(0, Math.max(0, Math.min(kept, height)))
  }

  get memory(): Uint8Array {
    const frame = this.#frame
    this.#contents ??= this.#memory.bytes(
      this.#memory.u32(frame + FRAME_MEMORY),
      this.#memory.u32(frame + FRAME_MEMORY_SIZE),
    )
    return this.#contents
  }

  /** The memory after this instruction, if it was read and the instruction cannot change it. */
  get contentsAfter(): Uint8Array | undefined {
    return CHANGES_MEMORY.has(this.opcode) ? undefined : this.#contents
  }

  get returnData(): Uint8Array {
    return this.#memory.bytes(this.#memory.u32(RETURN_DATA), this.#memory.u32(RETURN_LENGTH))
  }

  get address(): Address {
    return this.#memory.address(this.#memory.u32(this.#frame + FRAME_ACCOUNT))
  }

  storage(slot: bigint): bigint {
    return this.#reads.storage(this.#memory.u32(this.#frame + FRAME_ACCOUNT), slot)
  }

  nonce(address: Address): bigint {
    return this.#reads.nonce(address)
  }
}
