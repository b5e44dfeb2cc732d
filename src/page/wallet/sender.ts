/** The accounts that can send transactions: the devnet signs for some, browser wallets (EIP-6963) for others. */
import { computed, signal } from '@preact/signals'
import type { Hex } from '../../bytes/hex.ts'
import { unlocked } from '../accounts/names.ts'
import { rpcUrl } from '../environment.ts'
import { request } from '../source/source.ts'
import { ask, useChain, type Wallet, walletOf } from './wallet.ts'

export const wallets = signal<readonly Wallet[]>([])

export const connected = signal<ReadonlyMap<string, readonly Hex[]>>(new Map())

let isAsked = false

/** Asks wallets to announce themselves. Wallets that load later do so without being asked. */
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

/** Requests the accounts of a wallet, which asks the user. Throws `AnswerError` if the user refuses. */
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

export interface Sender {
  readonly address: Hex
  /** `undefined` if the devnet signs. */
  readonly wallet: Wallet | undefined
}

export const senders = computed<readonly Sender[]>(() => [
  ...unlocked.value.map(({ address }) => ({ address, wallet: undefined })),
  ...wallets.value.flatMap((wallet) =>
    (connected.value.get(wallet.id) ?? []).map((address) => ({ address, wallet })),
  ),
])

/** The result of `keyOf` for the chosen sender. All forms share this choice. */
const chosen = signal('')

/** The chosen sender, by default the first. `undefined` if no account can send. */
export const sender = computed(
  () => senders.value.find((one) => keyOf(one) === chosen.value) ?? senders.value[0],
)

export function keyOf({ address, wallet }: Sender): string {
  return `${wallet?.id ?? ''} ${address}`
}

export function choose(key: string): void {
  chosen.value = key
}

/** A transaction for `eth_sendTransaction`, without `from`. */
export interface Draft {
  readonly to: Hex
  readonly value: Hex
  readonly data: Hex
  /** If absent, the devnet or the wallet estimates the gas, and refuses a transaction that would fail. */
  readonly gas?: Hex
}

/** Sends a transaction. Resolves to its hash. A wallet is first switched to the devnet's chain. */
export async function send({ address: from, wallet }: Sender, draft: Draft): Promise<Hex> {
  if (wallet === undefined) return request('eth_sendTransaction', [{ from, ...draft }])
  const chainId = await request<Hex>('eth_chainId')
  await useChain(wallet, chainId, rpcUrl())
  const hash = await ask(wallet, 'eth_sendTransaction', [{ from, ...draft }])
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash))
    throw new Error(`${wallet.name} did not return a transaction hash`)
  return hash as Hex
}
