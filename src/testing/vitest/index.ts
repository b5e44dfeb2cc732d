/** What test suites import as `preseal/vitest`. Importing it teaches vitest's `expect` the matchers. */
import { expect } from 'vitest'
import { matchers } from '../matchers/matchers.ts'
import { tracedInVitest } from '../matchers/traced.ts'
import type { DevnetMatchers } from '../matchers/types.ts'
import type { SharedPort } from './sharedPort.ts'
import { testWith } from './testWith.ts'

export type { Basis } from './basis.ts'
export type { DevnetClient } from './client.ts'
export type { SharedChain, SharedPort } from './sharedPort.ts'
export { type ContextWith, type DevnetContext, type TestOptions, testWith } from './testWith.ts'
export { expect }

expect.extend(tracedInVitest(matchers))

/** vitest's `test` with a devnet of its own: `test('…', async ({ devnet, accounts, client }) => { … })`. */
export const test = testWith({})
export const it = test

declare module 'vitest' {
  interface ProvidedContext {
    preseal: SharedPort
  }
}

declare global {
  // vitest 3, 4 and 5 take what chai's assertions have. Their own interfaces have other type parameters in each of them, and
  // must be extended with the same ones.
  namespace Chai {
    interface Assertion extends DevnetMatchers {}
  }
}
