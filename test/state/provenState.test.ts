/** Roots and proofs of forked states with proven remote values. */
import { describe, expect, it } from 'vitest'
import type { Address } from '../../src/bytes/hex.ts'
import { prove } from '../../src/state/accountReads.ts'
import {
  type MissingValue,
  NOT_FETCHED,
  NotFetched,
  PartialState,
  type RemoteState,
} from '../../src/state/remoteState.ts'
import { type AccountChange, State } from '../../src/state/state.ts'
import { whenFetched } from '../../src/state/whenFetched.ts'
import { ReferenceWorld } from '../support/chains/accounts.ts'
import { provingNode, standingOn } from '../support/nodes/provingNode.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const CODE = Uint8Array.of(0x60, 0x00)
const SHOP: Address = '0x000000000000000000000000000000000005109e'
const slotOfShop = (slot: bigint): MissingValue => ({ kind: 'slot', address: SHOP, slot })

/** Accounts with few slots: those of small tries are removed together with branches. */
function randomAccounts(random: Random, size: number): AccountChange[] {
  return random.list(size, () => ({
    address: random.hex(20),
    nonce: 1n + random.bigint(63),
    balance: random.bigint(200),
    ...(random.chance(0.6)
      ? {
          code: CODE,
          storage: random.list(
            random.pick([0, 1, 2, 3, 17, 60]),
            () => [randomSlot(random), 1n + random.bigint(250)] as const,
          ),
        }
      : {}),
  }))
}

const randomSlot = (random: Random): bigint => BigInt(random.below(70))

function randomChange(random: Random, addresses: readonly Address[]): AccountChange {
  const address = random.chance(0.9) ? random.pick(addresses) : random.hex(20)
  const kind = random.below(10)
  if (kind === 0) return { address, deleted: true }
  if (kind === 1) return { address, deleted: true, balance: 5n, storage: [[randomSlot(random), 9n]] }
  if (kind === 2) return { address, storageCleared: true }
  return {
    address,
    nonce: 1n + random.bigint(60),
    balance: random.bigint(200),
    storage: random.list(
      random.below(8),
      () => [randomSlot(random), random.chance(0.6) ? 0n : random.bigint(256)] as const,
    ),
  }
}

/** Makes the same changes in a world of @ethereumjs/statemanager. */
async function change(
  theirs: ReferenceWorld,
  { address, deleted, storageCleared, ...rest }: AccountChange,
): Promise<void> {
  if (deleted) await theirs.deleteAccount(address)
  const isBare = rest.nonce === undefined && rest.balance === undefined && rest.storage === undefined
  if (deleted && isBare) return
  await theirs.putAccount(address, rest.nonce, rest.balance)
  if (rest.code !== undefined) await theirs.putCode(address, rest.code)
  if (storageCleared) await theirs.clearStorage(address)
  for (const [slot, value] of rest.storage ?? []) await theirs.putStorage(address, slot, value)
}

