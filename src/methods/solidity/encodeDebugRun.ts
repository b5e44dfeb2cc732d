/** A run by its Solidity sources as JSON: the result of the tracer `soliditySource`. */

import type { DebugFrame, DebugRun, DebugStep } from '../../solidity/debug/debugRun.ts'
import type { DebugFrameAnswer, DebugRunAnswer, DebugStepAnswer } from '../../wire/debugRun.ts'
import { encodeQuantity } from '../../wire/hex.ts'
import { eachOf, type Work } from '../../work/work.ts'

/** Resolves to the members of `run`. The encoding of a long run pauses between turns of the event loop. */
export async function encodeDebugRun(run: DebugRun, work: Work): Promise<DebugRunAnswer> {
  const { status, gasUsed, isCut, gaps } = run
  const frames: DebugFrameAnswer[] = []
  const steps: DebugStepAnswer[] = []
  await eachOf(work, run.frames, (frame) => frames.push(encodeFrame(frame)))
  await eachOf(work, run.steps, (step) => steps.push(encodeStep(step)))
  return { status, gasUsed: encodeQuantity(gasUsed), frames, steps, isCut, gaps }
}

function encodeFrame(frame: DebugFrame): DebugFrameAnswer {
  if (frame.kind === 'function') return { ...frame, args: plain(frame.args), result: plain(frame.result) }
  const { value, gas, gasUsed, args, result, error } = frame
  const amounts = {
    value: value === undefined ? undefined : encodeQuantity(value),
    gas: encodeQuantity(gas),
    gasUsed: encodeQuantity(gasUsed),
  }
  return { ...frame, ...amounts, args: plain(args), result: plain(result), error: plain(error) }
}

function encodeStep(step: DebugStep): DebugStepAnswer {
  const { gasUsed, variables, storage, logs } = step
  const told = { variables: plain(variables), storage: plain(storage), logs: plain(logs) }
  return { ...step, ...told, gasUsed: encodeQuantity(gasUsed) }
}

/** A value with texts in place of bigints. */
type Plain<T> = T extends bigint ? string : T extends object ? { readonly [K in keyof T]: Plain<T[K]> } : T

/** Returns `value` with texts in place of bigints. */
export function plain<T>(value: T): Plain<T> {
  return plainOf(value) as Plain<T>
}

function plainOf(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(plainOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainOf(member)]))
}
