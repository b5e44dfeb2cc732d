/** Reports runs to watchers: translates the module's frames and instructions to geth's terms. */
import type { Address } from '../../bytes/hex.ts'
import type { CallKind } from '../../model/execution/trace.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { nameOf, OP } from '../../model/opcodes.ts'
import type { Frame, FrameFailure, RunState, Step, Watcher } from '../engine.ts'
import { INSUFFICIENT_BALANCE, TOO_DEEP, undefinedName } from '../trace/failures.ts'
import { FRAME_OPENERS, isCreation, passedGas, reportSelfDestruct } from '../trace/operands.ts'
import * as layout from './layout.ts'
import type { Memory } from './module.ts'
import { failureOf, isCodeDepositExit } from './results.ts'

/** Reports one run to one watcher. Numbers are pointers to frames and accounts in the module's memory. */
export class Reporter {
  readonly memory: Memory
  readonly rules: Rules
  readonly state: RunState
  readonly #watcher: Watcher
  readonly #steps: (FrameStep | undefined)[] = []

  constructor(memory: Memory, rules: Rules, watcher: Watcher, state: RunState) {
    this.memory = memory
    this.rules = rules
    this.state = state
    this.#watcher = watcher
  }

  enter(frame: number): void {
    this.#steps[this.memory.u32(frame + layout.FRAME_DEPTH)] = undefined
    this.#watcher.enter?.(this.#frameOf(frame))
  }

