/** The port that all workers of a run share: chains of their own at `/c/<name>`. */

/** What workers get by `inject('preseal')`: chains are at `${url}/c/<name>`, made when they are asked for the first time. */
export interface SharedPort {
  readonly url: string
  readonly webSocketUrl: string
}

/** A chain of the shared port. */
export interface SharedChain extends SharedPort {
  readonly name: string
}

/** The chain called `name`. Throws where nothing is shared. */
export function chainOf(port: SharedPort | undefined, name: string): SharedChain {
  if (port === undefined) {
    throw new Error("there is no shared port: say `globalSetup: 'preseal/vitest/setup'` in vitest's options")
  }
  const path = `/c/${name}`
  return { name, url: port.url + path, webSocketUrl: port.webSocketUrl + path }
}

/** Ends a chain, if anybody asked for it. */
export async function endChain({ url }: SharedChain): Promise<void> {
  await fetch(url, { method: 'DELETE' })
}
