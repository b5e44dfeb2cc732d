/** viem as users of Base's Flashblocks have it: with its own chain for it, over HTTP and over WebSocket. */
import { createClient, http, publicActions, type Transport, walletActions, webSocket } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { basePreconf } from 'viem/chains'
import { onTestFinished } from 'vitest'
import type { Devnet, DevnetOptions } from '../../../src/index.ts'
import { started } from './clients.ts'

export const TRANSPORTS = ['HTTP', 'WebSocket'] as const
export type TransportName = (typeof TRANSPORTS)[number]

/** A manual devnet that stands in for Base, under the id that viem's chain has. */
export function startedAsBase(options: DevnetOptions = {}): Promise<Devnet> {
  return started({ profile: 'base-flashblocks', rhythm: 'manual', chainId: basePreconf.id, ...options })
}

/** viem's client of the devnet's account at `index`, on viem's `basePreconf`. Its connection ends with the test. */
export async function preconfirmedClient(devnet: Devnet, transport: TransportName, index = 0) {
  const { url, webSocketUrl } = await devnet.listen({ port: 0 })
  const account = privateKeyToAccount(devnet.accounts[index]!.privateKey)
  const client = createClient({
    account,
    chain: basePreconf,
    transport: (transport === 'HTTP'
      ? http(url, { retryCount: 0 })
      : webSocket(webSocketUrl, { retryCount: 0, reconnect: false })) as Transport,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
  if (transport === 'WebSocket') onTestFinished(async () => (await socketOf(client)).close())
  return client
}

export type PreconfirmedClient = Awaited<ReturnType<typeof preconfirmedClient>>

interface Socket {
  close(): void
}

async function socketOf({ transport }: PreconfirmedClient): Promise<Socket> {
  return (transport as unknown as { getRpcClient(): Promise<Socket> }).getRpcClient()
}

/** Subscribes to a kind for which viem has no name, over a WebSocket. */
export async function subscribe<T>(
  { transport }: PreconfirmedClient,
  params: readonly unknown[],
  onResult: (result: T) => void,
): Promise<void> {
  const { subscribe: over } = transport as unknown as {
    subscribe(wish: { params: readonly unknown[]; onData(data: { result: T }): void }): Promise<unknown>
  }
  await over({ params, onData: ({ result }) => onResult(result) })
}
