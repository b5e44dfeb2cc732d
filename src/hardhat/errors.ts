/** Errors of a devnet as Hardhat's plugins recognize them. */
import { ProviderRpcError } from '../rpc/provider.ts'

/** Marks an error of a request as one of Hardhat's provider. Other errors stay unchanged. */
export function hardhatError(error: unknown): unknown {
  if (error instanceof ProviderRpcError) Object.defineProperty(error, '_isProviderError', { value: true })
  return error
}
