/**
 * A fork beside its network: the same random transactions in the same blocks, and the same calls. `PRESEAL_TRANSACTIONS=5000`
 * plays more than usual.
 */
import { describe, it } from 'vitest'
import { PROVEN, playBoth } from '../support/chains/playBoth.ts'
import { isAnvilHere } from '../support/nodes/besideAnvil.ts'

const LENGTH = Number(process.env.PRESEAL_TRANSACTIONS ?? 30)

describe.each(['preseal', 'anvil'] as const)('a fork of %s', (kind) => {
  it.skipIf(kind === 'anvil' && !isAnvilHere)(
    `has the same receipts, logs, traces, accounts and answers after ${LENGTH} random transactions`,
    playBoth(kind, 'osaka', LENGTH),
  )
})

it(
  `a fork with proofs has the blocks of its network, by their hashes, after ${LENGTH} random transactions`,
  playBoth('preseal', 'osaka', LENGTH, PROVEN),
)
