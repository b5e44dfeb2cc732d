/** Solidity frames in the stack traces of JavaScript errors. */
import { failedIn } from '../../model/callSite.ts'
import { codeFrameAt } from './codeFrame.ts'
import { frameText } from './frameText.ts'
import type { SolidityStackTrace } from './stackTrace.ts'

/** An error of code that failed, with where in Solidity it did. */
interface Located extends Error {
  solidityStack?: SolidityStackTrace
}

/**
 * Returns `error` with `stackTrace` as its member `solidityStack`, and its frames above those of JavaScript in `stack`;
 * unchanged without a stack trace.
 */
export function withSolidityStack<E extends Error>(error: E, stackTrace: SolidityStackTrace | undefined): E {
  if (stackTrace === undefined) return error
  ;(error as Located).solidityStack = stackTrace
  return withSolidityFrames(error, stackTrace, inWords(error.message, stackTrace))
}

/**
 * Returns `error` with the frames alone, below `said`. vitest prints the member `codeFrame` above the stack trace: the source
 * around the innermost frame, which is read when it is printed. Others do not see it.
 */
export function withSolidityFrames<E extends Error>(
  error: E,
  { frames }: SolidityStackTrace,
  said?: string,
): E {
  const position = frames.find((frame) => frame.position !== undefined)?.position
  if (position !== undefined) {
    Object.defineProperty(error, 'codeFrame', { configurable: true, get: () => codeFrameAt(position) })
  }
  return failedIn(frames.map(frameText), error, said)
}

/** Returns the message of a JSON-RPC error with what happened, if the message says no more than that code reverted. */
export function inWords(message: string, { message: words }: SolidityStackTrace): string {
  if (message !== 'execution reverted') return message
  return words.startsWith('reverted') ? `execution ${words}` : `${message}: ${words}`
}

/**
 * Returns what happened in words if a failure without revert data tells more than that it failed: of no such function, of
 * ether that was not expected, and the like.
 */
export function cause(stackTrace: SolidityStackTrace | undefined): string | undefined {
  return stackTrace === undefined || SILENT.has(stackTrace.kind) ? undefined : stackTrace.message
}

const SILENT: ReadonlySet<SolidityStackTrace['kind']> = new Set([
  'revert',
  'customError',
  'unrecognizedContract',
  'unrecognizedCreation',
  'otherExecutionError',
])
