import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Address, toHex } from '../../../src/bytes/hex.ts'
import { Draft } from '../../../src/engine/ethereumjs/draft.ts'
import { State } from '../../../src/state/state.ts'
import { ReferenceWorld } from '../../support/chains/accounts.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const ALICE: Address = '0x00000000000000000000000000000000000a11ce'
const BOB: Address = '0x0000000000000000000000000000000000000b0b'

describe('a draft under random changes and nested checkpoints', () => {
  it(
    'reads like a world that copies everything at each checkpoint, six checkpoints deep',
    withRandom((random) => {
      for (let round = 0; round < 12; round++) {
        const { addresses, below, model } = randomWorld(random)
        const original = model.copy()
        const draft = new Draft(below)
        for (const operation of randomOperations(random, addresses)) {
          if (isPossible(model, operation)) {
            onDraft(draft, operation)
            model.apply(operation)
          }
          expectSame(draft, model, original, addresses)
        }
      }
    }),
  )

  it(
    'finishes with the root that @ethereumjs/statemanager reaches by the same operations',
    withRandom(async (random) => {
      for (let round = 0; round < 6; round++) {
        const { addresses, below, model } = randomWorld(random)
        const rootBelow = below.root()
        const theirs = new ReferenceWorld()
        for (const operation of model.asOperations()) await onReference(theirs, operation)
        expect(rootBelow).toBe(await theirs.root())

        const draft = new Draft(below)
        for (const operation of randomOperations(random, addresses)) {
          if (!isPossible(model, operation)) continue
          onDraft(draft, operation)
          model.apply(operation)
          await onReference(theirs, operation)
        }
        const finished = below.with(draft.changes())
        expect(finished.root()).toBe(await theirs.root())
        // Another draft on top sees the changes of the first.
        expectSame(new Draft(finished), model, model, addresses)
        expect(below.root()).toBe(rootBelow)
      }
    }),
  )
})

describe('a draft', () => {
  const below = State.empty.with([
    {
      address: ALICE,
      nonce: 1n,
      balance: 2n,
      code: Uint8Array.of(3),
      storage: [
        [4n, 5n],
        [6n, 7n],
      ],
    },
  ])

  it('finishes with the state below when nothing was changed or all was reverted', () => {
    const draft = new Draft(below)
    draft.account(ALICE)
    draft.storage(ALICE, 4n)
    draft.checkpoint()
    draft.putAccount(ALICE, 9n, 9n)
    draft.putAccount(BOB, 9n, 9n)
    draft.putCode(ALICE, Uint8Array.of(9))
    draft.clearStorage(ALICE)
    draft.deleteAccount(ALICE)
    draft.revert()
    expect(below.with(draft.changes())).toBe(below)
    expect(below.with(new Draft(below).changes())).toBe(below)
  })

  it('keeps a slot’s original value whatever is written, cleared, deleted or reverted above it', () => {
    const draft = new Draft(below)
    draft.putStorage(ALICE, 4n, 8n)
    expect(draft.originalStorage(ALICE, 4n)).toBe(5n)
    draft.checkpoint()
    draft.clearStorage(ALICE)
    expect(draft.originalStorage(ALICE, 4n)).toBe(5n)
    draft.deleteAccount(ALICE)
    draft.putAccount(ALICE, 0n, 1n)
    expect([draft.originalStorage(ALICE, 4n), draft.storage(ALICE, 4n)]).toEqual([5n, 0n])
    draft.revert()
    expect([draft.originalStorage(ALICE, 4n), draft.storage(ALICE, 4n)]).toEqual([5n, 8n])
    expect(draft.originalStorage(BOB, 4n)).toBe(0n)
  })

  it('does not read the slots below of an account that was wiped', () => {
    for (const wipe of ['clearStorage', 'deleteAccount'] as const) {
      const draft = new Draft(below)
      draft[wipe](ALICE)
      expect(draft.storage(ALICE, 4n)).toBe(0n)
      expect(draft.hasStorage(ALICE)).toBe(false)
      draft.putAccount(ALICE, 1n, 1n)
      draft.putStorage(ALICE, 6n, 1n)
      expect([draft.storage(ALICE, 4n), draft.storage(ALICE, 6n)]).toEqual([0n, 1n])
      const finished = below.with(draft.changes())
      expect([finished.storage(ALICE, 4n), finished.storage(ALICE, 6n)]).toEqual([0n, 1n])
    }
  })

  it('reads the slots below again once the wiping was reverted', () => {
    const draft = new Draft(below)
    draft.putStorage(ALICE, 6n, 1n)
    for (const wipe of ['clearStorage', 'deleteAccount'] as const) {
      draft.checkpoint()
      draft[wipe](ALICE)
      draft.putAccount(ALICE, 5n, 5n)
      draft.putStorage(ALICE, 4n, 1n)
      draft.revert()
      expect([draft.storage(ALICE, 4n), draft.storage(ALICE, 6n)]).toEqual([5n, 1n])
      expect(draft.hasStorage(ALICE)).toBe(true)
    }
  })

  it('forgets the code and the nonce of an account that is deleted and made again', () => {
    const draft = new Draft(below)
    draft.deleteAccount(ALICE)
    expect(draft.account(ALICE)).toBeUndefined()
    expect(draft.code(ALICE)).toEqual(new Uint8Array())
    draft.putAccount(ALICE, 0n, 4n)
    expect(below.with(draft.changes()).root()).toBe(
      State.empty.with([{ address: ALICE, balance: 4n }]).root(),
    )
  })

  it('leaves no account behind that was made and deleted', () => {
    const draft = new Draft(State.empty)
    draft.putAccount(BOB, 1n, 1n)
    draft.putCode(BOB, Uint8Array.of(1))
    draft.putStorage(BOB, 1n, 1n)
    draft.deleteAccount(BOB)
    expect(State.empty.with(draft.changes())).toBe(State.empty)
  })

  it('says that an account has storage while a slot may be set', () => {
    const draft = new Draft(below)
    expect([draft.hasStorage(ALICE), draft.hasStorage(BOB)]).toEqual([true, false])
    draft.checkpoint()
    draft.putAccount(BOB, 1n, 0n)
    draft.putStorage(BOB, 1n, 1n)
    expect(draft.hasStorage(BOB)).toBe(true)
    draft.revert()
    expect(draft.hasStorage(BOB)).toBe(false)
  })

  it('keeps what was committed when an outer checkpoint is committed, and drops it when that is reverted', () => {
    for (const end of ['commit', 'revert'] as const) {
      const draft = new Draft(below)
      draft.checkpoint()
      draft.checkpoint()
      draft.putStorage(ALICE, 4n, 9n)
      draft.commit()
      draft[end]()
      expect(draft.storage(ALICE, 4n)).toBe(end === 'commit' ? 9n : 5n)
    }
  })

  it('does not touch the state below', () => {
    const root = below.root()
    const draft = new Draft(below)
    draft.putStorage(ALICE, 4n, 9n)
    draft.deleteAccount(ALICE)
    below.with(draft.changes())
    expect([below.storage(ALICE, 4n), below.account(ALICE)?.balance]).toEqual([5n, 2n])
    expect(below.root()).toBe(root)
  })
})

