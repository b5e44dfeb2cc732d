/** A thousand random faults of a node lose no answer, and no answer is another request's. */
import { expect, it } from 'vitest'
import { connectUpstream } from '../../src/upstream/connectUpstream.ts'
import type { UpstreamRequest } from '../../src/upstream/upstream.ts'
import { type Random, withRandom } from '../support/random.ts'
import { eagerTime, NEVER_MS } from '../support/upstreamTime.ts'

interface Arrived {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

type Payload = Arrived | Arrived[]
/** What a faulty node does with the right answers to a payload. */
type Fault = (answers: object[], isBatch: boolean, random: Random) => Response | Promise<Response>

const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), { status, headers })
const whole = (answers: object[], isBatch: boolean) => (isBatch ? answers : answers[0])
const altered =
  (change: (answers: object[], random: Random) => object[]): Fault =>
  (answers, isBatch, random) =>
    json(whole(change(answers, random), isBatch) ?? [])
const one = (answers: object[], random: Random, change: (answer: object) => object) => {
  const at = random.below(answers.length)
  return answers.map((answer, index) => (index === at ? change(answer) : answer))
}

const FAULTS: readonly Fault[] = [
  () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })),
  () => Promise.reject(Object.assign(new TypeError('terminated'), { cause: { code: 'UND_ERR_SOCKET' } })),
  (_, __, random) => new Response('busy', { status: random.pick([408, 429, 500, 502, 503, 504, 522]) }),
  (_, __, random) => new Response('', { status: 429, headers: { 'retry-after': String(random.below(20)) } }),
  () => new Response('<html><body>One moment</body></html>'),
  () => new Response(''),
  () => json(null),
  () => json({ jsonrpc: '2.0', id: null, error: { code: -32005, message: 'limit' } }),
  (answers, isBatch, random) => {
    const text = JSON.stringify(whole(answers, isBatch))
    return new Response(text.slice(0, random.below(text.length)))
  },
  altered((answers, random) =>
    one(answers, random, (answer) => ({ ...answer, id: random.below(1000) - 2000 })),
  ),
  altered((answers, random) =>
    one(answers, random, (answer) => ({ ...answer, id: String((answer as Arrived).id) })),
  ),
  altered((answers, random) => answers.filter(() => random.chance(0.7))),
  altered((answers, random) => [
    ...answers,
    { ...answers[random.below(answers.length)], result: 'of another' },
  ]),
  altered((answers, random) => one(answers, random, ({ ...answer }) => ({ ...answer, result: undefined }))),
  altered((answers, random) =>
    one(answers, random, (answer) => ({
      id: (answer as Arrived).id,
      error: { code: -32005, message: 'rate limit' },
    })),
  ),
  altered((answers, random) =>
    one(answers, random, (answer) => ({ id: (answer as Arrived).id, error: 'text' })),
  ),
  altered((answers) => [...answers].reverse()),
]

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
