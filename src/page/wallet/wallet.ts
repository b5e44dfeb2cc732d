/** Communicates with wallets in the browser: announcements (EIP-6963) and requests (EIP-1193). */
import type { Hex } from '../../bytes/hex.ts'
import { AnswerError } from '../source/source.ts'

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
export async function ask(wallet: Wallet, method: string, params: readonly unknown[] = []): Promise<unknown> {
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
