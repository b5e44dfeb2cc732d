import { describe, expect, it } from 'vitest'
import { andThen, type MaybePromise, runSteps, type Steps, waitFor } from '../../src/work/maybePromise.ts'

describe('whenThere', () => {
  it('returns the next value at once if the first is there', () => {
    expect(andThen(2, (n) => n + 1)).toBe(3)
  })

  it('returns a promise of the next value if the first is a promise', async () => {
    const next = andThen(Promise.resolve(2), (n) => n + 1)
    expect(next).toBeInstanceOf(Promise)
    expect(await next).toBe(3)
  })
})

describe('steps', () => {
  /** Returns the sum of `values`, and `-1` for each that is rejected. */
  function* sum(values: readonly MaybePromise<number>[]): Steps<number> {
    let total = 0
    for (const value of values) {
      try {
        total += yield* waitFor(value)
      } catch {
        total--
      }
    }
    return total
  }

  it('have their result at once if all that they wait for is there', () => {
    expect(runSteps(sum([1, 2, 3]))).toBe(6)
    expect(runSteps(sum([]))).toBe(0)
  })

  it('have a promise of it if they wait for one, whichever', async () => {
    for (const values of [
      [Promise.resolve(1), 2, 3],
      [1, Promise.resolve(2), Promise.resolve(3)],
    ]) {
      const result = runSteps(sum(values))
      expect(result).toBeInstanceOf(Promise)
      expect(await result).toBe(6)
    }
  })

  it('can catch what a promise is rejected with', async () => {
    expect(await runSteps(sum([1, Promise.reject(new Error('no')), Promise.resolve(5)]))).toBe(5)
  })

  it('throw what they throw, or reject with it once they have waited', async () => {
    const failure = new Error('failed')
    function* failing(first: MaybePromise<number>): Steps<never> {
      yield* waitFor(first)
      throw failure
    }
    expect(() => runSteps(failing(1))).toThrow(failure)
    await expect(runSteps(failing(Promise.resolve(1)))).rejects.toBe(failure)
  })
})
