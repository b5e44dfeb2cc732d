/**
 * Stack traces that begin at the caller's line. What a public function throws after an `await` was made many calls further
 * down, and by then the caller may not be on the stack any more.
 *
 * Two ways, which differ in what they cost a call that succeeds:
 * - `callSite` in the `catch` of an async function costs nothing before. V8 finds the caller if it awaits the promise.
 * - `callSite` at the beginning costs about 2 µs, and finds the caller who has not begun to await yet, too.
 */

/** The frames of the code that called a function. */
export interface CallSite {
  readonly stack: string
}

type Callee = (...args: never[]) => unknown

/** Returns who called `callee`, which runs now. Engines other than V8 may know of none. */
export function callSite(callee: Callee): CallSite {
  const site = { stack: '' }
  Error.captureStackTrace?.(site, callee)
  return site
}

/** Returns `error` with the frames of `site` as its stack trace; where there are none it stays as it is. */
export function thrownAt<E>(site: CallSite, error: E): E {
  if (!(error instanceof Error)) return error
  const stack = site.stack.replace(TASK_QUEUE, '')
  const frames = stack.indexOf('\n    at ')
  if (frames !== -1) error.stack = `${error.name}: ${error.message}${stack.slice(frames)}`
  return error
}

/** What Node goes on with after an `await`, which says nothing. */
const TASK_QUEUE = /\n {4}at [^\n]*\(node:internal\/process\/task_queues[^\n]*/g

/** Returns what `work` returns; what it throws has the frames of `site`. */
export async function attributed<T>(site: CallSite, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw thrownAt(site, error)
  }
}
