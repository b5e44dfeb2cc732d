/** Parity's traces in the form of reth: the calls of a transaction in a list, each with its place in the tree. */
import type { FlatFrame } from '../../model/execution/trace.ts'
import type { Frame, FrameExit, FrameFailure } from '../engine.ts'
import * as failures from './failures.ts'
import type { TraceBudget, Tracer } from './tracer.ts'

/** The approximate memory of a frame without its data, in bytes. */
const FRAME_BYTES = 500
const NUMBER_BYTES = 8

interface OpenTrace {
  readonly frame: Frame
  readonly path: readonly number[]
  subtraces: number
  /** Known when the frame is left. */
  exit: FrameExit | undefined
}

export function flatTracer(budget: TraceBudget): Tracer {
  const frames: OpenTrace[] = []
  const open: OpenTrace[] = []

  return {
    enter(frame) {
      // The frame's path has a number for each frame around it.
      budget.take(FRAME_BYTES + frame.input.length + open.length * NUMBER_BYTES)
      const parent = open.at(-1)
      const path = parent === undefined ? [] : [...parent.path, parent.subtraces++]
      const entered = { frame, path, subtraces: 0, exit: undefined }
      frames.push(entered)
      open.push(entered)
    },

    exit(exit) {
      const left = open.pop()!
      const parent = open.at(-1)
      // Inner calls of precompiles are reported only if they transfer value.
      if (exit.isPrecompile && parent !== undefined && !left.frame.value) {
        frames.pop()
        parent.subtraces--
        return
      }
      budget.take(exit.output.length)
      left.exit = exit
    },

    finish: () => ({ kind: 'flat', frames: frames.map(flattened) }),
  }
}

function flattened({ frame, path, subtraces, exit }: OpenTrace): FlatFrame {
  const { gasUsed, output, failure, createdAddress } = exit!
  const isReverted = failure?.kind === 'revert'
  const error = failure && wordsFor(failure)
  return { ...frame, to: createdAddress ?? frame.to, gasUsed, output, error, isReverted, path, subtraces }
}

function wordsFor({ kind, error }: FrameFailure): string {
  if (kind === 'revert') return 'Reverted'
  // The remaining failure is an undefined instruction; geth's message names it.
  return WORDS.get(error) ?? 'Bad instruction'
}

/** reth's messages by geth's: Parity's own where it has one, else revm's. */
const WORDS: ReadonlyMap<string, string> = new Map([
  [failures.OUT_OF_GAS, 'Out of gas'],
  [failures.GAS_OVERFLOW, 'Out of gas'],
  [failures.DEPOSIT_OUT_OF_GAS, 'Out of gas'],
  [failures.INVALID_JUMP, 'Bad jump destination'],
  [failures.PRECOMPILE_FAILED, 'Built-in failed'],
  [failures.TOO_POOR, 'Insufficient balance for transfer'],
  [failures.STACK_UNDERFLOW, 'StackUnderflow'],
  [failures.STACK_OVERFLOW, 'Out of stack'],
  [failures.TOO_DEEP, 'CallTooDeep'],
  [failures.OUT_OF_RETURN_DATA, 'OutOfOffset'],
  [failures.WRITE_PROTECTION, 'StateChangeDuringStaticCall'],
  [failures.COLLISION, 'CreateCollision'],
  [failures.CODE_TOO_LARGE, 'CreateContractSizeLimit'],
  [failures.INIT_CODE_TOO_LARGE, 'CreateInitCodeSizeLimit'],
  [failures.INVALID_CODE, 'CreateContractStartingWithEF'],
])
