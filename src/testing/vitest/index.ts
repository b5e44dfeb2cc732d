/** The entry point `preseal/vitest`. Importing it adds the matchers to vitest's `expect`. */
import { expect } from 'vitest'
import { type DevnetMatchers, MATCHERS } from '../matchers/matchers.ts'
import { matchersOfVitest } from './matchersOfVitest.ts'
import type { SharedPort } from './setup.ts'
import { testWith } from './testWith.ts'

export type { Basis } from '../fixture.ts'
export { expectEveryStory } from './expectEveryStory.ts'
export type { SharedChain, SharedPort } from './setup.ts'
export {
  type ContextWith,
  type DevnetClient,
  type DevnetContext,
  type TestOptions,
  testWith,
} from './testWith.ts'
export { expect }

expect.extend(matchersOfVitest(MATCHERS))

/** vitest's `test` with a devnet for each test: `test('…', async ({ devnet, accounts, client }) => { … })`. */
export const test = testWith({})
export const it = test

declare module 'vitest' {
  interface ProvidedContext {
    preseal: SharedPort
  }
}

declare global {
  // vitest 3, 4 and 5 include chai's types. The type parameters of vitest's own types differ between versions.
  namespace Chai {
    interface Assertion extends DevnetMatchers {}
  }
}
