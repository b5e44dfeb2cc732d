/**
 * `preseal/vitest/setup`, for vitest's `globalSetup`: one port for all workers of a test run, with chains at
 * `/c/<name>` that are forks of the same base. It runs in a process in which vitest cannot be imported.
 */
import type { Devnet, ServeOptions } from '../../index.ts'
import { callSite } from '../../model/callSite.ts'
import { reportFolder } from '../../reports/tests/reportPath.ts'
import { type Basis, fixtureOf } from '../basis.ts'
import type { Values } from '../fixture.ts'
import type { SharedPort } from './sharedPort.ts'

/** The members of a vitest project that are used here. */
interface Project {
  provide(key: 'preseal', value: SharedPort): void
}

/**
 * Returns a setup function for a file that `globalSetup` names: `export default setup(market, { port: 8545 })`.
 * Options of a devnet can replace the fixture. By default the chains have the rhythm `manual`, and the port is a free
 * one; they are recorded, for reports of tests that fail, if the environment variable `PRESEAL_REPORT_ON_FAILURE` asks for these.
 */
export function setup<V extends Values = void>(
  basis: Basis<V> = {},
  options: ServeOptions = {},
): (project: Project) => Promise<() => Promise<void>> {
  const site = callSite(setup)
  return async (project) => {
    const { serveChains } = await import('../../index.ts')
    const { devnet }: { devnet: Devnet } = await fixtureOf(basis, site).use({ rhythm: options.rhythm })
    // The chains are forks of the state of the devnet at this call.
    const { reports = reportFolder(undefined) !== undefined } = options
    const server = await serveChains(devnet, { ...options, reports }).finally(() => devnet.close())
    project.provide('preseal', { url: server.url, webSocketUrl: server.webSocketUrl, reports })
    return () => server.close()
  }
}

/** For `globalSetup: 'preseal/vitest/setup'`: chains without a fixture. */
export default setup()
