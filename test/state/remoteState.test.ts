import { describe, expect, it } from 'vitest'
import { type Address, EMPTY_BYTES, ZERO_HASH } from '../../src/bytes/hex.ts'
import { prove, storageRange } from '../../src/state/accountReads.ts'
import { readTogether } from '../../src/state/fetchingView.ts'
import { type MissingValue, NotFetched, PartialState } from '../../src/state/remoteState.ts'
import { type AccountChange, EMPTY_CODE_HASH, State } from '../../src/state/state.ts'
import { withPayments } from '../../src/state/stateEdits.ts'
import { whenFetched } from '../../src/state/whenFetched.ts'
import { accountsIn, differences } from '../../src/state/wholeState.ts'
import { remoteOf } from '../support/chains/remoteStates.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const ALICE: Address = '0x00000000000000000000000000000000000a11ce'
const BOB: Address = '0x0000000000000000000000000000000000000b0b'
const SHOP: Address = '0x000000000000000000000000000000000005109e'
const CODE = Uint8Array.of(0x60, 0x00, 0x54)

const NETWORK = State.empty.with([
  { address: ALICE, nonce: 3n, balance: 5n },
  {
    address: SHOP,
    nonce: 1n,
    code: CODE,
    storage: [
      [1n, 11n],
      [2n, 22n],
    ],
  },
])

/** Returns the values that `act` lacked. */
function lackedBy(act: () => unknown): readonly MissingValue[] {
  try {
    act()
  } catch (error) {
    if (error instanceof NotFetched) return error.values
    throw error
  }
  throw new Error('nothing was missing')
}

/** A forked state with `values` fetched. */
async function standing(values: readonly MissingValue[] = []) {
  const both = remoteOf(NETWORK)
  await both.remote.fetch(values)
  both.remote.questions.length = 0
  return both
}

const account = (address: Address): MissingValue => ({ kind: 'account', address })
const slot = (address: Address, slot: bigint): MissingValue => ({ kind: 'slot', address, slot })

describe('a read of a state on a remote one', () => {
  it('throws what is missing, and has it after it was fetched', async () => {
    const { remote, state } = await standing()
    expect(lackedBy(() => state.account(ALICE))).toEqual([account(ALICE)])
    expect(lackedBy(() => state.code(SHOP))).toEqual([account(SHOP)])
    await remote.fetch([account(ALICE), account(SHOP)])
    expect(state.account(ALICE)).toMatchObject({ nonce: 3n, balance: 5n })
    expect(state.code(SHOP)).toEqual(CODE)
  })

  it('of a slot names the account with it, so that one round brings both', async () => {
    const { remote, state } = await standing()
    const values = lackedBy(() => state.storage(SHOP, 1n))
    expect(values).toEqual([account(SHOP), slot(SHOP, 1n)])
    await remote.fetch(values)
    expect(state.storage(SHOP, 1n)).toBe(11n)
    expect(lackedBy(() => state.storage(SHOP, 2n))).toEqual([slot(SHOP, 2n)])
  })

  it('does not ask for slots of an account that does not exist or never had code or a nonce', async () => {
    const network = State.empty.with([{ address: ALICE, balance: 1n }])
    const { remote, state } = remoteOf(network)
    await remote.fetch([account(ALICE), account(BOB)])
    expect(state.account(BOB)).toBeUndefined()
    expect([state.storage(ALICE, 1n), state.storage(BOB, 1n)]).toEqual([0n, 0n])
    expect([state.hasStorage(ALICE), state.hasStorage(BOB)]).toEqual([false, false])
  })

  it('returns the object by which engines recognize an account without code', async () => {
    const { state } = await standing([account(ALICE)])
    expect(state.account(ALICE)!.codeHash).toBe(EMPTY_CODE_HASH)
  })

  it('by one function names all that is missing at once', async () => {
    const { state } = await standing([account(SHOP)])
    const sum = () => readTogether(state, (view) => view.storage(SHOP, 1n) + view.storage(SHOP, 2n))
    expect(lackedBy(sum)).toEqual([slot(SHOP, 1n), slot(SHOP, 2n)])
  })

  it('is not answered from an older or younger state that was read before', async () => {
    const { state } = await standing([account(ALICE)])
    const richer = state.with([{ address: ALICE, balance: 9n }])
    expect([state, richer, state].map((each) => each.account(ALICE)!.balance)).toEqual([5n, 9n, 5n])
  })
})

