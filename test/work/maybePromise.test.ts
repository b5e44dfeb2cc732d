import { describe, expect, it } from 'vitest'
import { type MaybePromise, resultOf, type Steps, there, whenThere } from '../../src/work/maybePromise.ts'

describe('whenThere', () => {
  it('returns the next value at once if the first is there', () => {
    expect(whenThere(2, (n) => n + 1)).toBe(3)
  })

  it('returns a promise of the next value if the first is a promise', async () => {
    const next = whenThere(Promise.resolve(2), (n) => n + 1)
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
        total += yield* there(value)
      } catch {
        total--
      }
    }
    return total
  }

  it('have their result at once if all that they wait for is there', () => {
    expect(resultOf(sum([1, 2, 3]))).toBe(6)
    expect(resultOf(sum([]))).toBe(0)
  })

  it('have a promise of it if they wait for one, whichever', async () => {
    for (const values of [
      [Promise.resolve(1), 2, 3],
      [1, Promise.resolve(2), Promise.resolve(3)],
    ]) {
      const result = resultOf(sum(values))
      expect(result).toBeInstanceOf(Promise)
      expect(await result).toBe(6)
    }
  })

  it('can catch what a promise is rejected with', async () => {
    expect(await resultOf(sum([1, Promise.reject(new Error('no')), Promise.resolve(5)]))).toBe(5)
  })

  it('throw what they throw, or reject with it once they have waited', async () => {
    const failure = new Error('failed')
    function* failing(first: MaybePromise<number>): Steps<never> {
      yield* there(first)
      throw failure
    }
    expect(() => resultOf(failing(1))).toThrow(failure)
    await expect(resultOf(failing(Promise.resolve(1)))).rejects.toBe(failure)
  })
})
