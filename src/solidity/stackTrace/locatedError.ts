/** Solidity frames in the stack traces of JavaScript errors. */
import { type CallSite, callSite, failedIn } from '../../model/callSite.ts'
import { codeFrameAt } from './codeFrame.ts'
import { frameText } from './frameText.ts'
import type { LateStackTrace } from './lateStackTrace.ts'
import type { SolidityStackTrace } from './stackTrace.ts'

/** An error of code that failed, with where in Solidity it did. */
interface Located extends Error {
  solidityStack?: SolidityStackTrace
}

/**
 * Returns `error` with the stack trace as its member `solidityStack`, and its frames above those of JavaScript in `stack`;
 * unchanged without a stack trace. It is found when one of both is read: members that replace themselves.
 */
export function withSolidityStack<E extends Error>(error: E, late: LateStackTrace | undefined): E {
  if (late === undefined) return error
  const { message } = error
  const own = { configurable: true, enumerable: true }
  const become = (value: unknown) =>
    Object.defineProperty(error, 'solidityStack', { ...own, value, writable: true })
  Object.defineProperty(error, 'solidityStack', {
    ...own,
    get() {
      const stackTrace = late.now()
      if (stackTrace === undefined) delete (error as Located).solidityStack
      else become(stackTrace)
      return stackTrace
    },
    set: become,
  })
  return framed(
    error,
    callSite(withSolidityStack),
    () => late.now(),
    (stackTrace) => inWords(message, stackTrace),
  )
}

/** Returns `error` with the frames alone. */
export function withSolidityFrames<E extends Error>(error: E, stackTrace: SolidityStackTrace): E {
  const { message } = error
  return framed(
    error,
    { stack: error.stack ?? '' },
    () => stackTrace,
    () => message,
  )
}

/**
 * vitest prints the member `codeFrame` above the stack trace: the source around the innermost frame, which is read when it is
 * printed. Others do not see it.
 */
function framed<E extends Error>(
  error: E,
  site: CallSite,
  find: () => SolidityStackTrace | undefined,
  said: (stackTrace: SolidityStackTrace) => string,
): E {
  Object.defineProperty(error, 'codeFrame', {
    configurable: true,
    get() {
      const position = find()?.frames.find((frame) => frame.position !== undefined)?.position
      return position && codeFrameAt(position)
    },
  })
  return failedIn(
    () => {
      const stackTrace = find()
      return stackTrace && { said: said(stackTrace), frames: stackTrace.frames.map(frameText) }
    },
    site,
    error,
  )
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
