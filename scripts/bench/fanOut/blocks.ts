/** Blocks with something to tell. */
import { Emitter } from '../../../fixtures/contracts/Emitter.ts'
import type { Address } from '../../../src/bytes/hex.ts'
import { addressOf, type Chain, dataOf, deploy, send, topicOf } from '../scenario.ts'

export const LOGS_PER_TRANSACTION = 2

export function deployEmitter(chain: Chain): Promise<Address> {
  return deploy(chain, Emitter)
}

/** Hands so many transactions with logs to the pool, one of each account by turns. */
export async function fill(chain: Chain, emitter: Address, transactions: number): Promise<void> {
  for (let i = 0; i < transactions; i++) await emit(chain, emitter, i)
}

/** Hands transaction `i` to the pool: from one account after the other, and with logs that no other has. */
export async function emit(chain: Chain, emitter: Address, i: number): Promise<void> {
  const { address } = chain.accounts[i % chain.accounts.length]!
  const data = dataOf(Emitter, 'emitMany', [LOGS_PER_TRANSACTION, topicOf(addressOf(i))])
  await send(chain, { from: address, to: emitter, data, gas: 100_000 })
}
