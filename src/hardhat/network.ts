/** The hooks of connections: each connection to a network of the type `preseal` has a devnet, which answers its requests. */
import type { EdrNetworkConfig } from 'hardhat/types/config'
import type { HookContext, NetworkHooks } from 'hardhat/types/hooks'
import type { NetworkConnection } from 'hardhat/types/network'
import { keccak256 } from '../crypto/keccak.ts'
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
  /** Connections that have sent a request: other plugins have completed them. */
  const opened = new WeakMap<Connection, Opened>()
  const opening = new WeakMap<Connection, Promise<Opened>>()

  // Hooks of other plugins may send requests before `newConnection` below goes on.
  const open = (context: HookContext, connection: Connection): Promise<Opened> => {
    const before = opening.get(connection)
    if (before !== undefined) return before
    const promise = openOne(context, connection)
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
        opened.set(connection, one)
        hashWithWasm(connection)
      }
      return { jsonrpc: '2.0', id: request.id, result: await one.answer(request) }
    },

    async closeConnection(context, connection, next) {
      await next(context, connection)
      await (await opening.get(connection))?.devnet.close()
    },
  }
}

/** The member `ethers` that hardhat-ethers adds to connections. */
interface Ethers {
  readonly keccak256?: { register?(hash: typeof keccak256): void }
}

/** Makes ethers hash in WebAssembly. Its own hash function takes a twentieth of the time of OpenZeppelin's tests. */
function hashWithWasm(connection: Connection & { readonly ethers?: Ethers }): void {
  try {
    connection.ethers?.keccak256?.register?.(keccak256)
  } catch {
    // The project has locked the function (`keccak256.lock()`).
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
