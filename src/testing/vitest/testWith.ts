/** vitest's `test`, each with a devnet of its own. */
import { test as base, inject, type TestAPI } from 'vitest'
import type { DevelopmentAccount, Devnet, DevnetOptions } from '../../index.ts'
import { namesOf, requireOptions } from '../../model/knownNames.ts'
import type { Used, Values } from '../fixture.ts'
import { inUse } from '../matchers/inUse.ts'
import { type Basis, fixtureOf } from './basis.ts'
import { clientOf, type DevnetClient } from './client.ts'
import { chainOf, endChain, type SharedChain } from './sharedPort.ts'
import { type Ended, explainTimeout } from './timedOut.ts'

/** What a test may ask for. What it does not ask for costs nothing. */
export interface DevnetContext {
  /** A fork that nobody else sees, of what the file's tests begin with. It is closed when the test ends. */
  readonly devnet: Devnet
  /** Those of the devnet. */
  readonly accounts: readonly DevelopmentAccount[]
  /** viem's client of the devnet, for its first account. Reads see what is pre-confirmed. */
  readonly client: DevnetClient
  /** Another chain, of the port that `setup` shares; made when it is first asked, and gone when the test ends. */
  readonly chain: SharedChain
}

/** What the tests of `testWith(basis)` get: with the values of a fixture, which come first. */
export type ContextWith<V extends Values> = Omit<DevnetContext, keyof V> &
  (V extends object ? V : unknown) & {
    /** All of the fixture, for those whose names vitest wants to know beforehand: other fixtures. */
    readonly fixture: Used<V>
  }

export interface TestOptions {
  /** What makes blocks; by default what the fixture or the options say, or nothing but commands (`manual`). */
  readonly rhythm?: DevnetOptions['rhythm']
}

/**
 * A `test` whose devnets begin with `basis`: `testWith(market)` with a fixture, whose values come as context, too;
 * `testWith({ profile: 'base-flashblocks' })` with options.
 */
export function testWith<V extends Values = void>(
  basis: Basis<V>,
  options: TestOptions = {},
): TestAPI<ContextWith<V>> {
  requireOptions('testWith', options, TEST_OPTIONS)
  const { rhythm } = options
  const fixture = fixtureOf(basis)
  return base.extend<Record<string, unknown>>({
    fixture: [
      async ({ task }: { task: { context: object } & Ended }, use: Use) => {
        const used = await fixture.use({ rhythm })
        const { devnet, ...values } = used
        try {
          bring(values, task.context, fixture.name)
          inUse.add(devnet)
          await use(used)
          await explainTimeout(task, devnet)
          // vitest keeps the contexts of all tests of a file, and with them would keep all their chains.
          for (const name of [...NAMES, ...Object.keys(values)]) Reflect.deleteProperty(task.context, name)
        } finally {
          inUse.delete(devnet)
          await devnet.close()
        }
      },
      // Without values there is nothing that a test could need and not name.
      { auto: typeof basis === 'function' },
    ],
    devnet: async ({ fixture }: { fixture: Context }, use: Use) => use(fixture.devnet),
    accounts: async ({ fixture }: { fixture: Context }, use: Use) =>
      use(fixture.accounts ?? fixture.devnet.accounts),
    client: async ({ fixture }: { fixture: Context }, use: Use) =>
      use(fixture.client ?? (await clientOf(fixture.devnet))),
    chain: async ({ fixture, task }: { fixture: Context; task: { id: string } }, use: Use) => {
      if (fixture.chain !== undefined) return use(fixture.chain)
      const chain = chainOf(inject('preseal'), task.id)
      await use(chain)
      await endChain(chain)
    },
  }) as unknown as TestAPI<ContextWith<V>>
}

const TEST_OPTIONS = namesOf<TestOptions>({ rhythm: true })

const NAMES = ['fixture', 'devnet', 'accounts', 'client', 'chain']

/** What vitest gives each test. */
const OF_VITEST = new Set(['annotate', 'expect', 'onTestFailed', 'onTestFinished', 'signal', 'skip', 'task'])

/**
 * Makes `values` part of a test's context: vitest wants the names of all fixtures before there are any values, and these names
 * nobody knows before. Throws a `TypeError` where one of them would take something from the test.
 */
function bring(values: object, context: object, fixture: string): void {
  const taken = Object.keys(values).find((name) => OF_VITEST.has(name))
  if (taken !== undefined) {
    const hint = 'as is what vitest gives each test; give it another name'
    throw new TypeError(`fixture ${fixture}: a value is called "${taken}", ${hint}`)
  }
  for (const [name, value] of Object.entries(values)) {
    // Not by assignment: the context is a function, whose `name` can be no value otherwise.
    Object.defineProperty(context, name, { value, configurable: true, enumerable: true, writable: true })
  }
}

type Use = (value: unknown) => Promise<void>
/** What a fixture answers; some of its values may have the names of ours. */
type Context = { readonly devnet: Devnet } & Partial<Record<keyof DevnetContext, unknown>>
