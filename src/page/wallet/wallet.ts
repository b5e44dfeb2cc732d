/** The accounts that can send transactions: the devnet signs for some, wallets of the browser (EIP-6963) for others. */

import { computed, signal } from '@preact/signals'
import type { Hex } from '../../bytes/hex.ts'
import { unlocked } from '../accounts/names.ts'
import { AnswerError, request } from '../source/source.ts'

interface Provider {
  request(request: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (value: never) => void): unknown
}

/** A wallet. `name` is untrusted text. */
export interface Wallet {
  readonly id: string
  readonly name: string
  readonly provider: Provider
}

export function walletOf(detail: unknown): Wallet | undefined {
  const { info, provider } = (detail ?? {}) as {
    info?: Record<string, unknown>
    provider?: Partial<Provider>
  }
  const { uuid, name } = info ?? {}
  if (typeof uuid !== 'string' || typeof name !== 'string' || typeof provider?.request !== 'function')
    return undefined
  return { id: uuid, name, provider: provider as Provider }
}

/** Error code of a wallet that does not know the chain (EIP-3085, EIP-3326). */
const UNKNOWN_CHAIN = 4902

/** Switches the wallet to the devnet's chain. If the wallet does not know the chain, adds it with the RPC URL `url`. */
export async function useChain(wallet: Wallet, chainId: Hex, url: string): Promise<void> {
  const now = await ask(wallet, 'eth_chainId')
  if (Number(now) === Number(chainId)) return
  try {
    await ask(wallet, 'wallet_switchEthereumChain', [{ chainId }])
  } catch (error) {
    if (!(error instanceof AnswerError) || error.code !== UNKNOWN_CHAIN) throw error
    await ask(wallet, 'wallet_addEthereumChain', [
      {
        chainId,
        chainName: `preseal ${Number(chainId)}`,
        rpcUrls: [url],
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      },
    ])
    await ask(wallet, 'wallet_switchEthereumChain', [{ chainId }])
  }
  const then = await ask(wallet, 'eth_chainId')
  if (Number(then) !== Number(chainId))
    throw new Error(
      `${wallet.name} is on the chain ${Number(then)}: expected ${Number(chainId)}, that of this devnet`,
    )
}

/** Sends a request to a wallet. Throws `AnswerError` with the wallet's code, message and any revert data. */
async function ask(wallet: Wallet, method: string, params: readonly unknown[] = []): Promise<unknown> {
  try {
    return await wallet.provider.request({ method, params })
  } catch (error) {
    throw asAnswerError(error)
  }
}

export function asAnswerError(thrown: unknown): AnswerError {
  const { code, message, data } = (thrown ?? {}) as { code?: unknown; message?: unknown; data?: unknown }
  return new AnswerError({
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : 'the wallet refused without a reason',
    data: bytesIn(data),
  })
}

/** Returns the revert data in an error. Wallets wrap errors of the node, so the data may be nested. */
function bytesIn(data: unknown, depth = 0): unknown {
  if (typeof data !== 'object' || data === null) return data
  if (depth > 3) return undefined
  const { data: inner, originalError, cause } = data as Record<string, unknown>
  return bytesIn(inner, depth + 1) ?? bytesIn(originalError, depth + 1) ?? bytesIn(cause, depth + 1)
}

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

/** Sends a transaction. Resolves to its hash. A wallet is first switched to the devnet's chain, at `url`. */
export async function send({ address: from, wallet }: Sender, draft: Draft, url: string): Promise<Hex> {
  if (wallet === undefined) return request('eth_sendTransaction', [{ from, ...draft }])
  const chainId = await request<Hex>('eth_chainId')
  await useChain(wallet, chainId, url)
  const hash = await ask(wallet, 'eth_sendTransaction', [{ from, ...draft }])
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash))
    throw new Error(`${wallet.name} did not return a transaction hash`)
  return hash as Hex
}
