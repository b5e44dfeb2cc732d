/** The wallets of the browser (EIP-6963): each tells of itself when it is asked for, and is connected when a reader wants it. */
import { signal } from '@preact/signals'
import type { Hex } from '../../bytes/hex.ts'
import { ask, type Wallet, walletOf } from './wallet.ts'

/** The wallets that told of themselves. */
export const wallets = signal<readonly Wallet[]>([])

/** The accounts of the wallets that are connected, by the ids of these. */
export const connected = signal<ReadonlyMap<string, readonly Hex[]>>(new Map())

let isAsked = false

/** Asks for wallets, at the first call. A wallet that comes later tells of itself then. */
export function discoverWallets(): void {
  if (isAsked) return
  isAsked = true
  addEventListener('eip6963:announceProvider', (event) => {
    const wallet = walletOf((event as CustomEvent<unknown>).detail)
    if (wallet === undefined || wallets.value.some(({ id }) => id === wallet.id)) return
    wallets.value = [...wallets.value, wallet]
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
}

/** Connects a wallet: it asks its user which accounts the page may know. Throws an `AnswerError` if the user refuses. */
export async function connect(wallet: Wallet): Promise<readonly Hex[]> {
  const accounts = addressesOf(await ask(wallet, 'eth_requestAccounts'))
  put(wallet, accounts)
  wallet.provider.on?.('accountsChanged', (changed: unknown) => put(wallet, addressesOf(changed)))
  return accounts
}

function put({ id }: Wallet, accounts: readonly Hex[]): void {
  connected.value = new Map(connected.value).set(id, accounts)
}

function addressesOf(answer: unknown): readonly Hex[] {
  return Array.isArray(answer)
    ? answer.filter((one): one is Hex => typeof one === 'string' && /^0x[0-9a-f]{40}$/i.test(one))
    : []
}
