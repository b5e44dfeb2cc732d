import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Address, toHex } from '../../src/bytes/hex.ts'
import { type AccountChange, State } from '../../src/state/state.ts'
import { ReferenceWorld } from '../support/chains/accounts.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const ALICE: Address = '0x00000000000000000000000000000000000a11ce'
const BOB: Address = '0x0000000000000000000000000000000000000b0b'

describe('State.root', () => {
  it(
    'is that of @ethereumjs/statemanager after any changes, and stays so for old states',
    withRandom(async (random) => {
      const addresses = random.list(12, () => random.hex(20))
      const theirs = new ReferenceWorld()
      const existing = new Set<Address>()
      const past: { state: State; root: string }[] = []
      let state = State.empty
      for (let block = 0; block < 60; block++) {
        const changes = random.list(random.below(6), () => randomChange(random, random.pick(addresses)))
        state = state.with(changes)
        for (const change of changes) await apply(theirs, existing, change)
        past.push({ state, root: await theirs.root() })
        // Half of the roots are asked for only when newer states exist.
        if (random.chance(0.5)) expect(state.root()).toBe(past.at(-1)!.root)
        expect(new Set([...state.records()].map(({ address }) => address))).toEqual(existing)
      }
      for (const { state, root } of past.reverse()) expect(state.root()).toBe(root)
    }),
  )

  // Mainnet's own constant: keccak(rlp('')).
  it('of the empty world is that of the empty trie', () => {
    expect(State.empty.root()).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
  })

  it('does not depend on the way that led to a world', () => {
    const short = State.empty.with([{ address: ALICE, balance: 5n, storage: [[1n, 2n]] }])
    const long = State.empty
      .with([{ address: BOB, balance: 1n, storage: [[7n, 7n]] }])
      .with([
        {
          address: ALICE,
          nonce: 9n,
          code: Uint8Array.of(1),
          storage: [
            [1n, 1n],
            [3n, 3n],
          ],
        },
      ])
      .with([
        { address: BOB, deleted: true },
        {
          address: ALICE,
          nonce: 0n,
          balance: 5n,
          code: new Uint8Array(),
          storage: [
            [1n, 2n],
            [3n, 0n],
          ],
        },
      ])
    expect(long.root()).toBe(short.root())
  })
})

