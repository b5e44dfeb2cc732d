/**
 * The devnets of running tests. A matcher that gets only a hash finds its devnet among them. Each is removed when its
 * test ends.
 */
import type { Devnet } from '../../index.ts'

export const inUse: Set<Devnet> = new Set()

/**
 * Returns the first result of `decode` for the ABIs of `devnet`, or for those of the devnets in use if it is
 * undefined.
 */
export async function decodedByOne<T>(
  devnet: Devnet | undefined,
  decode: (abis: Devnet['abis']) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const { abis } of devnet === undefined ? inUse : [devnet]) {
    const decoded = await decode(abis)
    if (decoded !== undefined) return decoded
  }
  return undefined
}
