/** Those who ask a devnet: plainly, or as users of viem do. */
import {
  createClient,
  custom,
  defineChain,
  encodeDeployData,
  type Hex,
  http,
  publicActions,
  type Transport,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { onTestFinished } from 'vitest'
import { Token } from '../../../fixtures/contracts/Token.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../../src/index.ts'

export const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`

/** A devnet with default options, as viem knows chains. */
export const devnetChain = defineChain({
  id: 31337,
  name: 'preseal',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
  contracts: { multicall3: { address: '0xca11bde05977b3631167028862be2a173976ca11' } },
})

/** A devnet that is closed when the test ends. */
export async function started(options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await createDevnet(options)
  onTestFinished(() => devnet.close())
  return devnet
}

/** Asks one question; answers what a node's `result` would be. */
export async function ask<T = unknown>(devnet: Devnet, method: string, ...params: unknown[]): Promise<T> {
  return (await devnet.request({ method, params })) as T
}

/**
 * viem's transport to a devnet in the same process. Without `retryCount: 0` viem asks a custom provider again, for a
 * second, after each error whose code it does not know: 3 (a revert in the dialect `geth`) and 4444 among them.
 */
export function inProcess(devnet: Devnet): Transport {
  return custom(devnet, { retryCount: 0 })
}

/** viem's public and wallet client in one, for the devnet's account at `index`, whose key viem holds. */
export function clientOf(devnet: Devnet, index = 0, transport: Transport = inProcess(devnet)) {
  const account = privateKeyToAccount(devnet.accounts[index]!.privateKey)
  return createClient({ account, chain: devnetChain, transport, pollingInterval: 20, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
}

export type Client = ReturnType<typeof clientOf>

/** An account with nothing, that no devnet knows. Its checksummed form is the same. */
export const STRANGER = '0x0000000000000000000000000000000000005555' as const

/** How viem reaches a devnet. */
export interface Way {
  readonly name: string
  connect(devnet: Devnet): Promise<Transport>
}

export const WAYS: readonly Way[] = [
  {
    name: 'over HTTP',
    connect: async (devnet) => http((await devnet.listen({ port: 0 })).url, { retryCount: 0 }),
  },
  {
    name: 'over HTTP in batches',
    connect: async (devnet) => http((await devnet.listen()).url, { batch: true }),
  },
  { name: 'in process', connect: async (devnet) => devnet.transport() },
]

/** A devnet that makes a block of each transaction, and the client of its first account. */
export async function connected(way: Way, options: DevnetOptions = {}) {
  const devnet = await started({ rhythm: 'instant', ...options })
  const transport = await way.connect(devnet)
  return { devnet, transport, client: clientOf(devnet, 0, transport) }
}

/** Deploys and waits for it. */
export async function deploy(client: Client, { bytecode }: { bytecode: Hex }): Promise<Hex> {
  const hash = await client.sendTransaction({ data: bytecode })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  return contractAddress!
}

/** Deploys the token of the fixtures. */
export function deployToken(client: Client): Promise<Hex> {
  return deploy(client, { bytecode: encodeDeployData({ ...Token, args: ['Gold', 'GOLD'] }) })
}
