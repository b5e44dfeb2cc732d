/** Parity-style traces in reth's form: a flat list of a transaction's calls with their paths in the call tree. */
import type { FlatFrame } from '../../model/execution/trace.ts'
import type { Frame, FrameExit } from '../engine.ts'
import { rethError } from './failures.ts'
import type { TraceBudget, Tracer } from './tracer.ts'

/** Approximate memory of a frame without its data, in bytes. */
const FRAME_BYTES = 500
const NUMBER_BYTES = 8

interface OpenTrace {
  readonly frame: Frame
  readonly path: readonly number[]
  subtraces: number
  exit: FrameExit | undefined
}

export function flatTracer(budget: TraceBudget): Tracer {
  const frames: OpenTrace[] = []
  const open: OpenTrace[] = []

  return {
    enter(frame) {
      // The path of a frame has one number for each enclosing frame.
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
      // A call from code to a precompile is reported only if the call transfers value.
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
  const error = failure && (isReverted ? 'Reverted' : rethError(failure.error))
  return { ...frame, to: createdAddress ?? frame.to, gasUsed, output, error, isReverted, path, subtraces }
}
