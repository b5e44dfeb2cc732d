/** A wallet of the browser, as it tells of itself (EIP-6963) and is asked (EIP-1193). */
import type { Hex } from '../../bytes/hex.ts'
import { AnswerError } from '../source/source.ts'

interface Provider {
  request(request: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (value: never) => void): unknown
}

/** A wallet. What it tells of itself is text of strangers. */
export interface Wallet {
  readonly id: string
  readonly name: string
  readonly provider: Provider
}

/** Returns the wallet that an announcement tells of; `undefined` for what is none. */
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

/** Unrecognized chain (EIP-3085, EIP-3326): it has to be added. */
const UNKNOWN_CHAIN = 4902

/** Makes the wallet use the chain with this id, which is at `url`. Resolves at once if it does. */
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

/** Requester a wallet. Throws an `AnswerError` with the wallet's code and message, and the data of a revert wherever it has it. */
export async function ask(wallet: Wallet, method: string, params: readonly unknown[] = []): Promise<unknown> {
  try {
    return await wallet.provider.request({ method, params })
  } catch (error) {
    throw asAnswerError(error)
  }
}

/** Returns what a wallet threw as an error of JSON-RPC. */
export function asAnswerError(thrown: unknown): AnswerError {
  const { code, message, data } = (thrown ?? {}) as { code?: unknown; message?: unknown; data?: unknown }
  return new AnswerError({
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : 'the wallet refused without a reason',
    data: bytesIn(data),
  })
}

/** Wallets put what a node answered into members of their own: the data of a revert may be some levels below. */
function bytesIn(data: unknown, depth = 0): unknown {
  if (typeof data !== 'object' || data === null) return data
  if (depth > 3) return undefined
  const { data: inner, originalError, cause } = data as Record<string, unknown>
  return bytesIn(inner, depth + 1) ?? bytesIn(originalError, depth + 1) ?? bytesIn(cause, depth + 1)
}
