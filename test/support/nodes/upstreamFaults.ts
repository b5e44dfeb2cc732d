/** What goes wrong between a node and who asks it, over HTTP. */
import type { Random } from '../random/random.ts'

interface Arrived {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

export type Payload = Arrived | Arrived[]
/** What a faulty node does with the right answers to a payload. */
type Fault = (answers: object[], isBatch: boolean, random: Random) => Response | Promise<Response>

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), { status, headers })
export const whole = (answers: object[], isBatch: boolean) => (isBatch ? answers : answers[0])
const altered =
  (change: (answers: object[], random: Random) => object[]): Fault =>
  (answers, isBatch, random) =>
    json(whole(change(answers, random), isBatch) ?? [])
const one = (answers: object[], random: Random, change: (answer: object) => object) => {
  const at = random.below(answers.length)
  return answers.map((answer, index) => (index === at ? change(answer) : answer))
}

/** A node that resets, limits, cuts and mixes up, until it is asked once more. */
export const FAULTS: readonly Fault[] = [
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
