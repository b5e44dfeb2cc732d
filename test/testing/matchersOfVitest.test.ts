import { expect, it } from 'vitest'
import type { Verdict } from '../../src/testing/matchers/verdict.ts'
import { matchersOfVitest } from '../../src/testing/vitest/matchersOfVitest.ts'

it('returns promises by their class, which vitest 3.0 takes for asynchronous', async () => {
  const { toHold } = matchersOfVitest({
    toHold: async (_given: never): Promise<Verdict> => ({ pass: true, message: () => 'held' }),
  })
  const result = toHold.call({} as never, undefined as never)
  expect(result).toBeInstanceOf(Promise)
  expect(await result).toMatchObject({ pass: true })
})
