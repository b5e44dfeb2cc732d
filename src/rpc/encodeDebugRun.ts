/** A run by its Solidity sources as JSON: the result of the tracer `soliditySource`. */
import { eachOf, type Work } from '../model/work/work.ts'
import type { DebugFrame, DebugRun, DebugStep } from '../solidity/debug/debugRun.ts'
import { encodeQuantity } from '../wire/hex.ts'
import type { JsonObject } from '../wire/parser.ts'

/**
 * Returns the members of `run`. Gas and wei are quantities; integers of Solidity that JavaScript has as bigints are decimal texts, since they
 * may be negative. The encoding of a long run pauses between turns of the event loop.
 */
export async function encodeDebugRun(run: DebugRun, work: Work): Promise<JsonObject> {
  const { status, gasUsed, isCut, gaps } = run
  const frames: JsonObject[] = []
  const steps: JsonObject[] = []
  await eachOf(work, run.frames, (frame) => frames.push(encodeFrame(frame)))
  await eachOf(work, run.steps, (step) => steps.push(encodeStep(step)))
  return { status, gasUsed: encodeQuantity(gasUsed), frames, steps, isCut, gaps }
}

function encodeFrame(frame: DebugFrame): JsonObject {
  if (frame.kind === 'function') return { ...frame }
  const { value, gas, gasUsed, args, result, error } = frame
  return {
    ...frame,
    value: value === undefined ? undefined : encodeQuantity(value),
    gas: encodeQuantity(gas),
    gasUsed: encodeQuantity(gasUsed),
    args: plain(args),
    result: plain(result),
    error: plain(error),
  }
}

function encodeStep(step: DebugStep): JsonObject {
  const { gasUsed, storage, logs } = step
  return { ...step, gasUsed: encodeQuantity(gasUsed), storage: plain(storage), logs: plain(logs) }
}

/** Returns `value` with texts in place of bigints. */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}
