/** The port that all workers of a test run share, with a chain at each `/c/<name>`. */

/**
 * The result of `inject('preseal')` in a worker. The chains are at `${url}/c/<name>`; each is created at its first
 * request.
 */
export interface SharedPort {
  readonly url: string
  readonly webSocketUrl: string
}

/** A chain of the shared port. */
export interface SharedChain extends SharedPort {
  readonly name: string
}

/** Returns the chain `name`. Throws if the run has no shared port. */
export function chainOf(port: SharedPort | undefined, name: string): SharedChain {
  if (port === undefined) {
    throw new Error("there is no shared port: say `globalSetup: 'preseal/vitest/setup'` in vitest's options")
  }
  const path = `/c/${name}`
  return { name, url: port.url + path, webSocketUrl: port.webSocketUrl + path }
}

/** Deletes a chain, if it was created. */
export async function endChain({ url }: SharedChain): Promise<void> {
  await fetch(url, { method: 'DELETE' })
}
