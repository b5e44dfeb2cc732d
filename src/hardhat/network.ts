/** The hooks of connections: each connection to a network of the type `preseal` has a devnet, which answers its requests. */
import type { HookContext, NetworkHooks } from 'hardhat/types/hooks'
import type { NetworkConnection } from 'hardhat/types/network'
import type { JsonRpcResponse } from 'hardhat/types/providers'
import { createDevnet } from '../devnet/createDevnet.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { expectedAt } from '../solidity/artifacts/project.ts'
import { hardhatError } from './errors.ts'

type Connection = NetworkConnection<string>

export default async (): Promise<Partial<NetworkHooks>> => {
  const devnets = new WeakMap<Connection, Devnet>()
  const opening = new WeakMap<Connection, Promise<Devnet>>()

  // Hooks of other plugins may send requests before `newConnection` below goes on.
  const open = (context: HookContext, connection: Connection): Promise<Devnet> => {
    let devnet = opening.get(connection)
    if (devnet === undefined) {
      devnet = devnetOf(context, connection)
      opening.set(connection, devnet)
      devnet.then((opened) => devnets.set(connection, opened)).catch(() => {})
    }
    return devnet
  }

  return {
    async newConnection(context, next) {
      const connection = await next(context)
      const devnet = isPreseal(connection) ? await open(context, connection) : undefined
      Object.defineProperty(connection, 'preseal', {
        configurable: true,
        get() {
          if (devnet !== undefined) return devnet
          const { networkName, networkConfig } = connection
          throw new TypeError(
            `preseal: expected a network of the type preseal, got ${networkName} of the type ${networkConfig.type}`,
          )
        },
      })
      return connection
    },

    async onRequest(context, connection, request, next) {
      let devnet = devnets.get(connection)
      if (devnet === undefined) {
        if (!isPreseal(connection)) return next(context, connection, request)
        devnet = await open(context, connection)
      }
      try {
        const result = await devnet.provider.request(request)
        return { jsonrpc: '2.0', id: request.id, result } as JsonRpcResponse
      } catch (error) {
        throw hardhatError(error)
      }
    },

    async closeConnection(context, connection, next) {
      await next(context, connection)
      await (await opening.get(connection))?.close()
    },
  }
}

function isPreseal({ networkConfig }: Connection): boolean {
  return (networkConfig.type as string) === 'preseal'
}

async function devnetOf(context: HookContext, { networkConfig, provider }: Connection): Promise<Devnet> {
  if (networkConfig.type === 'http') throw new TypeError('preseal: expected a simulated network')
  const { artifacts } = context.config.paths
  const devnet = await createDevnet({
    ...(expectedAt(artifacts) === undefined ? { artifacts } : {}),
    ...(await networkConfig.devnet?.()),
  })
  devnet.on('message', (message) => {
    provider.emit('message', message)
    provider.emit('notification', message.data)
  })
  return devnet
}
