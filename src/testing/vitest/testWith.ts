import type {
  Chain,
  Client,
  JsonRpcAccount,
  PublicActions,
  TestActions,
  Transport,
  WalletActions,
} from 'viem'
import { test as base, inject, type TestAPI } from 'vitest'
import type { DevelopmentAccount, Devnet, DevnetOptions } from '../../index.ts'
import { namesOf, requireOptions } from '../../model/api/arguments.ts'
import { callSite } from '../../model/api/callSite.ts'
import { REPORTS, type VitestTest } from '../failureReports.ts'
import { type Basis, basisOf, type Used, type Values } from '../fixture.ts'
import { explained } from '../matchers/outcome.ts'
import { inUse } from '../matchers/verdict.ts'
import { type SharedChain, useChain } from './setup.ts'

/** The context of a test. Only the members that the test names are created. */
export interface DevnetContext {
  /** A devnet for this test only, forked from the basis of the file's tests. It is closed when the test ends. */
  readonly devnet: Devnet
  /** The development accounts of the devnet. */
  readonly accounts: readonly DevelopmentAccount[]
  /** A viem client of the devnet, for its first account. It reads the pre-confirmed state. */
  readonly client: DevnetClient
  /** A chain for this test only, on the port that `setup` shares. It is created by the first request to it. */
  readonly chain: SharedChain
}

/** The context of tests: the values of the fixture, which take precedence, and the members of `DevnetContext`. */
export type ContextWith<V extends Values> = Omit<DevnetContext, keyof V> &
  (V extends object ? V : unknown) & {
    /** The result of `fixture.use()`. The name is fixed, because vitest must know names of fixtures in advance. */
    readonly fixture: Used<V>
  }

export interface TestOptions {
  /** The rhythm of the devnets. By default that of the fixture or of the options in `basis`, otherwise `manual`. */
  readonly rhythm?: DevnetOptions['rhythm']
  /**
   * Whether a failed test leaves an HTML report of each chain. A string is the folder of the reports; with `true` the
   * folder is `preseal-reports`. By default the environment variable `PRESEAL_REPORT_ON_FAILURE` decides in this way.
   */
  readonly reportOnFailure?: boolean | string | undefined
}

/**
 * Returns a `test` whose devnets begin with `basis`: a fixture, as in `testWith(market)`, whose values become
 * members of the context; or options, as in `testWith({ profile: 'base-flashblocks' })`.
 */
export function testWith<V extends Values = void>(
  basis: Basis<V>,
  options: TestOptions = {},
): TestAPI<ContextWith<V>> {
  requireOptions('testWith', options, TEST_OPTIONS, testWith)
  const { rhythm, reportOnFailure } = options
  const fixture = basisOf(basis, callSite(testWith))
  return base.extend<Record<string, unknown>>({
    fixture: [
      async ({ task }: { task: VitestTest & Ended }, use: Use) => {
        const report = REPORTS?.ofVitest(reportOnFailure)
        const used = await fixture.use({ rhythm }).catch(async (error) => {
          await report?.end()
          throw error
        })
        const { devnet, ...values } = used
        try {
          bring(values, task.context, fixture.name)
          inUse.add(devnet)
          await report?.begin(devnet)
          await use(used)
          await explainTimeout(task, devnet)
          await report?.write(task)
          // vitest keeps the contexts of a file's tests. Without these members, a context keeps no chain in memory.
          for (const name of [...NAMES, ...Object.keys(values)]) Reflect.deleteProperty(task.context, name)
        } finally {
          await report?.end()
          inUse.delete(devnet)
          await devnet.close()
        }
      },
      // Every test uses a fixture, because vitest cannot know which values a test names. Devnets are created on demand,
      // unless tests are reported: an exploration belongs to a test that has begun.
      { auto: typeof basis === 'function' || REPORTS?.areWanted(reportOnFailure) === true },
    ],
    devnet: async ({ fixture }: { fixture: Context }, use: Use) => use(fixture.devnet),
    accounts: async ({ fixture }: { fixture: Context }, use: Use) =>
      use(fixture.accounts ?? fixture.devnet.accounts),
    client: async ({ fixture }: { fixture: Context }, use: Use) =>
      use(fixture.client ?? (await clientOf(fixture.devnet))),
    chain: async ({ fixture, task }: { fixture: Context; task: VitestTest }, use: Use) =>
      fixture.chain === undefined
        ? useChain(inject('preseal'), task, fixture.devnet, use)
        : use(fixture.chain),
  }) as unknown as TestAPI<ContextWith<V>>
}

