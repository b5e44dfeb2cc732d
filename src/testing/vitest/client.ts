/** The viem client of a devnet: public, wallet and test actions. */
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

/**
 * viem's public, wallet and test client in one, for the first account of the devnet. Reads use the pre-confirmed
 * state.
 */
export type DevnetClient = Client<
  Transport,
  Chain,
  JsonRpcAccount,
  undefined,
  TestActions & PublicActions<Transport, Chain, JsonRpcAccount> & WalletActions<Chain, JsonRpcAccount>
>

/** Returns a viem client of `devnet`. Rejects if viem is not installed. */
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
    // A cached value may be outdated at once: blocks follow within milliseconds.
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions) as unknown as DevnetClient
}

/** A poll takes microseconds, so a short interval costs little and saves waiting. */
const POLLING_MS = 1

function chainOf({ settings }: Devnet): Chain {
  return {
    id: settings.chainId,
    name: 'preseal',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    contracts: { multicall3: { address: '0xca11bde05977b3631167028862be2a173976ca11' } },
    // Makes viem read `pending` by default, and poll for receipts at this interval.
    experimental_preconfirmationTime: POLLING_MS,
  }
}
