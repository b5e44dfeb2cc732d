/** viem's client of a devnet, which can do all that viem can: read, write, and steer the chain. */
import type {
  Chain,
  Client,
  JsonRpcAccount,
  PublicActions,
  TestActions,
  Transport,
  WalletActions,
} from 'viem'
import type { Devnet } from '../../index.ts'

/** viem's public, wallet and test client in one, for the devnet's first account. Reads see what is pre-confirmed. */
export type DevnetClient = Client<
  Transport,
  Chain,
  JsonRpcAccount,
  undefined,
  TestActions & PublicActions<Transport, Chain, JsonRpcAccount> & WalletActions<Chain, JsonRpcAccount>
>

/** The client of `devnet`. Rejects where viem is not installed. */
export async function clientOf(devnet: Devnet): Promise<DevnetClient> {
  const { createTestClient, publicActions, walletActions } = await import('viem').catch((cause) => {
    throw new Error('the client of a test is one of viem: npm install --save-dev viem', { cause })
  })
  return createTestClient({
    mode: 'anvil',
    account: devnet.accounts[0]?.address as `0x${string}`,
    chain: chainOf(devnet),
    transport: devnet.transport(),
    pollingInterval: POLLING_MS,
    // What was read a moment ago may be different now.
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions) as unknown as DevnetClient
}

/** Asking costs microseconds, and no test is to wait for the next time. */
const POLLING_MS = 1

function chainOf({ settings }: Devnet): Chain {
  return {
    id: settings.chainId,
    name: 'preseal',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    contracts: { multicall3: { address: '0xca11bde05977b3631167028862be2a173976ca11' } },
    // Reads that name no block ask for `pending`, and receipts are asked for so often.
    experimental_preconfirmationTime: POLLING_MS,
  }
}
