/** A thousand random faults of a node: no answer is lost or assigned to another request. */
import { expect, it } from 'vitest'
import { connectUpstream } from '../../src/upstream/connection.ts'
import type { UpstreamRequest } from '../../src/upstream/upstream.ts'
import { FAULTS, json, type Payload, whole } from '../support/nodes/upstreamFaults.ts'
import { eagerTime, NEVER_MS } from '../support/nodes/upstreamTime.ts'
import { withRandom } from '../support/random/random.ts'

it(
  'loses no answer and gives no wrong one',
  withRandom(async (random) => {
    let faults = 0
    const time = eagerTime(() => random.fraction())
    const upstream = connectUpstream({
      url: 'https://node.example/key',
      time,
      timeoutMs: NEVER_MS,
      retries: 40,
      batchSize: 7,
      fetch: async (_, { body }) => {
        const payload = JSON.parse(String(body)) as Payload
        const isBatch = Array.isArray(payload)
        const answers = [payload].flat().map(({ id, params }) => ({ jsonrpc: '2.0', id, result: params }))
        if (!random.chance(0.6)) return json(whole(answers, isBatch))
        faults++
        return random.pick(FAULTS)(answers, isBatch, random)
      },
    })
    for (let round = 0; faults < 1_000; round++) {
      const sends = random.list(random.between(1, 3), () =>
        random.list(
          random.between(1, 20),
          (): UpstreamRequest => ({ method: 'm', params: [round, random.hex(4)] }),
        ),
      )
      const answers = await Promise.all(sends.map((requests) => upstream.send(requests)))
      expect(answers).toEqual(sends.map((requests) => requests.map(({ params }) => ({ result: params }))))
    }
    upstream.close()
  }),
)
