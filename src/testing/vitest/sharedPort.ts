/** The port that all workers of a test run share, with a chain at each `/c/<name>`. */

/**
 * The result of `inject('preseal')` in a worker. The chains are at `${url}/c/<name>`; each is created at its first
 * request.
 */
export interface SharedPort {
  readonly url: string
  readonly webSocketUrl: string
  /** Whether its chains are recorded, so that there are reports of them. */
  readonly reports: boolean
}

/** A chain of the shared port. */
export interface SharedChain {
  readonly name: string
  readonly url: string
  readonly webSocketUrl: string
}

/** Returns the chain `name`. Throws if the run has no shared port. */
export function chainOf(port: SharedPort | undefined, name: string): SharedChain {
  if (port === undefined) {
    throw new Error("there is no shared port: say `globalSetup: 'preseal/vitest/setup'` in vitest's options")
  }
  const path = `/c/${name}`
  return { name, url: port.url + path, webSocketUrl: port.webSocketUrl + path }
}

/**
 * Resolves to the report of a chain: an HTML document with the heading `title`. Rejects with an `Error` whose message says why there is
 * none.
 */
export async function reportOfChain(port: SharedPort, { url }: SharedChain, title: string): Promise<string> {
  if (!port.reports) throw new Error(NOT_RECORDED)
  const response = await fetch(`${url}/report.html?title=${encodeURIComponent(title.slice(0, MOST_TITLE))}`)
  const text = await response.text()
  if (response.ok) return text
  throw new Error(JSON.parse(text).error.message)
}

const NOT_RECORDED =
  'its chains are recorded if the file of globalSetup says `export default setup(…, { reports: true })`, or the environment of the whole run PRESEAL_REPORT_ON_FAILURE=1'

/** Of a URL, in characters. */
const MOST_TITLE = 1_000

/** Deletes a chain, if it was created. */
export async function endChain({ url }: SharedChain): Promise<void> {
  await fetch(url, { method: 'DELETE' })
}
