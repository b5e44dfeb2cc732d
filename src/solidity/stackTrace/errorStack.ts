/** Adds Solidity frames to the stack traces of JavaScript errors. */

import { type CallSite, callSite, withForeignFrames } from '../../model/api/callSite.ts'
import {
  frameText,
  type LateStackTrace,
  revertText,
  type SolidityStackTrace,
  type SourcePosition,
} from './format.ts'

interface Located extends Error {
  solidityStack?: SolidityStackTrace
}

/** If `late` is given, adds `solidityStack`, and Solidity frames in `stack`, which are computed on first read. */
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
    (stackTrace) => revertText(message, stackTrace),
  )
}

export function withSolidityFrames<E extends Error>(error: E, stackTrace: SolidityStackTrace): E {
  const { message } = error
  return framed(
    error,
    { stack: error.stack ?? '' },
    () => stackTrace,
    () => message,
  )
}

/** Adds `codeFrame`, which vitest prints: the source text around the innermost frame, computed when it is read. */
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
  return withForeignFrames(
    () => {
      const stackTrace = find()
      return stackTrace && { message: said(stackTrace), frames: stackTrace.frames.map(frameText) }
    },
    site,
    error,
  )
}

/** Number of source lines before and after the position. */
const AROUND = 2

/** Returns source lines with a mark below the position; `undefined` in browsers, and if the file has no such line. */
function codeFrameAt({ file, line, column }: SourcePosition): string | undefined {
  const text = textOf(file)
  const lines = text?.split(/\r?\n/) ?? []
  if (line > lines.length) return undefined
  const first = Math.max(0, line - 1 - AROUND)
  return lines
    .slice(first, line + AROUND)
    .flatMap((each, i) => {
      const shown = `${numbered(first + i + 1)} ${each.replaceAll('\t', ' ')}`
      return first + i + 1 === line ? [shown, `${numbered('')} ${' '.repeat(column - 1)}^`] : [shown]
    })
    .join('\n')
}

function numbered(line: number | ''): string {
  return `    ${String(line).padStart(3)}|`
}

/** Returns the text of a file; `undefined` if it cannot be read, and in browsers. */
function textOf(file: string): string | undefined {
  try {
    return globalThis.process?.getBuiltinModule?.('node:fs').readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
