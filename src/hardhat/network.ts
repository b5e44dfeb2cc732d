/** The hooks of connections: each connection to a network of the type `preseal` has a devnet, which answers its requests. */
import type { EdrNetworkConfig } from 'hardhat/types/config'
import type { HookContext, NetworkHooks } from 'hardhat/types/hooks'
import type { NetworkConnection } from 'hardhat/types/network'
import { createDevnet } from '../devnet/createDevnet.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { expectedAt } from '../solidity/artifacts/project.ts'
import { answering } from './answers.ts'
import { balancesOf } from './devnetOptions.ts'

type Connection = NetworkConnection<string>

interface Opened {
  readonly devnet: Devnet
  readonly answer: ReturnType<typeof answering>
}

export default async (): Promise<Partial<NetworkHooks>> => {
  const opened = new WeakMap<Connection, Opened>()
  const opening = new WeakMap<Connection, Promise<Opened>>()

  // Hooks of other plugins may send requests before `newConnection` below goes on.
  const open = (context: HookContext, connection: Connection): Promise<Opened> => {
    const before = opening.get(connection)
    if (before !== undefined) return before
    const promise = openOne(context, connection).then((one) => {
      opened.set(connection, one)
      return one
    })
    opening.set(connection, promise)
    return promise
  }

  return {
    async newConnection(context, next) {
      const connection = await next(context)
      const one = isPreseal(connection) ? await open(context, connection) : undefined
      Object.defineProperty(connection, 'preseal', {
        configurable: true,
        get: () => one?.devnet ?? refuse(connection),
      })
      return connection
    },

    async onRequest(context, connection, request, next) {
      let one = opened.get(connection)
      if (one === undefined) {
        if (!isPreseal(connection)) return next(context, connection, request)
        one = await open(context, connection)
      }
      return { jsonrpc: '2.0', id: request.id, result: await one.answer(request) }
    },

    async closeConnection(context, connection, next) {
      await next(context, connection)
      await (await opening.get(connection))?.devnet.close()
    },
  }
}

function isPreseal({ networkConfig }: Connection): boolean {
  return 'devnet' in networkConfig
}

function refuse({ networkName, networkConfig }: Connection): never {
  const got = `the network ${networkName} of the type ${networkConfig.type}`
  throw new TypeError(`connection.preseal: expected a network of the type preseal, got ${got}`)
}

async function openOne(context: HookContext, connection: Connection): Promise<Opened> {
  const { networkConfig, provider } = connection
  const network: EdrNetworkConfig = { ...(networkConfig as EdrNetworkConfig), type: 'edr-simulated' }
  // Other plugins, such as Ignition, read from the type whether the chain is simulated.
  Object.defineProperty(connection, 'networkConfig', { value: network, enumerable: true })
  const { artifacts } = context.config.paths
  const devnet = await createDevnet({
    ...(expectedAt(artifacts) === undefined ? { artifacts } : {}),
    ...(await network.devnet?.()),
  })
  for (const [i, wei] of balancesOf(network).entries()) {
    await devnet.deal(devnet.accounts[i]!.address, { wei })
  }
  devnet.on('message', (message) => {
    provider.emit('message', message)
    provider.emit('notification', message.data)
  })
  if (network.loggingEnabled) {
    const { EventPrinter } = await import('../cli/eventPrinter.ts')
    const options = { format: 'text', trace: true, consoleLogs: false, requests: 'all' } as const
    new EventPrinter(devnet, options, (line) => console.log(line)).begin()
  }
  return { devnet, answer: answering(devnet, network) }
}
