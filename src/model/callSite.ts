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
  const unread = failed.get(error)?.unread
  if (unread !== undefined) {
    unread.unshift(site)
    return error
  }
  const frames = framesOf(site)
  if (frames !== '') error.stack = `${headOf(error)}${frames}`
  return error
}

/** What stands above the frames of JavaScript in the stack trace of an error of other code. */
export interface FailedCode {
  /** The first line. */
  readonly said: string
  readonly frames: readonly string[]
}

/** An error of other code. */
interface Failed {
  readonly where: () => FailedCode | undefined
  /** As long as nobody has read the stack trace: the sites that may give it its frames, the best first. */
  unread: CallSite[] | undefined
}

const failed = new WeakMap<Error, Failed>()

/**
 * Returns `error` with a stack trace that begins with frames such as `Token.transfer (contracts/Token.sol:42:9)`, the
 * innermost first: code that is not JavaScript failed there. Below are those of `site`, until `thrownAt` changes them. `where` is
 * called when somebody reads `stack`, which is an ordinary property from then on.
 */
export function failedIn<E extends Error>(where: () => FailedCode | undefined, site: CallSite, error: E): E {
  const { name, message } = error
  const one: Failed = { where, unread: [site] }
  failed.set(error, one)
  const become = (value: unknown) => {
    one.unread = undefined
    Object.defineProperty(error, 'stack', { ...OWN, value, writable: true })
  }
  // To replace it, V8 would make the text of the one that is there.
  delete error.stack
  Object.defineProperty(error, 'stack', {
    ...OWN,
    get() {
      const sites = one.unread ?? []
      become(undefined)
      const frames = sites.map(framesOf).find((each) => each !== '') ?? ''
      become(`${textOf(name, where() ?? { said: message, frames: [] })}${frames}`)
      return error.stack
    },
    set: become,
  })
  return error
}

const OWN = { configurable: true, enumerable: false } as const

/** Returns the stack trace of `error` down to the frames of JavaScript. */
function headOf(error: Error): string {
  return textOf(error.name, failed.get(error)?.where() ?? { said: error.message, frames: [] })
}

function textOf(name: string, { said, frames }: FailedCode): string {
  return [`${name}: ${said}`, ...frames].join(FRAME)
}

/** Returns the frames of a site as they stand in a stack trace, each behind a line break. */
function framesOf(site: CallSite): string {
  const stack = site.stack.replace(OF_NODE, '')
  const first = stack.indexOf(FRAME)
  return first === -1 ? '' : stack.slice(first)
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
