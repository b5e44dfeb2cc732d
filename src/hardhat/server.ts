/** `hre.network.createServer` for networks of the type `preseal`. Hardhat's own refuses networks of other types than its own. */
import { existsSync } from 'node:fs'
import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre'
import type { Listener } from '../server/port.ts'

/** Adds networks of the type `preseal` to those for which `hre.network` creates servers. */
export function serveDevnets({ network, config, globalOptions }: HardhatRuntimeEnvironment): void {
  const { createServer } = network
  network.createServer = async (params, hostname, port = 0) => {
    const { network: name = globalOptions.network ?? 'default' } =
      typeof params === 'string' ? { network: params } : (params ?? {})
    const served = config.networks[name]
    if (served === undefined || !('devnet' in served)) return createServer(params, hostname, port)
    const connection = await network.create(params)
    let end = () => {}
    const closed = new Promise<void>((resolve) => {
      end = resolve
    })
    let listener: Listener | undefined
    return {
      async listen() {
        listener ??= await connection.preseal.listen({ port, host: hostOr(hostname) })
        return { address: listener.host, port: listener.port }
      },
      async close() {
        await listener?.close()
        await connection.close()
        end()
      },
      afterClosed: () => closed,
    }
  }
}

/** Returns `hostname`; by default this machine alone, and in Docker all interfaces, as in Hardhat. */
export function hostOr(hostname: string | undefined): string {
  return hostname ?? (existsSync('/.dockerenv') ? '0.0.0.0' : '127.0.0.1')
}
