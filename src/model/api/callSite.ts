/**
 * Stack traces of errors that begin at the line of the caller. After an `await`, the stack may lack the caller.
 *
 * - `callSite` in the `catch` of an async function costs nothing when a call succeeds. V8 finds the caller only if
 *   the caller awaits the promise.
 * - `callSite` at the beginning of a function costs about 2 µs. V8 then finds the caller even if the caller does not
 *   await the promise.
 */

export interface CallSite {
  readonly stack: string
}

/** Returns the stack frames from the caller of the running function `callee` on; none if the engine is not V8. */
export function callSite(callee: (...args: never[]) => unknown): CallSite {
  const site = { stack: '' }
  Error.captureStackTrace?.(site, callee)
  return site
}

/** Replaces the stack frames of `error` with the frames of `site`, if any. Returns `error`. */
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

/** The beginning of a stack trace: message and frames of failed code in another language, such as Solidity. */
export interface FailedCode {
  readonly message: string
  readonly frames: readonly string[]
}

interface Failed {
  readonly where: () => FailedCode | undefined
  /** Call sites whose frames may complete the stack trace, best first; `undefined` after the stack trace was read. */
  unread: CallSite[] | undefined
}

const failed = new WeakMap<Error, Failed>()

/**
 * Returns `error` with a stack trace that begins with frames of another language, such as `Token.transfer
 * (contracts/Token.sol:42:9)`. `where` is called when `stack` is first read, and returns these frames. The frames of
 * `site`, or of a later call of `thrownAt`, follow.
 */
export function withForeignFrames<E extends Error>(
  where: () => FailedCode | undefined,
  site: CallSite,
  error: E,
): E {
  const { name, message } = error
  const one: Failed = { where, unread: [site] }
  failed.set(error, one)
  const become = (value: unknown) => {
    one.unread = undefined
    Object.defineProperty(error, 'stack', { ...OWN, value, writable: true })
  }
  // Without this line, V8 would format the old stack trace.
  delete error.stack
  Object.defineProperty(error, 'stack', {
    ...OWN,
    get() {
      const sites = one.unread ?? []
      become(undefined)
      const frames = sites.map(framesOf).find((each) => each !== '') ?? ''
      become(`${textOf(name, where() ?? { message: message, frames: [] })}${frames}`)
      return error.stack
    },
    set: become,
  })
  return error
}

const OWN = { configurable: true, enumerable: false } as const

function headOf(error: Error): string {
  return textOf(error.name, failed.get(error)?.where() ?? { message: error.message, frames: [] })
}

function textOf(name: string, { message, frames }: FailedCode): string {
  return [`${name}: ${message}`, ...frames].join(FRAME)
}

function framesOf(site: CallSite): string {
  const stack = site.stack.replace(OF_NODE, '')
  const first = stack.indexOf(FRAME)
  return first === -1 ? '' : stack.slice(first)
}

const FRAME = '\n    at '

const OF_NODE = /\n {4}at [^\n]*\bnode:internal\/[^\n]*/g

/** Returns the result of `work`. An error that `work` throws gets the stack frames of `site`. */
export function attributedNow<T>(site: CallSite, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw thrownAt(site, error)
  }
}

export async function attributed<T>(site: CallSite, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw thrownAt(site, error)
  }
}
