/** A frame that fails or reverts leaves no changes behind, and a message leaves none to the next. */
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import { contractAddress } from '../../src/model/account/account.ts'
import type { AccountChange } from '../../src/state/state.ts'
import { assemble, creationOf, type Item, inMemory } from '../support/compilers/assembly.ts'
import { agreed, CONTRACT, type Given, SENDER, wordOf } from '../support/engines/agreement.ts'
import { address } from '../support/engines/scenes.ts'

const OTHER = address(0xc1)
const THIRD = address(0xc2)
/** The contract that `OTHER` creates first. */
const CHILD = contractAddress(OTHER, 1n)

const call = (to: Item, value: Item = 0): Item[] => [0, 0, 0, 0, value, to, 300_000, 'CALL']
const delegate = (to: Item): Item[] => [0, 0, 0, 0, to, 300_000, 'DELEGATECALL']
const RUNTIME = assemble(1, 0, 'SSTORE')
const creates = (): Item[] => {
  const code = creationOf(RUNTIME)
  return [inMemory(code), code.length, 0, 2, 'CREATE', 'POP']
}
const ENDINGS: readonly (readonly [string, readonly Item[]])[] = [
  ['reverts', [0, 0, 'REVERT']],
  ['fails', ['INVALID']],
]

/** The actions of `OTHER`, and their effects on the state or on later reads of the caller. */
const CHANGES: readonly (readonly [
  what: string,
  does: readonly Item[],
  reads: readonly Item[],
  before: bigint,
  after: bigint,
])[] = [
  ['a slot', [9, 0, 'SSTORE'], [...call(THIRD), 'POP', 0, 'MLOAD'], 0n, 0n],
  ['a balance', [...call(THIRD, 3), 'POP'], [OTHER, 'BALANCE'], 50n, 47n],
  ['the balance of who was paid', [...call(THIRD, 3), 'POP'], [THIRD, 'BALANCE'], 0n, 3n],
  ['the code of a contract that was created', creates(), [CHILD, 'EXTCODESIZE'], 0n, BigInt(RUNTIME.length)],
  ['the ether of a contract that was created', creates(), [CHILD, 'BALANCE'], 0n, 2n],
  [
    'the balance of a contract that destroyed itself',
    [...call(address(0xd0)), 'POP'],
    [address(0xd0), 'BALANCE'],
    8n,
    0n,
  ],
]

const accountsOf = (...code: Item[]): readonly AccountChange[] => [
  { address: OTHER, nonce: 1n, balance: 50n, code: assemble(...code) },
  { address: address(0xd0), nonce: 1n, balance: 8n, code: assemble(THIRD, 'SELFDESTRUCT') },
]

describe.each(ENDINGS)('a frame that %s', (_, ending) => {
  it.each(CHANGES)('leaves %s as it was', async (_what, does, reads, before, after) => {
    for (const hardfork of ['byzantium', 'berlin', 'osaka'] as const) {
      const code = [...call(OTHER), 'POP', ...reads] as const
      expect(await wordOf(code, { hardfork, accounts: accountsOf(...does, ...ending) })).toBe(before)
      expect(await wordOf(code, { hardfork, accounts: accountsOf(...does) })).toBe(after)
    }
  })

  it('leaves its storage, and that of who delegates to it', async () => {
    const storage = [[0n, 4n] as const]
    for (const hardfork of ['byzantium', 'constantinople', 'istanbul', 'osaka'] as const) {
      const writes = accountsOf(9, 0, 'SSTORE', 8, 1, 'SSTORE', 7, 0, 'SSTORE', ...ending)
      const accounts = [
        { ...writes[0]!, storage },
        { address: CONTRACT, storage },
      ]
      const code: Item[] = [5, 0, 'SSTORE', ...call(OTHER), ...delegate(OTHER), 0, 'SLOAD', 2, 'SSTORE']
      const { state } = await agreed({ hardfork, code, accounts })
      expect([state.storage(OTHER, 0n), state.storage(OTHER, 1n)]).toEqual([4n, 0n])
      expect([0n, 1n, 2n].map((slot) => state.storage(CONTRACT, slot))).toEqual([5n, 0n, 5n])
    }
  })

  it('leaves transient storage as its caller wrote it (EIP-1153)', async () => {
    const code: Item[] = [5, 0, 'TSTORE', ...delegate(OTHER), 0, 'TLOAD', 1, 'TLOAD', 16, 'MUL', 'ADD', 'ADD']
    const accounts = accountsOf(6, 0, 'TSTORE', 7, 0, 'TSTORE', 1, 1, 'TSTORE', ...ending)
    expect(await wordOf(code, { accounts })).toBe(5n)
  })

  it('emits no logs, and its caller those before and after it', async () => {
    const log = (topic: Item): Item[] => [topic, 0, 0, 'LOG1']
    const accounts = accountsOf(...log(2), ...call(THIRD), ...log(3), ...ending)
    const { outcome } = await agreed({ code: [...log(1), ...call(OTHER), ...log(4)], accounts })
    if (outcome.kind !== 'success') throw new Error(outcome.kind)
    expect(outcome.logs.map(({ topics }) => BigInt(topics[0]!))).toEqual([1n, 4n])
  })

  it('leaves nonces, and the accounts that it made', async () => {
    const accounts = accountsOf(...creates(), ...creates(), ...ending)
    const { state } = await agreed({ code: call(OTHER), accounts })
    expect(state.account(OTHER)).toMatchObject({ nonce: 1n, balance: 50n })
    expect(state.account(CHILD)).toBeUndefined()
    expect(toHex(state.code(CHILD))).toBe('0x')
  })

  it('destroys nothing', async () => {
    for (const hardfork of ['byzantium', 'london', 'osaka'] as const) {
      const accounts = accountsOf(...call(address(0xd0)), ...ending)
      const { state } = await agreed({ hardfork, code: call(OTHER), accounts })
      expect(state.account(address(0xd0))).toMatchObject({ nonce: 1n, balance: 8n })
      // An account that was destroyed before stays destroyed.
      const twice = await agreed({ hardfork, code: [...call(address(0xd0)), ...call(OTHER)], accounts })
      if (hardfork === 'osaka') expect(twice.state.account(address(0xd0))).toMatchObject({ balance: 0n })
      else expect(twice.state.account(address(0xd0))).toBeUndefined()
    }
  })

  it('may be the whole message: then only gas and the nonce of the sender are left', async () => {
    const code: Item[] = [1, 0, 'SSTORE', ...call(OTHER, 4), ...creates(), ...ending]
    const { state, outcome } = await agreed({
      code,
      accounts: accountsOf(1, 0, 'SSTORE'),
      message: { value: 9n },
    })
    expect(outcome.kind).not.toBe('success')
    expect(state.account(CONTRACT)).toMatchObject({ nonce: 1n, balance: 1_000n })
    expect(state.account(OTHER)).toMatchObject({ nonce: 1n, balance: 50n })
    expect([state.storage(CONTRACT, 0n), state.storage(OTHER, 0n)]).toEqual([0n, 0n])
    expect(state.account(SENDER)?.nonce).toBe(1n)
  })
})

