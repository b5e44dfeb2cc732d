/**
 * Stack traces that begin at the caller's line. An error thrown after an `await` is created many calls further down,
 * when the caller may no longer be on the stack.
 *
 * There are two ways, with different costs for calls that succeed:
 * - `callSite` in the `catch` of an async function costs nothing before an error. V8 finds the caller if it awaits the
 *   promise.
 * - `callSite` at the beginning costs about 2 µs, and also finds a caller that does not await the promise yet.
 */

/** The frames of the code that called a function. */
export interface CallSite {
  readonly stack: string
}

type Callee = (...args: never[]) => unknown

/**
 * Returns the frames of the code that called `callee`, which must be running. Engines other than V8 may return none.
 */
export function callSite(callee: Callee): CallSite {
  const site = { stack: '' }
  Error.captureStackTrace?.(site, callee)
  return site
}

/** Returns `error` with the frames of `site` as its stack trace; without frames `error` is unchanged. */
export function thrownAt<E>(site: CallSite, error: E): E {
  if (!(error instanceof Error)) return error
  const stack = site.stack.replace(OF_NODE, '')
  const frames = stack.indexOf(FRAME)
  if (frames !== -1) error.stack = `${headOf(error)}${stack.slice(frames)}`
  return error
}

/** What stands above the frames of JavaScript in the stack traces of errors of other code. */
const inner = new WeakMap<Error, { readonly said: string; readonly frames: readonly string[] }>()

/**
 * Returns `error` with a stack trace that begins with `frames`, such as `Token.transfer (contracts/Token.sol:42:9)`, the
 * innermost first: code that is not JavaScript failed there. They stay where `thrownAt` changes the others. Its first line
 * is `said`, by default the message.
 */
export function failedIn<E extends Error>(frames: readonly string[], error: E, said = error.message): E {
  if (frames.length === 0) return error
  const { stack = '' } = error
  inner.set(error, { said, frames })
  const first = stack.indexOf(FRAME)
  error.stack = `${headOf(error)}${first === -1 ? '' : stack.slice(first)}`
  return error
}

/** Returns the stack trace of `error` down to the frames of JavaScript. */
function headOf(error: Error): string {
  const { said, frames } = inner.get(error) ?? { said: error.message, frames: [] }
  return [`${error.name}: ${said}`, ...frames].join(FRAME)
}

const FRAME = '\n    at '

/** Frames of Node, which resumes async functions from its task queue or from a timer. Readers have no use for them. */
const OF_NODE = /\n {4}at [^\n]*\bnode:internal\/[^\n]*/g

/** Returns the result of `work`. Errors that `work` throws get the frames of `site`. */
export function attributedNow<T>(site: CallSite, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw thrownAt(site, error)
  }
}

/** Resolves to the result of `work`. Errors that `work` throws get the frames of `site`. */
export async function attributed<T>(site: CallSite, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw thrownAt(site, error)
  }
}
