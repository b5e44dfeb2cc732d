import type { Devnet } from 'preseal'
import { expect } from 'preseal/vitest'

/** An assertion of a suite's own, in a file of its own. */
export async function expectTotal(devnet: Devnet, vault: object, total: bigint): Promise<void> {
  const read = await devnet.read({ ...vault, functionName: 'total' } as never)
  expect(read).toBe(total)
}
