/** The entry point `preseal/playwright`: a `test` with a devnet for each test, and an `expect` with the matchers. */
import {
  test as base,
  type Expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
  expect as withoutMatchers,
} from '@playwright/test'
import type { DevelopmentAccount, Devnet, DevnetOptions } from '../../index.ts'
import { namesOf, requireOptions } from '../../model/api/arguments.ts'
import { callSite } from '../../model/api/callSite.ts'
import { REPORTS } from '../failureReports.ts'
import { type Basis, basisOf, type Used, type Values } from '../fixture.ts'
import { type DevnetMatchers, matchers } from '../matchers/matchers.ts'
import { inUse } from '../matchers/verdict.ts'

export type { Basis } from '../fixture.ts'

/** Fixtures in addition to Playwright's own. Only those that the test names are created. */
export interface DevnetMembers<V extends Values> {
  /** The values of the fixture on which the test is based, and the devnet. */
  readonly fixture: Used<V>
  /** A devnet for this test only, forked from the basis of the tests. It is closed when the test ends. */
  readonly devnet: Devnet
  /** The development accounts of the devnet. */
  readonly accounts: readonly DevelopmentAccount[]
  /** The URL at which the devnet listens, for the pages of the test. */
  readonly url: string
}

/** Options of tests, for `use` in Playwright's configuration and for `test.use`. */
export interface DevnetTestOptions {
  /** Whether a failed test attaches HTML reports of its chains. By default `PRESEAL_REPORT_ON_FAILURE` decides. */
  readonly reportOnFailure: boolean
}

export interface TestOptions {
  /** The rhythm of the devnets. By default that of the options in `basis`, otherwise `instant`. */
  readonly rhythm?: DevnetOptions['rhythm']
  /**
   * The port on which devnets of the first worker listen from the beginning of each test. Each further worker uses
   * the next higher port. By default, a devnet listens on a free port, and only if the test names `url`.
   */
  readonly port?: number | undefined
}

/** Playwright's `test` with the fixtures and options of devnets. */
export type DevnetTest<V extends Values> = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & DevnetMembers<V> & DevnetTestOptions,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>

/**
 * Returns a `test` whose devnets begin with `basis`: either a fixture, as in `testWith(market)`, or options, as in
 * `testWith({ profile: 'base-flashblocks' })`. A test receives the values of the fixture in its argument `fixture`.
 */
export function testWith<V extends Values = void>(basis: Basis<V>, options: TestOptions = {}): DevnetTest<V> {
  requireOptions('testWith', options, TEST_OPTIONS, testWith)
  const { port, rhythm = rhythmOf(basis) } = options
  const begin = basisOf(basis, callSite(testWith))
  // Playwright finds the fixtures that a function needs in the names of its first parameter's members.
  return base.extend<DevnetMembers<V> & DevnetTestOptions>({
    reportOnFailure: [REPORTS?.areWanted() ?? false, { option: true }],
    fixture: async ({ reportOnFailure }, use, test) => {
      const report = reportOnFailure ? REPORTS?.ofPlaywright() : undefined
      try {
        const used = await begin.use({ rhythm })
        const { devnet } = used
        try {
          inUse.add(devnet)
          await report?.begin(devnet)
          await use(used)
          await report?.write(test)
        } finally {
          inUse.delete(devnet)
          await devnet.close()
        }
      } finally {
        await report?.end()
      }
    },
    devnet: ({ fixture }, use) => use(fixture.devnet),
    accounts: ({ fixture }, use) => use(fixture.devnet.accounts),
    url: [
      async ({ fixture }, use, { parallelIndex }) => {
        const { url } = await fixture.devnet.listen({ port: port === undefined ? 0 : port + parallelIndex })
        await use(url)
      },
      { auto: port !== undefined },
    ],
  })
}

const TEST_OPTIONS = namesOf<TestOptions>({ rhythm: true, port: true })

/** Returns the rhythm in the options of `basis`, or `instant`, because tests do not mine the transactions of pages. */
function rhythmOf(basis: unknown): DevnetOptions['rhythm'] {
  const own = typeof basis === 'object' ? (basis as DevnetOptions).rhythm : undefined
  return own ?? 'instant'
}

/** Playwright's `test` with a devnet for each test: `test('…', async ({ page, devnet, url }) => { … })`. */
export const test = testWith({})

/** Playwright's `expect` with `toRevert`, `toEmit` and the other matchers of preseal. */
export const expect = withoutMatchers.extend(matchers) as Expect

declare global {
  // Playwright takes the types of matchers from this namespace, whose type parameters a declaration must repeat.
  namespace PlaywrightTest {
    interface Matchers<R, T> extends DevnetMatchers {}
  }
}
