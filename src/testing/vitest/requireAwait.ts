/** Fails a test that does not await a matcher: without `await` it would pass, whatever the matcher finds. */
import { type CallSite, thrownAt } from '../../model/callSite.ts'

/** The part of a running test in which vitest (3 and later) keeps the assertions that end with it. */
export interface Task {
  promises?: PromiseLike<unknown>[]
}

/** A call of a matcher: its line, and its text for messages. */
export interface MatcherCall {
  readonly site: CallSite
  readonly text: string
}

/**
 * Returns `assertion` as a thenable that notices whether it is awaited. At its end the test fails if nobody has awaited
 * it: with the failure of the assertion if it failed, otherwise with an error that names the call.
 */
export function requireAwait(
  assertion: Promise<unknown>,
  task: Task,
  call: MatcherCall,
): PromiseLike<unknown> & Pick<Promise<unknown>, 'catch' | 'finally'> {
  let isAwaited = false
  // A failure that nobody awaits is the test's, not an unhandled rejection of the process.
  assertion.catch(() => {})
  // vitest calls `then` of its list when the function of the test has ended, and fails the test if one rejects.
  task.promises ??= []
  const { promises } = task
  const atEnd = thenable(() =>
    isAwaited
      ? Promise.resolve()
      : // Removed before a retry, which would fail by it.
        assertion.then(() => Promise.reject(notAwaited(call))).finally(() => remove(promises, atEnd)),
  )
  promises.push(atEnd)
  return thenable(() => {
    isAwaited = true
    remove(promises, atEnd)
    return assertion
  })
}

function remove(list: unknown[], item: unknown): void {
  const index = list.indexOf(item)
  if (index !== -1) list.splice(index, 1)
}

/** Returns a thenable whose promise is asked for when a callback is added. */
function thenable(promise: () => Promise<unknown>) {
  return {
    // biome-ignore lint/suspicious/noThenProperty: that is what it is for
    then: ((...callbacks) => promise().then(...callbacks)) as Promise<unknown>['then'],
    catch: ((onRejected) => promise().catch(onRejected)) as Promise<unknown>['catch'],
    finally: ((onEnd) => promise().finally(onEnd)) as Promise<unknown>['finally'],
    [Symbol.toStringTag]: 'Promise',
  }
}

function notAwaited({ site, text }: MatcherCall): Error {
  return thrownAt(
    site,
    new Error(
      `${text} was not awaited, so that the test did not wait for what it finds; write: await ${text}`,
    ),
  )
}
