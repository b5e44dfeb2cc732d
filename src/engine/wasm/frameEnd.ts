/** How frames end: what the module says of it, as values, as reasons and in geth's words. */
import { EMPTY_BYTES } from '../../bytes/hex.ts'
import type { FrameFailure, HaltReason } from '../engine.ts'
import * as words from '../trace/failures.ts'
import {
  CODE_TOO_LARGE,
  CREATE_COLLISION,
  DEPENDS_ON_GAS,
  DEPOSIT_OUT_OF_GAS,
  EXIT_REVERT,
  EXIT_WITHOUT_CODE,
  FIRST_ERROR,
  FRAME_EXIT,
  FRAME_GAS,
  FRAMES,
  GAS_AT_LEAST,
  GAS_OVERFLOW,
  INIT_CODE_TOO_LARGE,
  INSUFFICIENT_BALANCE,
  INVALID_CODE,
  INVALID_JUMP,
  INVALID_OPCODE,
  OUT_OF_GAS,
  OUT_OF_RETURN_DATA,
  PRECOMPILE_FAILED,
  REFUND,
  RETURN_DATA,
  RETURN_LENGTH,
  STACK_OVERFLOW,
  STACK_UNDERFLOW,
  STATIC_STATE_CHANGE,
  TOO_DEEP,
} from './layout.ts'
import type { Memory } from './memory.ts'

/** The end of the outermost frame. */
export interface FrameEnd {
  readonly kind: 'success' | 'revert' | 'halt'
  /** The reason of a halt. */
  readonly reason: HaltReason | undefined
  readonly gasLeft: bigint
  readonly refund: bigint
  /** The data that was returned or reverted with; in a creation the deployed code. */
  readonly output: Uint8Array
  /**
   * The gas that had to be there, from the beginning of the frame on, for SSTORE to run; `undefined` if the outcome may depend
   * on the amount of gas.
   */
  readonly gasNeed: bigint | undefined
}

const ERRORS: ReadonlyMap<number, readonly [reason: HaltReason, words: string]> = new Map([
  [OUT_OF_GAS, ['outOfGas', words.OUT_OF_GAS]],
  [GAS_OVERFLOW, ['outOfGas', words.GAS_OVERFLOW]],
  [OUT_OF_RETURN_DATA, ['outOfGas', words.OUT_OF_RETURN_DATA]],
  [DEPOSIT_OUT_OF_GAS, ['outOfGas', words.DEPOSIT_OUT_OF_GAS]],
  [INVALID_JUMP, ['invalidJump', words.INVALID_JUMP]],
  [STACK_UNDERFLOW, ['stackUnderflow', words.STACK_UNDERFLOW]],
  [STACK_OVERFLOW, ['stackOverflow', words.STACK_OVERFLOW]],
  [STATIC_STATE_CHANGE, ['staticStateChange', words.WRITE_PROTECTION]],
  [CREATE_COLLISION, ['createCollision', words.COLLISION]],
  [CODE_TOO_LARGE, ['codeTooLarge', words.CODE_TOO_LARGE]],
  [INIT_CODE_TOO_LARGE, ['initCodeTooLarge', words.INIT_CODE_TOO_LARGE]],
  [INVALID_CODE, ['invalidCode', words.INVALID_CODE]],
  [INSUFFICIENT_BALANCE, ['insufficientBalance', words.TOO_POOR]],
  [PRECOMPILE_FAILED, ['precompileFailed', words.PRECOMPILE_FAILED]],
  [TOO_DEEP, ['other', words.TOO_DEEP]],
])

/** Returns how the outermost frame ended. */
export function frameEndOf(memory: Memory): FrameEnd {
  const frame = memory.u32(FRAMES)
  const exit = memory.u32(frame + FRAME_EXIT)
  const isError = exit >= FIRST_ERROR
  const length = memory.u32(RETURN_LENGTH)
  return {
    kind: isError ? 'halt' : exit === EXIT_REVERT ? 'revert' : 'success',
    reason: isError ? reasonOf(exit) : undefined,
    gasLeft: memory.u64(frame + FRAME_GAS),
    refund: BigInt.asIntN(64, memory.u64(REFUND)),
    output: length === 0 ? EMPTY_BYTES : memory.bytes(memory.u32(RETURN_DATA), length),
    gasNeed: memory.u32(DEPENDS_ON_GAS) === 1 ? undefined : memory.u64(GAS_AT_LEAST),
  }
}

/** Returns the reason of an exit that is an error. */
function reasonOf(exit: number): HaltReason {
  return exit === INVALID_OPCODE ? 'invalidOpcode' : (ERRORS.get(exit)?.[0] ?? 'other')
}

/** Returns the failure of a frame; `undefined` if it succeeded. `opcode` is that of its last instruction. */
export function failureOf(exit: number, opcode: number): FrameFailure | undefined {
  if (exit === EXIT_REVERT) return { kind: 'revert', error: words.REVERTED }
  // A creation that succeeds, but that geth reports as a failure.
  if (exit === EXIT_WITHOUT_CODE) return { kind: 'halt', error: words.DEPOSIT_OUT_OF_GAS }
  if (exit < FIRST_ERROR) return undefined
  const error = exit === INVALID_OPCODE ? words.invalidOpcode(opcode) : ERRORS.get(exit)![1]
  return { kind: 'halt', error }
}

/** Returns whether an error happened after the last instruction of a creation, when its code was to be stored. */
export function isOfDeposit(exit: number): boolean {
  return (
    exit === CODE_TOO_LARGE ||
    exit === INVALID_CODE ||
    exit === DEPOSIT_OUT_OF_GAS ||
    exit === EXIT_WITHOUT_CODE
  )
}
