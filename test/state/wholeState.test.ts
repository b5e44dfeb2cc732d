/** Whole states: how they differ, and how one becomes another. */
import { describe, expect, it } from 'vitest'
import type { GenesisAccount } from '../../src/model/block/genesis.ts'
import { type AccountChange, State } from '../../src/state/state.ts'
import {
  type AccountDifference,
  accountsIn,
  differences,
  stateWithAccounts,
} from '../../src/state/wholeState.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const ADDRESSES = Array.from({ length: 12 }, (_, i) => `0x${`${i}`.padStart(40, '0')}` as const)

/** Random accounts that have much in common with earlier ones. */
function randomAccounts(random: Random): GenesisAccount[] {
  return ADDRESSES.filter(() => random.chance(0.7)).map((address) => ({
    address,
    nonce: BigInt(random.below(3)),
    balance: BigInt(random.below(3)),
    code: random.pick([new Uint8Array(), Uint8Array.of(1), Uint8Array.of(1, 2)]),
    storage: [0n, 1n, 2n, 2n ** 200n]
      .filter(() => random.chance(0.5))
      .map((slot) => [slot, BigInt(random.between(1, 2))] as const),
  }))
}

function toChange({ address, isDeleted, code, ...difference }: AccountDifference): AccountChange {
  if (isDeleted) return { address, deleted: true }
  return { address, ...difference, ...(code === undefined ? {} : { code: code.bytes }) }
}

describe('the differences between two states', () => {
  it(
    'make the one of the other, and name nothing that is the same',
    withRandom((random) => {
      for (let i = 0; i < 150; i++) {
        const before = State.empty.with(randomAccounts(random))
        const after = random.chance(0.5)
          ? State.empty.with(randomAccounts(random))
          : stateWithAccounts(before, randomAccounts(random))
        const found = [...differences(before, after)]
        expect(accountsIn(before.with(found.map(toChange)))).toEqual(accountsIn(after))
        for (const { address, isDeleted, nonce, balance, code, storage } of found) {
          const [was, is] = [before.record(address), after.record(address)]
          expect(isDeleted).toBe(is === undefined)
          if (is === undefined) continue
          expect([nonce === undefined, balance === undefined]).toEqual([
            is.nonce === (was?.nonce ?? 0n),
            is.balance === (was?.balance ?? 0n),
          ])
          expect(code === undefined).toBe(String(is.code) === String(was?.code ?? new Uint8Array()))
          for (const [slot, value] of storage) {
            expect(after.storage(address, slot)).toBe(value)
            expect(before.storage(address, slot)).not.toBe(value)
          }
        }
      }
    }),
  )

  it(
    'are none where they are equal, however they came about',
    withRandom((random) => {
      const accounts = randomAccounts(random)
      const [one, other] = [State.empty.with(accounts), State.empty.with(accounts.toReversed())]
      expect([...differences(one, other)]).toEqual([])
      expect([...differences(one, one)]).toEqual([])
    }),
  )
})

describe('a state that is said as a whole', () => {
  it(
    'is just that, whatever it is made from',
    withRandom((random) => {
      let state = State.empty
      for (let i = 0; i < 100; i++) {
        const accounts = randomAccounts(random)
        state = stateWithAccounts(state, accounts)
        expect(state.root()).toBe(State.empty.with(accounts).root())
      }
    }),
  )

  it('shares with the other what is the same', () => {
    const accounts = ADDRESSES.map((address) => ({
      address,
      nonce: 0n,
      balance: 5n,
      code: Uint8Array.of(1),
      storage: [[1n, 1n]] as const,
    }))
    const before = State.empty.with(accounts)
    expect(stateWithAccounts(before, structuredClone(accounts))).toBe(before)
    const richer = stateWithAccounts(before, [{ ...accounts[0]!, balance: 6n }, ...accounts.slice(1)])
    expect(richer.record(ADDRESSES[0]!)!.code).toBe(before.record(ADDRESSES[0]!)!.code)
    expect(richer.record(ADDRESSES[1]!)).toBe(before.record(ADDRESSES[1]!))
  })
})
