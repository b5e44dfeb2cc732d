/** Solidity frames in the stack traces of JavaScript errors. */
import { type CallSite, callSite, failedIn } from '../../model/callSite.ts'
import type { LateStackTrace } from './recorder.ts'
import type { SolidityFrame, SolidityStackTrace, SourcePosition } from './stackTrace.ts'

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

/** The lines before and after. */
const AROUND = 2

/** Returns the lines with a mark below the column; `undefined` without a disk, or where the file has no such line. */
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

/** Browsers have no disk. */
function textOf(file: string): string | undefined {
  try {
    return globalThis.process?.getBuiltinModule?.('node:fs').readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Returns a frame as stack traces show it, without `at`: `Token.transfer (contracts/Token.sol:42:9)`,
 * `Token.constructor (contracts/Token.sol:7:5)`. The names of what has none are those of Hardhat.
 */
export function frameText(frame: SolidityFrame): string {
  const { contract, function: name, position, file, address } = frame
  const where = position === undefined ? (file ?? address) : positionText(position)
  const text = nameText(contract, name, file !== undefined || position !== undefined)
  return where === undefined ? text : `${text} (${where})`
}

/** Returns the position in the form that terminals and editors open: `contracts/Token.sol:42:9`. */
export function positionText({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`
}

function nameText(contract: string | undefined, name: string | undefined, isInFile: boolean): string {
  const function_ = name ?? '<unknown>'
  if (contract !== undefined) return `${contract}.${function_}`
  // A function outside of contracts is in a file all the same.
  return isInFile ? function_ : `<UnrecognizedContract>.${function_}`
}
