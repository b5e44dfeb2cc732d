/** Who sends the transactions of the page's forms: an account for which the devnet signs, or one of a wallet. */
import { computed, signal } from '@preact/signals'
import type { Hex } from '../../bytes/hex.ts'
import { unlocked } from '../accounts/names.ts'
import { base } from '../place.ts'
import { source } from '../source/socketSource.ts'
import { connected, wallets } from './providers.ts'
import { ask, useChain, type Wallet } from './wallet.ts'

export interface Sender {
  readonly address: Hex
  /** `undefined`: the devnet signs. */
  readonly wallet: Wallet | undefined
}

/** All who may send: the accounts of wallets after those of the devnet. */
export const senders = computed<readonly Sender[]>(() => [
  ...unlocked.value.map(({ address }) => ({ address, wallet: undefined })),
  ...wallets.value.flatMap((wallet) =>
    (connected.value.get(wallet.id) ?? []).map((address) => ({ address, wallet })),
  ),
])

/** The key of who was chosen; all forms have the same. */
const chosen = signal('')

/** Who sends; `undefined` while there is nobody. */
export const sender = computed(
  () => senders.value.find((one) => keyOf(one) === chosen.value) ?? senders.value[0],
)

export function keyOf({ address, wallet }: Sender): string {
  return `${wallet?.id ?? ''} ${address}`
}

export function choose(key: string): void {
  chosen.value = key
}

/** A transaction as `eth_sendTransaction` takes it, without its sender. */
export interface Draft {
  readonly to: Hex
  readonly value: Hex
  readonly data: Hex
}

/** Resolves with the gas that a transaction would be given. Rejects with the error of what would fail. */
export function estimated(from: Hex, draft: Draft): Promise<Hex> {
  return source().request('eth_estimateGas', [{ from, ...draft }, 'pending'])
}

/** Sends a transaction, and resolves with its hash. A wallet changes to the devnet's chain first. */
export async function send({ address: from, wallet }: Sender, draft: Draft): Promise<Hex> {
  if (wallet === undefined) return source().request('eth_sendTransaction', [{ from, ...draft }])
  const chainId = await source().request<Hex>('eth_chainId')
  await useChain(wallet, chainId, `${location.origin}${base || '/'}`)
  const hash = await ask(wallet, 'eth_sendTransaction', [{ from, ...draft }])
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash))
    throw new Error(`${wallet.name} answered with no hash of a transaction`)
  return hash as Hex
}
