/** A promise costs about as much as a short EVM call, so EVM runs return promises only if they pause. */

export type MaybePromise<T> = T | Promise<T>

/** Calls `next` with `value`. Returns a promise only if `value` or the result is a promise. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** A generator that waits with `yield* waitFor(…)`, like an async function with `await`. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>

export function* waitFor<T>(value: MaybePromise<T>): Steps<T> {
  return (value instanceof Promise ? yield value : value) as T
}

/** Runs `steps` and returns the result; a promise only if the steps waited for a promise. */
export function runSteps<T>(steps: Steps<T>): MaybePromise<T> {
  const { done, value } = steps.next()
  return done ? value : resultAfter(steps, value)
}

async function resultAfter<T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> {
  for (let awaited = first; ; ) {
    const { done, value } = await awaited.then(
      (result) => steps.next(result),
      (error) => steps.throw(error),
    )
    if (done) return value
    awaited = value
  }
}
