/**
 * Values that are there at once or later. A run in an EVM is synchronous unless it pauses or the engine is
 * asynchronous, and a promise takes about as long as a short call: what is there at once is handed on at once.
 */

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>

/** Returns what `next` returns for `value`. Returns a promise only if `value` or the result is one. */
export function whenThere<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Steps that wait for values with `yield* there(…)`, as an async function waits for promises with `await`. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>

/** Returns `value`, in `Steps` that wait for it if it is a promise. */
export function* there<T>(value: MaybePromise<T>): Steps<T> {
  return (value instanceof Promise ? yield value : value) as T
}

/** Returns the result of `steps`. Returns a promise only if the steps waited for one. */
export function resultOf<T>(steps: Steps<T>): MaybePromise<T> {
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