describe('a change of a state on a remote one', () => {
  it('keeps what it does not name as the remote state has it', async () => {
    const { state } = await standing([account(SHOP), slot(SHOP, 1n), slot(SHOP, 2n)])
    const after = state.with([{ address: SHOP, balance: 7n, storage: [[1n, 111n]] }])
    expect(after.record(SHOP)).toMatchObject({ nonce: 1n, balance: 7n, code: CODE })
    expect([after.storage(SHOP, 1n), after.storage(SHOP, 2n)]).toEqual([111n, 22n])
    expect(state.storage(SHOP, 1n)).toBe(11n)
  })

  it('needs the accounts that it changes, and names all of them at once', async () => {
    const { state } = await standing()
    const changes = [
      { address: ALICE, balance: 1n },
      { address: BOB, balance: 1n },
      { address: ALICE, nonce: 1n },
    ]
    expect(lackedBy(() => state.with(changes))).toEqual([account(ALICE), account(BOB)])
    expect(
      lackedBy(() =>
        withPayments(state, [
          [ALICE, 1n],
          [BOB, 2n],
        ]),
      ),
    ).toEqual([account(ALICE), account(BOB)])
  })

  it('makes a slot zero, and it stays zero', async () => {
    const { state } = await standing([account(SHOP), slot(SHOP, 1n)])
    const zeroed = state.with([{ address: SHOP, storage: [[1n, 0n]] }])
    expect(zeroed.storage(SHOP, 1n)).toBe(0n)
    expect(zeroed.with([{ address: SHOP, balance: 1n }]).storage(SHOP, 1n)).toBe(0n)
  })

  it('deletes an account with all slots, none of which is asked for any more', async () => {
    const { remote, state } = await standing([account(SHOP)])
    const without = state.with([{ address: SHOP, deleted: true }])
    expect(without.account(SHOP)).toBeUndefined()
    expect([without.storage(SHOP, 1n), without.hasStorage(SHOP)]).toEqual([0n, false])
    const again = without.with([{ address: SHOP, balance: 1n, code: CODE }])
    expect(again.record(SHOP)).toMatchObject({ nonce: 0n, balance: 1n, code: CODE })
    expect([again.storage(SHOP, 1n), again.hasStorage(SHOP)]).toEqual([0n, false])
    expect(remote.questions).toEqual([])
    expect([...without.records()]).toEqual([])
  })

  it('that replaces all storage cuts the account off from the remote slots', async () => {
    const { state } = await standing([account(SHOP)])
    const after = state.with([{ address: SHOP, storageCleared: true, storage: [[2n, 5n]] }])
    expect([after.storage(SHOP, 1n), after.storage(SHOP, 2n)]).toEqual([0n, 5n])
    expect(after.with([{ address: SHOP, storage: [[2n, 0n]] }]).hasStorage(SHOP)).toBe(false)
  })

  it('of an account that does not exist there asks for none of its slots', async () => {
    const { state } = await standing([account(BOB)])
    expect(state.with([{ address: BOB, code: CODE }]).storage(BOB, 1n)).toBe(0n)
  })

  it('that deletes what does not exist changes nothing', async () => {
    const { state } = await standing([account(BOB)])
    expect(state.with([{ address: BOB, deleted: true }])).toBe(state)
  })
})

describe('the root of a state on a remote one', () => {
  it('is that of the remote state as long as nothing changed', async () => {
    expect((await standing()).state.root()).toBe(NETWORK.root())
  })

  it('depends on the changes, and not on what was fetched', async () => {
    const change: AccountChange = { address: SHOP, storage: [[1n, 0n]] }
    const one = await standing([account(SHOP)])
    const other = await standing([account(SHOP), account(ALICE), slot(SHOP, 1n)])
    const roots = [one.state.with([change]).root(), other.state.with([change]).root()]
    expect(roots[0]).toBe(roots[1])
    const others = [
      one.state,
      one.state.with([{ address: SHOP, storage: [[1n, 1n]] }]),
      one.state.with([{ address: SHOP, storageCleared: true }]),
      one.state.with([{ address: SHOP, deleted: true }]),
      one.state.with([{ address: SHOP, deleted: true, nonce: 0n }]),
    ].map((state) => state.root())
    expect(new Set([roots[0], ...others]).size).toBe(6)
  })

  it('has no proofs, and an account no root of its storage', async () => {
    const { state } = await standing([account(SHOP)])
    expect(() => prove(state, SHOP, [])).toThrow(PartialState)
    expect(() => state.proof(SHOP)).toThrow(PartialState)
    expect(() => state.storageRoot(state.record(SHOP)!)).toThrow(PartialState)
  })
})

