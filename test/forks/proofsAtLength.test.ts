/** Thousands of random transactions on a chain and on a fork of it with proofs: the same blocks, down to their hashes. */
import { describe, it } from 'vitest'
import { chainAndFork, sameOnBoth } from '../support/chains/sameOnFork.ts'
import { withRandom } from '../support/random/random.ts'

/** Ten for each one beside anvil: these are cheaper. */
const LENGTH = 10 * Number(process.env.PRESEAL_TRANSACTIONS ?? 200)

describe('a chain and a fork of it with proofs', { timeout: 600_000 }, () => {
  it.each(['paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const)(
    `have the same ${LENGTH} transactions and calls, state roots, hashes and proofs under %s`,
    (hardfork) =>
      withRandom(async (random) => {
        const chains = await chainAndFork(random, hardfork)
        try {
          await sameOnBoth(random, chains, LENGTH)
        } finally {
          await chains.close()
        }
      })(),
  )
})