type Operation =
  | { kind: 'putAccount'; address: Address; nonce: bigint; balance: bigint }
  | { kind: 'putCode'; address: Address; code: Uint8Array }
  | { kind: 'putStorage'; address: Address; slot: bigint; value: bigint }
  | { kind: 'clearStorage' | 'deleteAccount'; address: Address }
  | { kind: 'checkpoint' | 'commit' | 'revert' }

const DEPTH = 6
const SLOTS = [0n, 1n, 2n, 2n ** 256n - 1n]

/** Changes between checkpoints that open six deep, end in any order, and are all ended at last. */
function* randomOperations(random: Random, addresses: readonly Address[]): Generator<Operation> {
  let depth = 0
  let deepest = 0
  const end = (): Operation => {
    depth--
    return { kind: random.chance(0.5) ? 'revert' : 'commit' }
  }
  for (let step = 0; step < 120 || deepest < DEPTH; step++) {
    if (depth < DEPTH && random.chance(0.2)) {
      deepest = Math.max(deepest, ++depth)
      yield { kind: 'checkpoint' }
    } else if (depth > 0 && random.chance(0.15)) yield end()
    else yield randomChange(random, random.pick(addresses))
  }
  while (depth > 0) yield end()
}

function randomChange(random: Random, address: Address): Operation {
  switch (
    random.pick(['account', 'account', 'code', 'slot', 'slot', 'slot', 'slot', 'clear', 'delete'] as const)
  ) {
    case 'account':
      return { kind: 'putAccount', address, nonce: random.bigint(64), balance: random.bigint(256) }
    case 'code':
      return { kind: 'putCode', address, code: random.bytes(random.pick([0, 1, 50])) }
    case 'slot':
      return { kind: 'putStorage', address, slot: random.pick(SLOTS), value: BigInt(random.below(3)) }
    case 'clear':
      return { kind: 'clearStorage', address }
    case 'delete':
      return { kind: 'deleteAccount', address }
  }
}

/** An EVM writes only to the storage of an account that is there. */
function isPossible(model: Model, operation: Operation): boolean {
  return operation.kind !== 'putStorage' || model.accounts.has(operation.address)
}

