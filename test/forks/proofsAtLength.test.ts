/** Thousands of random transactions on a chain and on a fork of it with proofs: the same blocks, down to their hashes. */
import { describe, it } from 'vitest'
import { withRandom } from '../support/random.ts'
import { chainAndFork, sameOnBoth } from '../support/sameOnFork.ts'

describe('a chain and a fork of it with proofs', () => {
  it.each(['paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const)(
    'have the same 2,000 transactions and calls, state roots, hashes and proofs under %s',
    (hardfork) =>
      withRandom(async (random) => {
        const chains = await chainAndFork(random, hardfork)
        try {
          await sameOnBoth(random, chains, 2_000)
        } finally {
          await chains.close()
        }
      })(),
  )
})
