/** A transaction of many steps, on any chain. */
import { Store } from '../../../fixtures/contracts/Store.ts'
import { type Chain, dataOf, deploy, send } from '../scenario.ts'

/** Where it can be asked about. */
export interface Traced {
  readonly url: string
  readonly hash: string
}

/** Steps of a round of `Store.loop`, and of the call around them. */
const STEPS_PER_ROUND = 18
const STEPS_AROUND = 94

/** Mines a transaction of at least so many steps of plain arithmetic, and answers its hash. */
export async function transactionOf(chain: Chain, steps: number): Promise<string> {
  const to = await deploy(chain, Store)
  const rounds = BigInt(Math.ceil((steps - STEPS_AROUND) / STEPS_PER_ROUND))
  const from = chain.accounts[0]!.address
  const hash = await send(chain, { from, to, data: dataOf(Store, 'loop', [rounds]), gas: 5_000_000 })
  await chain.mine()
  return hash as string
}