const TEST_OPTIONS = namesOf<TestOptions>({ rhythm: true, reportOnFailure: true })

const NAMES = ['fixture', 'devnet', 'accounts', 'client', 'chain']

const OF_VITEST = new Set(['annotate', 'expect', 'onTestFailed', 'onTestFinished', 'signal', 'skip', 'task'])

/** Adds `values` to the context of a test. Throws a `TypeError` if vitest's context has a member of the same name. */
function bring(values: object, context: object, fixture: string): void {
  const taken = Object.keys(values).find((name) => OF_VITEST.has(name))
  if (taken !== undefined) {
    const hint = 'like a member of the context of vitest; give it another name'
    throw new TypeError(`fixture ${fixture}: a value is named "${taken}", ${hint}`)
  }
  for (const [name, value] of Object.entries(values)) {
    // A plain assignment would fail for `name`: the context is a function, whose property `name` is read-only.
    Object.defineProperty(context, name, { value, configurable: true, enumerable: true, writable: true })
  }
}

type Use = (value: unknown) => Promise<void>
/** The result of a fixture. Its values may have the names of context members. */
type Context = { readonly devnet: Devnet } & Partial<Record<keyof DevnetContext, unknown>>

const TIMED_OUT = /^Test timed out/

interface Ended {
  readonly result?: { readonly errors?: readonly { message: string }[] | undefined } | undefined
}

/** If a test timed out, adds to its message which transaction of `devnet` waits, and why. */
async function explainTimeout({ result }: Ended, devnet: Devnet): Promise<void> {
  const error = result?.errors?.find(({ message }) => TIMED_OUT.test(message))
  if (error === undefined) return
  // `whatWaits` rejects if the test has closed the devnet.
  const reason = await whatWaits(devnet).catch(() => undefined)
  if (reason !== undefined) error.message += `\n${reason}`
}

async function whatWaits(devnet: Devnet): Promise<string | undefined> {
  const [waiting] = (await devnet.faultlessRequest('eth_pendingTransactions')) as readonly { hash: string }[]
  const open = (await devnet.faultlessRequest('eth_getBlockByNumber', ['pending', false])) as {
    readonly transactions: readonly string[]
  }
  const hash = waiting?.hash ?? open.transactions[0]
  if (hash === undefined) return undefined
  const { status, reason } = await explained(devnet, hash)
  if (status === 'waiting') return `The transaction ${hash} is in no block: ${reason}`
  return status === 'preconfirmed' && devnet.settings.rhythm === 'manual'
    ? `The transaction ${hash} is in no sealed block: ${reason}, on request: devnet.tick(), devnet.mine(), evm_mine`
    : undefined
}

/** viem's public, wallet and test client in one, for the first account. It reads the pre-confirmed state. */
export type DevnetClient = Client<
  Transport,
  Chain,
  JsonRpcAccount,
  undefined,
  TestActions & PublicActions<Transport, Chain, JsonRpcAccount> & WalletActions<Chain, JsonRpcAccount>
>

/** Returns a viem client of `devnet`. Rejects if viem is not installed. */
export async function clientOf(devnet: Devnet): Promise<DevnetClient> {
  const { createTestClient, publicActions, walletActions } = await import('viem').catch((cause) => {
    throw new Error('the client of a test needs viem: npm install --save-dev viem', { cause })
  })
  return createTestClient({
    mode: 'anvil',
    account: devnet.accounts[0]?.address as `0x${string}`,
    chain: viemChain(devnet),
    transport: devnet.transport(),
    pollingInterval: POLLING_MS,
    // A cached value would be outdated at once, because blocks follow within milliseconds.
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions) as unknown as DevnetClient
}

/** The polling interval in milliseconds. It is short, because a poll takes microseconds. */
const POLLING_MS = 1

function viemChain({ settings }: Devnet): Chain {
  return {
    id: settings.chainId,
    name: 'preseal',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    contracts: { multicall3: { address: '0xca11bde05977b3631167028862be2a173976ca11' } },
    // Makes viem read `pending` by default, and poll receipts at this interval.
    experimental_preconfirmationTime: POLLING_MS,
  }
}