it('slots that several frames write change once, in each message anew', async () => {
  // Where the state is the same, our engine goes on with what it knows of it.
  const code: Item[] = [1, 0, 'SSTORE', ...delegate(OTHER), 3, 0, 'SSTORE', 3, 2, 'SSTORE']
  for (const hardfork of ['byzantium', 'constantinople', 'istanbul', 'osaka'] as const) {
    const { state } = await agreed({ hardfork, code, accounts: accountsOf(2, 0, 'SSTORE', 2, 1, 'SSTORE') })
    expect([0n, 1n, 2n].map((slot) => state.storage(CONTRACT, slot))).toEqual([3n, 2n, 3n])
  }
})

describe('transient storage (EIP-1153)', () => {
  it('is that of one account', async () => {
    const accounts = accountsOf(7, 0, 'TSTORE')
    expect(await wordOf([5, 0, 'TSTORE', ...call(OTHER), 'POP', 0, 'TLOAD'], { accounts })).toBe(5n)
    expect(await wordOf([5, 0, 'TSTORE', ...delegate(OTHER), 'POP', 0, 'TLOAD'], { accounts })).toBe(7n)
  })

  it('is not storage, and costs 100 gas', async () => {
    const { state, gas } = await agreed({ code: [5, 0, 'TSTORE', 0, 'TLOAD', 'POP', 0, 'SLOAD', 'POP'] })
    expect(state.storage(CONTRACT, 0n)).toBe(0n)
    expect(gas).toBe(6n + 100n + 5n + 100n + 5n + 2_100n)
    expect(await wordOf([0, 'TLOAD', 1, 0, 'SSTORE', 0, 'TLOAD', 'ADD'])).toBe(0n)
    expect(await wordOf([5, 0, 'TSTORE', 0, 'SLOAD'])).toBe(0n)
  })

  it('of an account whose storage was read, and of a slot that is written both ways, keeps its value', async () => {
    const storage = [[0n, 3n] as const]
    const accounts = [{ address: CONTRACT, storage }]
    expect(await wordOf([0, 'TLOAD', 0, 'SLOAD', 16, 'MUL', 'ADD'], { accounts })).toBe(48n)
    const both: Item[] = [7, 0, 'TSTORE', 6, 0, 'SSTORE', 0, 'TLOAD', 16, 'MUL', 0, 'SLOAD', 'ADD']
    expect(await wordOf(both, { accounts })).toBe(7n * 16n + 6n)
  })

  it('is empty at the beginning of each message', async () => {
    // For the same state, our engine keeps the values that it has read.
    const given: Given = { code: [0, 'TLOAD', 0, 'SSTORE', 5, 0, 'TSTORE', 9, 1, 'TSTORE'] }
    for (let i = 0; i < 3; i++) expect((await agreed(given)).state.storage(CONTRACT, 0n)).toBe(0n)
  })
})