  #frameOf(frame: number): Frame {
    const { memory } = this
    const kind = kindOf(memory, frame)
    const addressIn = (field: number) => memory.address(memory.u32(frame + field))
    // DELEGATECALL and CALLCODE run another account's code in the account of the caller.
    const keepsAccount = kind === 'DELEGATECALL' || kind === 'CALLCODE'
    const to = keepsAccount ? layout.FRAME_CODE_ACCOUNT : layout.FRAME_ACCOUNT
    return {
      kind,
      from: addressIn(keepsAccount ? layout.FRAME_ACCOUNT : layout.FRAME_CALLER),
      to: isCreation(kind) ? undefined : addressIn(to),
      value: kind === 'STATICCALL' ? undefined : memory.word(frame + layout.FRAME_VALUE),
      input: memory.bytes(
        memory.u32(frame + layout.FRAME_DATA),
        memory.u32(frame + layout.FRAME_DATA_LENGTH),
      ),
      gas: memory.u64(frame + layout.FRAME_GAS),
    }
  }

  exit(frame: number): void {
    const memory = this.memory
    const exit = memory.u32(frame + layout.FRAME_EXIT)
    const failure = failureOf(exit, memory.u32(frame + layout.FRAME_LAST))
    const hasStepped = (memory.u32(frame + layout.FRAME_FLAGS) & layout.HAS_STEPPED) !== 0
    if (failure?.kind === 'halt' && hasStepped && !isCodeDepositExit(exit))
      this.#watcher.fault?.(failure.error)
    const isCreated = isCreation(kindOf(memory, frame))
    const account = memory.u32(frame + layout.FRAME_CODE_ACCOUNT)
    this.#watcher.exit?.({
      gasUsed: memory.u64(frame + layout.FRAME_GAS_LIMIT) - memory.u64(frame + layout.FRAME_GAS),
      output: memory.bytes(
        memory.u32(frame + layout.FRAME_OUTPUT),
        memory.u32(frame + layout.FRAME_OUTPUT_LENGTH),
      ),
      failure,
      createdAddress:
        isCreated && failure === undefined
          ? memory.address(memory.u32(frame + layout.FRAME_ACCOUNT))
          : undefined,
      isPrecompile:
        !isCreated &&
        !isRefused(failure) &&
        (memory.u32(account + layout.ACCOUNT_FLAGS) & layout.IS_PRECOMPILE) !== 0,
    })
  }

  destroyed(account: number, beneficiary: number): void {
    const { memory } = this
    const [from, to] = [memory.address(account), memory.address(beneficiary)]
    reportSelfDestruct(this.#watcher, from, to, memory.word(account + layout.ACCOUNT_BALANCE))
  }

  step(frame: number, pc: number, opcode: number, cost: number): void {
    const depth = this.memory.u32(frame + layout.FRAME_DEPTH)
    const step = new FrameStep(this, frame, pc, opcode, cost, this.#steps[depth])
    this.#steps[depth] = step
    this.#watcher.step?.(step)
  }
}

function isRefused(failure: FrameFailure | undefined): boolean {
  return failure?.error === INSUFFICIENT_BALANCE || failure?.error === TOO_DEEP
}

function kindOf(memory: Memory, frame: number): CallKind {
  return FRAME_OPENERS.get(memory.u32(frame + layout.FRAME_KIND))!
}

/** The opcodes that may write to the memory or extend it. */
const CHANGES_MEMORY: ReadonlySet<number> = new Set([
  ...[OP.KECCAK256, OP.CALLDATACOPY, OP.CODECOPY, OP.EXTCODECOPY, OP.RETURNDATACOPY],
  ...[OP.MLOAD, OP.MSTORE, OP.MSTORE8, OP.MCOPY],
  ...[0, 1, 2, 3, 4].map((topics) => OP.LOG0 + topics),
  ...FRAME_OPENERS.keys(),
])

/** A step. Valid until the watcher returns, because values are read from the module's memory on access. */
class FrameStep implements Step {
  readonly #reporter: Reporter
  readonly #memory: Memory
  readonly #frame: number
  readonly #cost: number
  readonly pc: number
  readonly opcode: number
  /** The previous step of this frame, if its stack was read, so that its unchanged items are not read again. */
  #last: FrameStep | undefined
  #stack: readonly bigint[] | undefined
  #contents: Uint8Array | undefined

  constructor(
    reporter: Reporter,
    frame: number,
    pc: number,
    opcode: number,
    cost: number,
    last: FrameStep | undefined,
  ) {
    this.#reporter = reporter
    this.#memory = reporter.memory
    this.#frame = frame
    this.#cost = cost
    this.pc = pc
    this.opcode = opcode
    this.#contents = last?.contentsAfter
    this.#last = last?.dropPrevious()
  }

  get name(): string {
    return nameOf(this.opcode, this.#reporter.rules) ?? undefinedName(this.opcode)
  }

  /** Drops the reference to the previous step. Returns this step, or `undefined` if its stack was not read. */
  dropPrevious(): FrameStep | undefined {
    this.#last = undefined
    return this.#stack === undefined ? undefined : this
  }

  get gas(): bigint {
    return this.#memory.u64(this.#frame + layout.FRAME_GAS)
  }

  get cost(): bigint {
    const cost = BigInt(this.#cost)
    // Reads the stack, which is slow, only for opcodes that may pass gas to a callee.
    if (!FRAME_OPENERS.has(this.opcode)) return cost
    return cost + passedGas(this.#reporter.rules, this.opcode, this.stack, this.gas - cost)
  }

  get depth(): number {
    return this.#memory.u32(this.#frame + layout.FRAME_DEPTH)
  }

  get code(): Uint8Array {
    const code = this.#memory.u32(this.#frame + layout.FRAME_CODE)
    return this.#memory.bytes(
      this.#memory.u32(code + layout.CODE_BYTES),
      this.#memory.u32(code + layout.CODE_LENGTH),
    )
  }

  get refund(): bigint {
    return BigInt.asIntN(64, this.#memory.u64(layout.REFUND))
  }

  get stack(): readonly bigint[] {
    this.#stack ??= this.#readStack()
    return this.#stack
  }

  #readStack(): bigint[] {
    const bottom = this.#memory.u32(this.#frame + layout.FRAME_STACK)
    const height = (this.#memory.u32(this.#frame + layout.FRAME_SP) - bottom) / 32
    const stack = this.#last?.kept(height) ?? []
    this.#last = undefined
    for (let i = stack.length; i < height; i++) stack.push(this.#memory.word(bottom + 32 * (i + 1)))
    return stack
  }

  /** Returns a copy of the stack items that this instruction leaves in place, at most `height` items. */
  kept(height: number): bigint[] {
    const stack = this.#stack!
    const kept = stack.length - this.#memory.u8[layout.STACK_IN + this.opcode]!
    return stack.slice(0, Math.max(0, Math.min(kept, height)))
  }

  get memory(): Uint8Array {
    const frame = this.#frame
    this.#contents ??= this.#memory.bytes(
      this.#memory.u32(frame + layout.FRAME_MEMORY),
      this.#memory.u32(frame + layout.FRAME_MEMORY_SIZE),
    )
    return this.#contents
  }

  /** The memory after this instruction; `undefined` if it was not read or the instruction may change it. */
  get contentsAfter(): Uint8Array | undefined {
    return CHANGES_MEMORY.has(this.opcode) ? undefined : this.#contents
  }

  get returnData(): Uint8Array {
    return this.#memory.bytes(this.#memory.u32(layout.RETURN_DATA), this.#memory.u32(layout.RETURN_LENGTH))
  }

  get address(): Address {
    return this.#memory.address(this.#memory.u32(this.#frame + layout.FRAME_ACCOUNT))
  }

  get state(): RunState {
    return this.#reporter.state
  }
}
