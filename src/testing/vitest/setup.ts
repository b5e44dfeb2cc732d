/**
 * `preseal/vitest/setup`, for vitest's `globalSetup`: one port for all workers of a test run, with chains at
 * `/c/<name>` that are forks of the same base. It runs in a process in which vitest cannot be imported.
 */
import type { Devnet, ServeOptions } from '../../index.ts'
import { callSite } from '../../model/api/callSite.ts'
import { reportFolder } from '../../reports/tests/reportPath.ts'
import { type Basis, basisOf, type Values } from '../fixture.ts'

/** The result of `inject('preseal')` in a worker. The chains `${url}/c/<name>` are created at their first request. */
export interface SharedPort {
  readonly url: string
  readonly webSocketUrl: string
  /** Whether its chains are recorded, which reports of them need. */
  readonly reports: boolean
}

/** One of the chains on the shared port. */
export interface SharedChain {
  readonly name: string
  readonly url: string
  readonly webSocketUrl: string
}

/** The members of a vitest project that are used here. */
interface Project {
  provide(key: 'preseal', value: SharedPort): void
}

/**
 * Returns a setup function for a file that `globalSetup` names: `export default setup(market, { port: 8545 })`.
 * Options of a devnet can replace the fixture. By default the chains have the rhythm `manual`, and the port is a free
 * one; they are recorded, for reports of tests that fail, if the environment variable `PRESEAL_REPORT_ON_FAILURE` asks for them.
 */
export function setup<V extends Values = void>(
  basis: Basis<V> = {},
  options: ServeOptions = {},
): (project: Project) => Promise<() => Promise<void>> {
  const site = callSite(setup)
  return async (project) => {
    const { serveChains } = await import('../../index.ts')
    const { devnet }: { devnet: Devnet } = await basisOf(basis, site).use({ rhythm: options.rhythm })
    // The chains are forks of the state of the devnet at this call.
    const { reports = reportFolder(undefined) !== undefined } = options
    const server = await serveChains(devnet, { ...options, reports }).finally(() => devnet.close())
    project.provide('preseal', { url: server.url, webSocketUrl: server.webSocketUrl, reports })
    return () => server.close()
  }
}

/** For `globalSetup: 'preseal/vitest/setup'`: chains without a fixture. */
export default setup()

/** Returns the chain `name`. Throws if the run has no shared port. */
export function chainOf(port: SharedPort | undefined, name: string): SharedChain {
  if (port === undefined) {
    throw new Error(
      "there is no shared port: set `globalSetup: 'preseal/vitest/setup'` in vitest's configuration",
    )
  }
  const path = `/c/${name}`
  return { name, url: port.url + path, webSocketUrl: port.webSocketUrl + path }
}

/** Resolves to the report of a chain, HTML with the heading `title`. Rejects with an `Error` that says why there is none. */
export async function reportOfChain(port: SharedPort, { url }: SharedChain, title: string): Promise<string> {
  if (!port.reports) throw new Error(NOT_RECORDED)
  const response = await fetch(`${url}/report.html?title=${encodeURIComponent(title.slice(0, MOST_TITLE))}`)
  const text = await response.text()
  if (response.ok) return text
  throw new Error(JSON.parse(text).error.message)
}

const NOT_RECORDED =
  'its chains are not recorded: write `export default setup(…, { reports: true })` in the file of globalSetup, or set PRESEAL_REPORT_ON_FAILURE=1 for the whole run'

/** The maximum length of the title in the URL of a report, in characters. */
const MOST_TITLE = 1_000

/** Deletes a chain, if it was created. */
export async function endChain({ url }: SharedChain): Promise<void> {
  await fetch(url, { method: 'DELETE' })
}
