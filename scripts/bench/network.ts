import { latency } from './network/latency.ts'
import { unasked } from './network/unasked.ts'
import type { Row, Thoroughness } from './row.ts'

export default async function* network(thoroughness: Thoroughness): AsyncGenerator<Row> {
  yield* latency(thoroughness)
  yield* unasked(thoroughness)
}
