/**
 * Whether a cost grows with what the chain holds: each is measured with a thousand accounts and with a million, after a
 * hundred blocks and after a hundred thousand, by turns.
 *
 * What is asked about is drawn from all there is, in an order that no cache foresees: "any account" of a million is one
 * that was not asked for lately. Where only some are asked for again and again the row says so.
 */
import { compareByAccounts } from './growthByAccounts.ts'
import { compareByBlocks } from './growthByBlocks.ts'
import type { Row, Thoroughness } from './row.ts'

export async function* growth(thoroughness: Thoroughness): AsyncGenerator<Row> {
  if (thoroughness === 'full') {
    const how = { effort: { rounds: 11, roundMs: 60 }, prepared: 200_000 }
    yield* compareByAccounts({ large: 1_000_000, small: 1_000, ...how })
    yield* compareByBlocks({ large: 100_000, small: 100, ...how })
  } else {
    const how = { effort: { rounds: 2, roundMs: 3 }, prepared: 5_000 }
    yield* compareByAccounts({ large: 20_000, small: 1_000, ...how })
    yield* compareByBlocks({ large: 1_000, small: 100, ...how })
  }
}
