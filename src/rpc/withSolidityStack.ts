/** Solidity frames in the stack traces of JavaScript errors. */
import { failedIn } from '../model/callSite.ts'
import { frameText } from '../solidity/stackTrace/frameText.ts'
import type { SolidityStackTrace } from '../solidity/stackTrace/stackTrace.ts'

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
  return failedIn(stackTrace.frames.map(frameText), error, inWords(error.message, stackTrace))
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