describe('the root of a state above a proven one', () => {
  it(
    'is that of @ethereumjs/statemanager with all accounts, after any changes',
    withRandom(async (random) => {
      for (const size of [1, 2, 5, 40, 150]) {
        const theirs = new ReferenceWorld()
        const accounts = randomAccounts(random, size)
        const network = State.empty.with(accounts)
        for (const account of accounts) await change(theirs, account)
        const { state } = standingOn(network)
        let here = state
        let whole = network
        const addresses = accounts.map(({ address }) => address)
        for (let step = 0; step < 40; step++) {
          const changes = random.list(random.between(1, 4), () => randomChange(random, addresses))
          const before = here
          here = await whenFetched(() => before.with(changes))
          whole = whole.with(changes)
          for (const one of changes) await change(theirs, one)
          if (random.chance(0.3)) continue
          const root = await whenFetched(() => here.root())
          expect(root).toBe(whole.root())
          expect(root).toBe(await theirs.root())
          expect(here.hasExactRoot).toBe(true)
        }
      }
    }),
  )

  it(
    'is that of its own changes, whichever roots were computed before',
    withRandom(async (random) => {
      const accounts = randomAccounts(random, 60)
      const addresses = accounts.map(({ address }) => address)
      const { state } = standingOn(State.empty.with(accounts))
      const states: [here: State, whole: State][] = [[state, State.empty.with(accounts)]]
      for (let step = 0; step < 150; step++) {
        const [here, whole] = random.pick(states)
        const changes = random.list(3, () => randomChange(random, addresses))
        const next: [State, State] = [await whenFetched(() => here.with(changes)), whole.with(changes)]
        states.push(next)
        const [one, other] = random.pick(states)
        expect(await whenFetched(() => one.root())).toBe(other.root())
      }
    }),
  )

  it('needs the leaf beside a deleted slot, unless another slot comes in its place', async () => {
    // Their hashes begin with 2, b and 4; that of slot 1 with b, too.
    const [gone, stays, comes] = [0n, 14n, 2n]
    const network = State.empty.with([
      { address: SHOP, nonce: 1n, code: CODE, storage: [gone, stays].map((slot) => [slot, 7n] as const) },
    ])
    const storage = [[gone, 0n] as const]
    for (const more of [[], [[comes, 1n] as const]]) {
      const node = provingNode(network)
      const { remote, state } = standingOn(network, node)
      await remote.fetch([{ kind: 'account', address: SHOP }, ...[gone, comes].map(slotOfShop)])
      node.batches.length = 0
      const changes = [{ address: SHOP, storage: [...storage, ...more] }]
      const after = state.with(changes)
      expect(await whenFetched(() => after.root())).toBe(network.with(changes).root())
      expect(node.batches).toHaveLength(more.length === 0 ? 1 : 0)
      // It is in the proof that slot 1 is zero.
      expect(remote.slot(SHOP, stays)).toBe(NOT_FETCHED)
    }
  })

  it('needs the path to a slot that is written without being read', async () => {
    const network = State.empty.with([
      {
        address: SHOP,
        nonce: 1n,
        code: CODE,
        storage: [
          [1n, 7n],
          [2n, 7n],
        ],
      },
    ])
    const { remote, state } = standingOn(network)
    await remote.fetch([{ kind: 'account', address: SHOP }])
    const changes = [{ address: SHOP, storage: [[1n, 8n] as const, [3n, 8n] as const] }]
    const after = state.with(changes)
    expect(() => after.root()).toThrow(NotFetched)
    expect(await whenFetched(() => after.root())).toBe(network.with(changes).root())
    expect(remote.slot(SHOP, 1n)).toBe(7n)
  })

  it('is a stand-in where a node cannot be had, and exact again when it is not needed any more', async () => {
    const network = State.empty.with([
      { address: SHOP, nonce: 1n, code: CODE, storage: [0n, 1n].map((slot) => [slot, 7n] as const) },
    ])
    const { remote } = standingOn(network)
    await remote.fetch([{ kind: 'account', address: SHOP }, slotOfShop(0n)])
    const poor: RemoteState = {
      account: (address) => remote.account(address),
      slot: (address, slot) => remote.slot(address, slot),
      blockHash: (number) => remote.blockHash(number),
      fetch: () => Promise.reject(new Error('nothing is to be fetched')),
      proofs: { node: (hash) => remote.proofs!.node(hash) ?? null },
    }
    const state = State.on(poor, network.root())
    const without = state.with([{ address: SHOP, storage: [[0n, 0n]] }])
    expect(without.root()).not.toBe(network.with([{ address: SHOP, storage: [[0n, 0n]] }]).root())
    expect([without.hasExactRoot, state.hasExactRoot]).toEqual([false, true])
    expect(() => prove(without, SHOP, [])).toThrow(PartialState)
    const again = without.with([{ address: SHOP, storage: [[0n, 9n]] }])
    expect(again.root()).toBe(network.with([{ address: SHOP, storage: [[0n, 9n]] }]).root())
    expect(again.hasExactRoot).toBe(true)
  })
})

describe('the proof of an account above a proven state', () => {
  it(
    'has the nodes of the whole state',
    withRandom(async (random) => {
      const accounts = randomAccounts(random, 80)
      const addresses = accounts.map(({ address }) => address)
      const network = State.empty.with(accounts)
      const { state } = standingOn(network)
      const changes = random.list(30, () => randomChange(random, addresses))
      const after = await whenFetched(() => state.with(changes))
      for (const address of [...addresses, random.hex(20), random.hex(20)]) {
        const slots = random.list(4, () => randomSlot(random))
        expect(await whenFetched(() => prove(after, address, slots))).toEqual(
          prove(network.with(changes), address, slots),
        )
        expect(await whenFetched(() => prove(state, address, slots))).toEqual(prove(network, address, slots))
      }
    }),
  )
})