describe('what would need all of a remote state', () => {
  it('is refused: lists of all accounts, and of all slots of an account that the remote state has slots of', async () => {
    const { state } = await standing([account(SHOP)])
    expect(() => accountsIn(state)).toThrow(PartialState)
    expect(() => storageRange(state, SHOP, ZERO_HASH, 1)).toThrow(PartialState)
    const replaced = state.with([{ address: SHOP, storageCleared: true, storage: [[1n, 9n]] }])
    expect(storageRange(replaced, SHOP, ZERO_HASH, 1).slots).toMatchObject([{ slot: 1n, value: 9n }])
  })
})

describe('the differences of states on a remote one', () => {
  it('are those from what the remote state has', async () => {
    const { state } = await standing([account(ALICE), account(SHOP), account(BOB)])
    const after = state.with([
      { address: ALICE, balance: 6n },
      { address: SHOP, deleted: true },
      { address: BOB, nonce: 1n },
    ])
    const found = new Map([...differences(state, after)].map((each) => [each.address, each]))
    expect(found).toEqual(
      new Map([
        [ALICE, { address: ALICE, isDeleted: false, balance: 6n, storage: [] }],
        [SHOP, { address: SHOP, isDeleted: true, storage: [] }],
        [BOB, { address: BOB, isDeleted: false, nonce: 1n, storage: [] }],
      ]),
    )
    const replaced = state.with([{ address: SHOP, storageCleared: true, storage: [[1n, 9n]] }])
    expect([...differences(state, replaced)]).toEqual([
      { address: SHOP, isDeleted: true, storage: [] },
      expect.objectContaining({ address: SHOP, isDeleted: false, nonce: 1n, storage: [[1n, 9n]] }),
    ])
    const back = after.with([{ address: BOB, deleted: true }])
    expect([...differences(after, back)]).toEqual([{ address: BOB, isDeleted: true, storage: [] }])
  })
})

describe('after any changes a state on a remote one', () => {
  it(
    'reads as the same state without one',
    withRandom(async (random) => {
      const addresses = random.list(8, () => random.hex(20))
      const changesOf = () => random.list(random.below(6), () => randomChange(random, random.pick(addresses)))
      for (let world = 0; world < 30; world++) {
        const network = State.empty.with(changesOf()).with(changesOf())
        const { state: begun } = remoteOf(network)
        let [plain, forked] = [network, begun]
        for (let step = 0; step < 12; step++) {
          const changes = changesOf()
          plain = plain.with(changes)
          const before = forked
          forked = await whenFetched(() => before.with(changes))
          const address = random.pick(addresses)
          const read = (state: State) => [
            state.account(address) && { ...fields(state.record(address)!) },
            [0n, 1n, 2n, 3n].map((slot) => state.storage(address, slot)),
          ]
          expect(await whenFetched(() => read(forked))).toEqual(read(plain))
        }
      }
    }),
  )
})

function fields({ nonce, balance, code }: { nonce: bigint; balance: bigint; code: Uint8Array }) {
  return { nonce, balance, code }
}

function randomChange(random: Random, address: Address): AccountChange {
  const slots = random.list(
    random.below(3),
    () => [BigInt(random.below(4)), BigInt(random.below(3))] as const,
  )
  switch (random.below(5)) {
    case 0:
      return { address, deleted: true }
    case 1:
      // Only code writes slots, and an account with code has a nonce.
      return { address, deleted: true, nonce: 1n, storage: slots }
    case 2:
      return { address, nonce: 1n, code: CODE, storage: slots }
    case 3:
      return {
        address,
        nonce: 2n,
        code: random.chance(0.5) ? EMPTY_BYTES : CODE,
        storageCleared: true,
        storage: slots,
      }
    default:
      return { address, balance: BigInt(random.below(9)) }
  }
}
