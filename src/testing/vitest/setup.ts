/**
 * `preseal/vitest/setup`, for vitest's `globalSetup`: serves one port for all workers of a test run, with chains at
 * `/c/<name>` that are forks of the same base. It runs in a process in which vitest cannot be imported.
 */
import type { Devnet, ServeOptions } from '../../index.ts'
import { callSite } from '../../model/api/callSite.ts'
import { REPORTS, type VitestTest } from '../failureReports.ts'
import { type Basis, basisOf, type Values } from '../fixture.ts'

/** The result of `inject('preseal')` in a worker. A chain `${url}/c/<name>` is created by the first request to it. */
export interface SharedPort {
  readonly url: string
  readonly webSocketUrl: string
  /** Whether the chains of the port are recorded, which their reports require. */
  readonly reports: boolean
}

/** One of the chains on the shared port. */
export interface SharedChain {
  readonly name: string
  readonly url: string
  readonly webSocketUrl: string
}

interface Project {
  provide(key: 'preseal', value: SharedPort): void
}

/**
 * Returns a setup function for a file that `globalSetup` names: `export default setup(market, { port: 8545 })`. `basis`
 * is a fixture, or options of a devnet. Defaults: the rhythm `manual`, a free port, and recording for reports of failed
 * tests if the environment variable `PRESEAL_REPORT_ON_FAILURE` requests them.
 */
export function setup<V extends Values = void>(
  basis: Basis<V> = {},
  options: ServeOptions = {},
): (project: Project) => Promise<() => Promise<void>> {
  const site = callSite(setup)
  return async (project) => {
    const { serveChains } = await import('../../index.ts')
    const { devnet }: { devnet: Devnet } = await basisOf(basis, site).use({ rhythm: options.rhythm })
    // All chains are forks of the state that `devnet` has now, so `devnet` can be closed afterwards.
    const { reports = REPORTS?.areWanted() ?? false } = options
    const server = await serveChains(devnet, { ...options, reports }).finally(() => devnet.close())
    project.provide('preseal', { url: server.url, webSocketUrl: server.webSocketUrl, reports })
    return () => server.close()
  }
}

/** Serves chains without a fixture, for `globalSetup: 'preseal/vitest/setup'`. */
export default setup()

/** @internal */
export function chainOf(port: SharedPort | undefined, name: string): SharedChain {
  if (port === undefined) {
    throw new Error(
      "there is no shared port: set `globalSetup: 'preseal/vitest/setup'` in vitest's configuration",
    )
  }
  const path = `/c/${name}`
  return { name, url: port.url + path, webSocketUrl: port.webSocketUrl + path }
}

/** @internal Passes the chain of `test` to `use`, then deletes the chain on the server. `devnet`: that of `test`. */
export async function useChain(
  port: SharedPort | undefined,
  test: VitestTest,
  devnet: Devnet,
  use: (chain: SharedChain) => Promise<void>,
): Promise<void> {
  const chain = chainOf(port, test.id)
  await use(chain)
  await REPORTS?.takeChain(devnet, test, { url: chain.url, isRecorded: port!.reports })
  await fetch(chain.url, { method: 'DELETE' })
}