/** Some accounts that exist, with and without storage, and some that do not. */
function randomWorld(random: Random): { addresses: Address[]; below: State; model: Model } {
  const addresses = random.list(5, () => random.hex(20))
  const model = new Model()
  for (const address of addresses.slice(0, 3)) {
    model.apply({ kind: 'putAccount', address, nonce: random.bigint(64), balance: random.bigint(256) })
    if (random.chance(0.7)) model.apply({ kind: 'putCode', address, code: random.bytes(30) })
    for (const slot of random.chance(0.8) ? SLOTS.slice(random.below(4)) : []) {
      model.apply({ kind: 'putStorage', address, slot, value: random.bigint(255) + 1n })
    }
  }
  const below = State.empty.with(
    [...model.accounts].map(([address, { nonce, balance, code, storage }]) => ({
      address,
      nonce,
      balance,
      code,
      storage,
    })),
  )
  return { addresses, below, model }
}

interface ModelAccount {
  nonce: bigint
  balance: bigint
  code: Uint8Array
  storage: Map<bigint, bigint>
}

/** The plainest world: maps, all of them copied at each checkpoint. */
class Model {
  accounts = new Map<Address, ModelAccount>()
  readonly #copies: Map<Address, ModelAccount>[] = []

  copy(): Model {
    const copy = new Model()
    copy.accounts = structuredClone(this.accounts)
    return copy
  }

  /** Operations that make this world out of nothing. */
  *asOperations(): Generator<Operation> {
    for (const [address, { nonce, balance, code, storage }] of this.accounts) {
      yield { kind: 'putAccount', address, nonce, balance }
      if (code.length > 0) yield { kind: 'putCode', address, code }
      for (const [slot, value] of storage) yield { kind: 'putStorage', address, slot, value }
    }
  }

  apply(operation: Operation): void {
    switch (operation.kind) {
      case 'putAccount':
        Object.assign(this.#made(operation.address), { nonce: operation.nonce, balance: operation.balance })
        break
      case 'putCode':
        this.#made(operation.address).code = operation.code
        break
      case 'putStorage':
        this.#made(operation.address).storage.set(operation.slot, operation.value)
        break
      case 'clearStorage':
        this.accounts.get(operation.address)?.storage.clear()
        break
      case 'deleteAccount':
        this.accounts.delete(operation.address)
        break
      case 'checkpoint':
        this.#copies.push(structuredClone(this.accounts))
        break
      case 'commit':
        this.#copies.pop()
        break
      case 'revert':
        this.accounts = this.#copies.pop()!
        break
    }
  }

  #made(address: Address): ModelAccount {
    const account = this.accounts.get(address) ?? {
      nonce: 0n,
      balance: 0n,
      code: new Uint8Array(),
      storage: new Map(),
    }
    this.accounts.set(address, account)
    return account
  }
}

function onDraft(draft: Draft, operation: Operation): void {
  switch (operation.kind) {
    case 'putAccount':
      draft.putAccount(operation.address, operation.nonce, operation.balance)
      break
    case 'putCode':
      draft.putCode(operation.address, operation.code)
      break
    case 'putStorage':
      draft.putStorage(operation.address, operation.slot, operation.value)
      break
    case 'clearStorage':
    case 'deleteAccount':
      draft[operation.kind](operation.address)
      break
    case 'checkpoint':
    case 'commit':
    case 'revert':
      draft[operation.kind]()
      break
  }
}

function onReference(world: ReferenceWorld, operation: Operation): Promise<void> {
  switch (operation.kind) {
    case 'putAccount':
      return world.putAccount(operation.address, operation.nonce, operation.balance)
    case 'putCode':
      return world.putCode(operation.address, operation.code)
    case 'putStorage':
      return world.putStorage(operation.address, operation.slot, operation.value)
    case 'clearStorage':
    case 'deleteAccount':
      return world[operation.kind](operation.address)
    case 'checkpoint':
    case 'commit':
    case 'revert':
      return world[operation.kind]()
  }
}

function expectSame(draft: Draft, model: Model, original: Model, addresses: readonly Address[]): void {
  const read = addresses.map((address) => {
    const account = draft.account(address)
    return {
      account: account && {
        nonce: account.nonce,
        balance: account.balance,
        codeHash: toHex(account.codeHash),
      },
      code: toHex(draft.code(address)),
      slots: SLOTS.map((slot) => draft.storage(address, slot)),
      originalSlots: SLOTS.map((slot) => draft.originalStorage(address, slot)),
    }
  })
  const expected = addresses.map((address) => {
    const account = model.accounts.get(address)
    const code = toHex(account?.code ?? new Uint8Array())
    return {
      account: account && { nonce: account.nonce, balance: account.balance, codeHash: keccak256(code) },
      code,
      slots: SLOTS.map((slot) => account?.storage.get(slot) ?? 0n),
      originalSlots: SLOTS.map((slot) => original.accounts.get(address)?.storage.get(slot) ?? 0n),
    }
  })
  expect(read).toEqual(expected)
  for (const [address, { storage }] of model.accounts) {
    if ([...storage.values()].some((value) => value !== 0n)) expect(draft.hasStorage(address)).toBe(true)
    if (storage.size === 0) expect(draft.hasStorage(address)).toBe(false)
  }
}
