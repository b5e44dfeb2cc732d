import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { toHex, toWord } from '../../src/bytes/hex.ts'
import type { GenesisAccount } from '../../src/model/block/genesis.ts'
import { State } from '../../src/state/state.ts'
import { accountsIn } from '../../src/state/wholeState.ts'
import { type Random, withRandom } from '../support/random/random.ts'

function randomAccount(random: Random): GenesisAccount {
  const slots = new Set(random.list(random.chance(0.5) ? 0 : 5, () => random.bigint(256)))
  return {
    address: random.hex(20),
    balance: random.bigint(100),
    nonce: random.bigint(30),
    code: random.bytes(random.pick([0, 0, 1, 60])),
    storage: [...slots].map((slot) => [slot, random.bigint(255) + 1n] as const),
  }
}

const byHash = (a: `0x${string}`, b: `0x${string}`) => (keccak256(a) < keccak256(b) ? -1 : 1)

describe('the accounts in a state', () => {
  it(
    'are those that were put there, in the order of their hashed addresses, slots in the order of theirs',
    withRandom((random) => {
      for (let i = 0; i < 20; i++) {
        const accounts = random.list(random.below(12), () => randomAccount(random))
        const sorted = accounts
          .toSorted((a, b) => byHash(a.address, b.address))
          .map((account) => ({
            ...account,
            storage: account.storage.toSorted(([a], [b]) => byHash(toHex(toWord(a)), toHex(toWord(b)))),
          }))
        expect(accountsIn(State.empty.with(accounts))).toEqual(sorted)
      }
    }),
  )

  it(
    'make the same state again',
    withRandom((random) => {
      for (let i = 0; i < 10; i++) {
        const state = State.empty.with(random.list(10, () => randomAccount(random)))
        expect(State.empty.with(accountsIn(state)).root()).toBe(state.root())
      }
    }),
  )

  it('are without what was deleted, and without slots that were cleared', () => {
    const [gone, left] = [`0x${'01'.repeat(20)}`, `0x${'02'.repeat(20)}`] as const
    const account = { balance: 1n, nonce: 0n, code: new Uint8Array() }
    const storage = [
      [1n, 1n],
      [2n, 2n],
    ] as const
    const state = State.empty.with([gone, left].map((address) => ({ address, ...account, storage }))).with([
      { address: gone, deleted: true },
      { address: left, storage: [[1n, 0n]] },
    ])
    expect(accountsIn(state)).toEqual([{ address: left, ...account, storage: [[2n, 2n]] }])
    expect(accountsIn(State.empty)).toEqual([])
  })
})
