/** One thing on two chains of different sizes, by turns. */
import type { Devnet } from '../../src/index.ts'
import { Client, type Question, single } from './http/load.ts'
import { contest, type Effort, race, summary, type Work } from './measure.ts'
import { beside, type Goal, type Measured } from './row.ts'
import { addressOf, quantity } from './scenario.ts'

const GOALS: readonly Goal[] = [{ kind: 'ratioAtMost', ratio: 1.5 }]

/** Odd, and so without a common factor with the sizes, which are powers of ten: steps through all of them. */
export const STRIDE = 7_919

/** How two sizes are compared. */
export interface Comparison {
  readonly large: number
  readonly small: number
  readonly effort: Effort
  /**
   * Questions that are made beforehand: what is measured is the answer. More than the state remembers the hashed keys of
   * (see hashedKey.ts), or none of a million accounts would be one that was not asked for lately.
   */
  readonly prepared: number
}

/** Questions over HTTP, where each round sends them to the client first. */
const PREPARED_OVER_HTTP = 5_000

/** The large one's name first, as in what is compared. */
export type Names = readonly [large: string, small: string]

/** Two pieces of work, the large one's first. */
export async function compared(
  what: string,
  [large, small]: Names,
  works: readonly Work[],
  effort: Effort,
): Promise<Measured> {
  const { timings, ratios } = await race(works, effort)
  return {
    what: `${what}, ${large}`,
    ours: timings[0]!,
    unit: 'microseconds',
    peer: { name: `the same with ${small}`, timing: timings[1]!, ratio: ratios[0]! },
    goals: GOALS,
  }
}

/** Asks one prepared question after the other, and goes on in each round where it was. */
export function inTurn(devnet: Devnet, prepared: number, question: (i: number) => Question): Work {
  const questions = Array.from({ length: prepared }, (_, i) => question(i))
  let asked = 0
  return () => devnet.request(questions[asked++ % prepared]!)
}

/** The same questions as a client of HTTP asks them: one at a time. */
export async function comparedOverHttp(
  what: string,
  [large, small]: Names,
  sides: readonly { readonly devnet: Devnet; question(i: number): Question }[],
  effort: Effort,
): Promise<Measured> {
  const client = new Client()
  const listeners = await Promise.all(sides.map(({ devnet }) => devnet.listen({ port: 0 })))
  try {
    const contenders = sides.map(({ question }, side) => {
      const bodies = Array.from({ length: PREPARED_OVER_HTTP }, (_, i) => single(question(i)))
      const { url } = listeners[side]!
      return client.time({ url, bodies, connections: 1, until: { ms: effort.roundMs } })
    })
    const [own, other] = await contest(contenders, effort.rounds)
    const peer = beside(`the same with ${small}`, own!, other!)
    return {
      what: `${what} over HTTP, ${large}`,
      ours: summary(own!),
      unit: 'microseconds',
      peer,
      goals: GOALS,
    }
  } finally {
    client.close()
    for (const { close } of listeners) await close()
  }
}

/** Sends ten transfers to accounts that `next` numbers, and seals them. */
export function transferring(devnet: Devnet, next: (i: number) => number): Work {
  const senders = devnet.accounts.map(({ address }) => address)
  let sent = 0
  return async () => {
    for (const from of senders) {
      const params = [{ from, to: addressOf(next(sent++)), value: '0x1', gas: quantity(21_000) }] as const
      await devnet.request({ method: 'eth_sendTransaction', params })
    }
    await devnet.mine()
  }
}
