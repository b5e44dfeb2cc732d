/** Devnets of tests that run now, so that a matcher which is given a hash alone knows whom to ask. Left when a test ends. */
import type { Devnet } from '../../index.ts'

export const inUse: Set<Devnet> = new Set()

/** What the ABIs of `devnet`, or of those in use, say that something means. */
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