describe('a state', () => {
  it('has storage at an account as long as one of its slots is not zero', () => {
    expect(State.empty.hasStorage(ALICE)).toBe(false)
    const written = State.empty.with([
      { address: ALICE, storage: [[1n, 2n]] },
      { address: BOB, nonce: 1n },
    ])
    expect([ALICE, BOB].map((address) => written.hasStorage(address))).toEqual([true, false])
    expect(written.with([{ address: ALICE, storage: [[1n, 0n]] }]).hasStorage(ALICE)).toBe(false)
    expect(written.with([{ address: ALICE, storageCleared: true }]).hasStorage(ALICE)).toBe(false)
  })

  it('answers for accounts, code and slots that were never written', () => {
    expect(State.empty.account(ALICE)).toBeUndefined()
    expect(State.empty.code(ALICE)).toEqual(new Uint8Array())
    expect(State.empty.storage(ALICE, 1n)).toBe(0n)
    const state = State.empty.with([{ address: ALICE, nonce: 1n }])
    expect(state.storage(ALICE, 1n)).toBe(0n)
    expect(state.account(ALICE)).toMatchObject({ nonce: 1n, balance: 0n })
  })

  it('never changes when a later one is made from it', () => {
    const first = State.empty.with([
      { address: ALICE, balance: 1n, code: Uint8Array.of(1), storage: [[1n, 1n]] },
    ])
    const root = first.root()
    first
      .with([
        {
          address: ALICE,
          balance: 2n,
          code: Uint8Array.of(2),
          storage: [
            [1n, 2n],
            [2n, 2n],
          ],
        },
      ])
      .root()
    first.with([{ address: ALICE, deleted: true }]).root()
    expect(first.account(ALICE)?.balance).toBe(1n)
    expect(first.code(ALICE)).toEqual(Uint8Array.of(1))
    expect([first.storage(ALICE, 1n), first.storage(ALICE, 2n)]).toEqual([1n, 0n])
    expect(first.root()).toBe(root)
  })

  it('is the same one after no changes and after the deletion of what is not there', () => {
    const state = State.empty.with([{ address: ALICE, balance: 1n }])
    expect(state.with([])).toBe(state)
    expect(state.with([{ address: BOB, deleted: true }])).toBe(state)
  })

  it('keeps what a change does not name', () => {
    const before = State.empty.with([
      { address: ALICE, nonce: 1n, balance: 2n, code: Uint8Array.of(3), storage: [[4n, 5n]] },
    ])
    const after = before.with([{ address: ALICE, balance: 9n }])
    expect(after.account(ALICE)).toMatchObject({ nonce: 1n, balance: 9n })
    expect(after.code(ALICE)).toEqual(Uint8Array.of(3))
    expect(after.storage(ALICE, 4n)).toBe(5n)
  })

  it('hashes code with keccak-256', () => {
    const state = State.empty.with([{ address: ALICE, code: Uint8Array.of(0x60, 0x01) }, { address: BOB }])
    expect(toHex(state.account(ALICE)!.codeHash)).toBe(keccak256('0x6001'))
    expect(toHex(state.account(BOB)!.codeHash)).toBe(keccak256('0x'))
  })

  it('forgets all slots before it sets new ones when storage is cleared', () => {
    const before = State.empty.with([
      {
        address: ALICE,
        storage: [
          [1n, 1n],
          [2n, 2n],
        ],
      },
    ])
    const after = before.with([{ address: ALICE, storageCleared: true, storage: [[2n, 3n]] }])
    expect([after.storage(ALICE, 1n), after.storage(ALICE, 2n)]).toEqual([0n, 3n])
    expect(after.with([{ address: ALICE, storageCleared: true }]).record(ALICE)?.slots).toBeUndefined()
  })

  it('forgets an account before it makes a new one when one change does both', () => {
    const before = State.empty.with([
      { address: ALICE, nonce: 1n, balance: 2n, code: Uint8Array.of(3), storage: [[4n, 5n]] },
    ])
    const after = before.with([{ address: ALICE, deleted: true, balance: 7n }])
    const fresh = State.empty.with([{ address: ALICE, balance: 7n }])
    expect(after.root()).toBe(fresh.root())
  })

  it('applies several changes of one account in their order', () => {
    const start = State.empty.with([{ address: ALICE, storage: [[1n, 1n]] }])
    const root = start.root()
    const state = start.with([
      {
        address: ALICE,
        balance: 1n,
        storage: [
          [1n, 2n],
          [2n, 2n],
        ],
      },
      { address: ALICE, balance: 2n, storage: [[1n, 3n]] },
    ])
    expect(state.account(ALICE)?.balance).toBe(2n)
    expect([state.storage(ALICE, 1n), state.storage(ALICE, 2n)]).toEqual([3n, 2n])
    expect(start.root()).toBe(root)
  })

  it('has an empty storage root again once each slot is zero', () => {
    const state = State.empty
      .with([
        {
          address: ALICE,
          storage: [
            [1n, 1n],
            [2n, 2n],
          ],
        },
      ])
      .with([
        {
          address: ALICE,
          storage: [
            [1n, 0n],
            [2n, 0n],
          ],
        },
      ])
    expect(toHex(state.storageRoot(state.record(ALICE)!))).toBe(State.empty.root())
  })

  it('lists its accounts in the order of their hashed addresses', () => {
    const addresses = Array.from({ length: 40 }, (_, i): Address => `0x${i.toString(16).padStart(40, '0')}`)
    const state = State.empty.with(addresses.map((address) => ({ address, nonce: 1n })))
    const inOrder = [...addresses].sort((a, b) => (keccak256(a) < keccak256(b) ? -1 : 1))
    expect([...state.records()].map(({ address }) => address)).toEqual(inOrder)
  })
})

function randomChange(random: Random, address: Address): AccountChange {
  return {
    address,
    ...(random.chance(0.2) && { deleted: true }),
    ...(random.chance(0.5) && { nonce: random.bigint(64) }),
    ...(random.chance(0.5) && { balance: random.bigint(256) }),
    ...(random.chance(0.3) && { code: random.bytes(random.pick([0, 1, 40, 300])) }),
    ...(random.chance(0.15) && { storageCleared: true }),
    ...(random.chance(0.6) && { storage: random.list(random.below(8), () => randomSlot(random)) }),
  }
}

function randomSlot(random: Random): [slot: bigint, value: bigint] {
  const slot = random.chance(0.9) ? BigInt(random.below(12)) : 2n ** 256n - 1n
  return [slot, random.chance(0.3) ? 0n : random.bigint(256)]
}

/** The same change, operation by operation. */
async function apply(world: ReferenceWorld, existing: Set<Address>, change: AccountChange): Promise<void> {
  const { address, nonce, balance, code, storage } = change
  if (change.deleted) {
    await world.deleteAccount(address)
    existing.delete(address)
    if (nonce === undefined && balance === undefined && code === undefined && storage === undefined) return
  }
  await world.putAccount(address, nonce, balance)
  existing.add(address)
  if (code !== undefined) await world.putCode(address, code)
  if (change.storageCleared) await world.clearStorage(address)
  for (const [slot, value] of storage ?? []) await world.putStorage(address, slot, value)
}
