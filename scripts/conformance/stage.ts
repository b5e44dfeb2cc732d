/** A devnet with the chain of a suite. */
import { createDevnet, type Devnet } from '../../src/index.ts'
import type { Dialect } from './deviations.ts'
import type { Suite } from './suite.ts'

/** The imported chain has another head than the suite's, so that every answer would differ. */
export class WrongHead extends Error {}

/** Imports the chain and checks its heads. The chain does not change afterwards. */
export async function stage({ genesis, chain, heads }: Suite, dialect: Dialect): Promise<Devnet> {
  const devnet = await createDevnet({
    genesis,
    dialect,
    rhythm: 'manual',
    safeDistance: 0,
    finalizedDistance: 0,
  })
  await devnet.import(chain)
  for (const [tag, hash] of Object.entries(heads)) {
    const block = await devnet.request({ method: 'eth_getBlockByNumber', params: [tag, false] })
    const got = (block as { hash: string } | null)?.hash
    if (got !== hash) throw new WrongHead(`expected ${tag} to be block ${hash} of headfcu.json, got ${got}`)
  }
  return devnet
}
