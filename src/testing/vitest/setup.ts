/**
 * What vitest's `globalSetup` names, as `preseal/vitest/setup`: one port for all workers of a run, with chains of their own at
 * `/c/<name>`, all forks of the same base. It runs where vitest itself cannot be imported.
 */
import type { Devnet, ServeOptions } from '../../index.ts'
import type { Values } from '../fixture.ts'
import { type Basis, fixtureOf } from './basis.ts'
import type { SharedPort } from './sharedPort.ts'

/** As much of a project of vitest as is needed. */
interface Project {
  provide(key: 'preseal', value: SharedPort): void
}

/**
 * For a file that `globalSetup` names: `export default setup(market, { port: 8545 })`, where options of a devnet can stand in
 * place of the fixture. Chains are under the manual clock, and the port is a free one, unless something else is said.
 */
export function setup<V extends Values = void>(
  basis: Basis<V> = {},
  options: ServeOptions = {},
): (project: Project) => Promise<() => Promise<void>> {
  return async (project) => {
    const { serveChains } = await import('../../index.ts')
    const { devnet }: { devnet: Devnet } = await fixtureOf(basis).use({ rhythm: options.rhythm })
    // Chains are forks of where it is now.
    const server = await serveChains(devnet, options).finally(() => devnet.close())
    project.provide('preseal', { url: server.url, webSocketUrl: server.webSocketUrl })
    return () => server.close()
  }
}

/** For `globalSetup: 'preseal/vitest/setup'`: chains with nothing on them. */
export default setup()
