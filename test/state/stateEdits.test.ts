import { describe, expect, it } from 'vitest'
import { type Address, toHex } from '../../src/bytes/hex.ts'
import { State } from '../../src/state/state.ts'
import { withPayments } from '../../src/state/stateEdits.ts'
import { ReferenceWorld } from '../support/chains/accounts.ts'
import { withRandom } from '../support/random/random.ts'

const ANYONE: Address = `0x${'aa'.repeat(20)}`
const OTHER: Address = `0x${'bb'.repeat(20)}`

describe('payments', () => {
  it(
    'leave the root that EthereumJS’s state manager has after them, one by one',
    withRandom(async (random) => {
      for (let i = 0; i < 20; i++) {
        const addresses = random.list(4, () => random.hex(20))
        const theirs = new ReferenceWorld()
        let state = State.empty
        for (const address of addresses.slice(0, 2)) {
          const account = { nonce: random.bigint(20), balance: random.bigint(90) + 1n, code: random.bytes(5) }
          state = state.with([{ address, ...account, storage: [[1n, 2n]] }])
          await theirs.putAccount(address, account.nonce, account.balance)
          await theirs.putCode(address, account.code)
          await theirs.putStorage(address, 1n, 2n)
        }
        const payments = random.list(random.below(8), () => {
          const wei = random.chance(0.3) ? 0n : random.bigint(90)
          return [random.pick(addresses), wei] as const
        })
        const balances = new Map<Address, bigint>()
        for (const [address, wei] of payments) {
          const before = balances.get(address) ?? state.account(address)?.balance ?? 0n
          balances.set(address, before + wei)
          if (wei > 0n) await theirs.putAccount(address, undefined, before + wei)
        }
        expect(withPayments(state, payments).root()).toBe(await theirs.root())
      }
    }),
  )

  it('add up where one address gets several', () => {
    const after = withPayments(State.empty, [
      [ANYONE, 1n],
      [OTHER, 5n],
      [ANYONE, 2n],
    ])
    expect([ANYONE, OTHER].map((address) => after.account(address)?.balance)).toEqual([3n, 5n])
  })

  it('of nothing make no account, and change nothing', () => {
    const state = State.empty.with([{ address: OTHER, balance: 1n }])
    expect(withPayments(state, [])).toBe(state)
    expect(withPayments(state, [[ANYONE, 0n]])).toBe(state)
    expect(withPayments(state, [[OTHER, 0n]])).toBe(state)
    const after = withPayments(state, [
      [ANYONE, 0n],
      [OTHER, 1n],
    ])
    expect(after.record(ANYONE)).toBeUndefined()
  })

  it('leave nonce, code and storage as they are, and the state before as it was', () => {
    const account = { nonce: 7n, code: Uint8Array.of(1, 2), storage: [[3n, 4n]] as const }
    const state = State.empty.with([{ address: ANYONE, balance: 10n, ...account }])
    const after = withPayments(state, [[ANYONE, 5n]])
    expect(after.account(ANYONE)).toMatchObject({ nonce: 7n, balance: 15n })
    expect(toHex(after.code(ANYONE))).toBe('0x0102')
    expect(after.storage(ANYONE, 3n)).toBe(4n)
    expect(state.account(ANYONE)?.balance).toBe(10n)
  })
})
