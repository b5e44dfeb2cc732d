/** A fork beside its network under each hardfork since the merge: 2,000 random transactions, and as many calls. */
import { describe, it } from 'vitest'
import { PROVEN, playBoth } from '../support/chains/playBoth.ts'
import { isAnvilHere } from '../support/nodes/besideAnvil.ts'

const LENGTH = Number(process.env.PRESEAL_TRANSACTIONS ?? 2_000)

const HARDFORKS = ['paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const
const LIMIT_MS = 30 * 60_000

describe.each(['preseal', 'anvil'] as const)('a fork of %s', (kind) => {
  it.skipIf(kind === 'anvil' && !isAnvilHere).each(HARDFORKS)(
    `has the same receipts, logs, traces, accounts and answers after ${LENGTH} random transactions under the rules of %s`,
    (hardfork) => playBoth(kind, hardfork, LENGTH)(),
    LIMIT_MS,
  )
})

it.each(HARDFORKS)(
  `a fork with proofs has the blocks of its network, by their hashes, after ${LENGTH} random transactions under the rules of %s`,
  (hardfork) => playBoth('preseal', hardfork, LENGTH, PROVEN)(),
  LIMIT_MS,
)
