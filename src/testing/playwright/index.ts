/** The entry point `preseal/playwright`: Playwright's `test` with a devnet for each test, and `expect` with the matchers. */
import { type Expect, expect as withoutMatchers } from '@playwright/test'
import { matchers } from '../matchers/matchers.ts'
import type { DevnetMatchers } from '../matchers/types.ts'
import { testWith } from './testWith.ts'

export type { Basis } from '../basis.ts'
export {
  type DevnetMembers,
  type DevnetTest,
  type DevnetTestOptions,
  type TestOptions,
  testWith,
} from './testWith.ts'

/** Playwright's `test` with a devnet for each test: `test('…', async ({ page, devnet, url }) => { … })`. */
export const test = testWith({})

/** Playwright's `expect` with the matchers. */
export const expect = withoutMatchers.extend(matchers) as Expect

declare global {
  // Playwright takes the types of matchers from here; an extension must repeat its type parameters.
  namespace PlaywrightTest {
    interface Matchers<R, T> extends DevnetMatchers {}
  }
}
