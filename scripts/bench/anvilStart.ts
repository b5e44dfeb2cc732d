/** How long anvil takes from its spawn to its first answer that ran a contract's code. Nothing of ours is measured here. */
import { Store } from '../../fixtures/contracts/Store.ts'
import { summary } from './measure.ts'
import { ANVIL_IS_ABSENT, startAnvil } from './peers/anvil.ts'
import type { Row, Thoroughness } from './row.ts'

const WHAT = 'anvil, from its spawn to its first answer to an eth_call over HTTP'

export async function* anvilStart(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const rounds = thoroughness === 'full' ? 15 : 1
  const microseconds: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const took = await startOnce()
    if (took === undefined) {
      yield { what: WHAT, skipped: ANVIL_IS_ABSENT.absent }
      return
    }
    // In the first round the binary is read from the disk, and Node loads its `fetch`.
    if (round > 0) microseconds.push(took)
  }
  yield { what: WHAT, ours: summary(microseconds), unit: 'microseconds' }
}

/** Creation code of a contract runs without a contract being there. */
const CALL = { data: Store.bytecode }

async function startOnce(): Promise<number | undefined> {
  const anvil = await startAnvil()
  if (anvil === undefined) return undefined
  try {
    const started = performance.now()
    await anvil.request({ method: 'eth_call', params: [CALL, 'latest'] })
    return (anvil.startMs + performance.now() - started) * 1000
  } finally {
    await anvil.stop()
  }
}
