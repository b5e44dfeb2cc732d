/** CREATE, CREATE2 and creating messages: addresses, collisions, limits, gas, and the state after a failure. */
import { describe, expect, it } from 'vitest'
import { type Address, fromHex, type Hex, toHex } from '../../src/bytes/hex.ts'
import { contractAddress } from '../../src/model/account/account.ts'
import type { AccountChange } from '../../src/state/state.ts'
import { assemble, creationOf, type Item, inMemory, unless } from '../support/compilers/assembly.ts'
import { agreed, CONTRACT, type Given, RICH, SENDER, wordOf } from '../support/engines/agreement.ts'
import { address } from '../support/engines/scenes.ts'

const OTHER = address(0xc1)
/** Where the contract's CREATE puts the next contract. */
const CREATED = contractAddress(CONTRACT, 1n)
const OF_MESSAGE = contractAddress(SENDER, 0n)

/** Code that creates a contract with `initCode`, which leaves its address, or 0, on the stack. */
const create = (initCode: Uint8Array = new Uint8Array(), value = 0): Item[] => [
  inMemory(initCode),
  ...([initCode.length, 0, value, 'CREATE'] as const),
]
const create2 = (initCode: Uint8Array, salt: Item = 0, value = 0): Item[] => [
  inMemory(initCode),
  ...([salt, initCode.length, 0, value, 'CREATE2'] as const),
]

describe('CREATE2', () => {
  // The examples of EIP-1014.
  it.each([
    ['00'.repeat(20), '00'.repeat(32), '00', '0x4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38'],
    [
      'deadbeef00000000000000000000000000000000',
      '00'.repeat(32),
      '00',
      '0xb928f69bb1d91cd65274e3c79d8986362984fda3',
    ],
    [
      'deadbeef00000000000000000000000000000000',
      '000000000000000000000000feed000000000000000000000000000000000000',
      '00',
      '0xd04116cdd17bebe565eb2422f2497e06cc1c9833',
    ],
    ['00'.repeat(20), '00'.repeat(32), 'deadbeef', '0x70f2b2914a2a4b783faefb75f459a580616fcb5e'],
    [
      '00000000000000000000000000000000deadbeef',
      '00000000000000000000000000000000000000000000000000000000cafebabe',
      'deadbeef',
      '0x60f3f640a8508fc6a86d45df051962668e1e8ac7',
    ],
    [
      '00000000000000000000000000000000deadbeef',
      '00000000000000000000000000000000000000000000000000000000cafebabe',
      'deadbeef'.repeat(11),
      '0x1d8bfdc5d46dc4f61d6b6115972536ebe6a8854c',
    ],
    ['00'.repeat(20), '00'.repeat(32), '', '0xe33c0c7f7df4809055c3eba6c09cfe4baf1bd9e0'],
  ])(
    'of %s with the salt %s and init code %s is at the address of EIP-1014',
    async (from, salt, code, expected) => {
      const at: Address = `0x${from}`
      const initCode = Uint8Array.from(Buffer.from(code, 'hex'))
      const creator = {
        address: at,
        nonce: 1n,
        code: assemble(...create2(initCode, `0x${salt}`), 0, 'MSTORE', 32, 0, 'RETURN'),
      }
      const calls: Item[] = [32, 0, 0, 0, 0, at, 'GAS', 'CALL', 'POP', 0, 'MLOAD']
      // 0xdeadbeef is no instruction: the creation fails, but its address has been warmed.
      const isCode = code === '' || code === '00'
      expect(await wordOf(calls, { accounts: [creator] })).toBe(isCode ? BigInt(expected) : 0n)
      const reads: Item[] = [0, 0, 0, 0, 0, at, 100_000, 'CALL', 'POP', expected as Hex, 'BALANCE', 'POP']
      const cold: Item[] = [...reads.slice(0, -3), OTHER, 'BALANCE', 'POP']
      const [warm, other] = [
        await agreed({ code: reads, accounts: [creator] }),
        await agreed({ code: cold, accounts: [creator] }),
      ]
      expect(other.gas - warm.gas).toBe(2_500n)
    },
  )

  it('costs 6 gas for each word that is hashed, and from Shanghai on 2 more, as CREATE does', async () => {
    const gasOf = async (
      hardfork: 'constantinople' | 'osaka',
      kind: 'CREATE' | 'CREATE2',
      length: number,
    ) => {
      const salt: Item[] = kind === 'CREATE2' ? [0] : []
      const reaches: Item[] = [0, 0x1_00, 'MSTORE']
      // Zeros: STOP.
      return (await agreed({ hardfork, code: [...reaches, ...salt, length, 0, 0, kind, 'POP'] })).gas
    }
    const more = async (hardfork: 'constantinople' | 'osaka', kind: 'CREATE' | 'CREATE2', length: number) =>
      (await gasOf(hardfork, kind, length)) - (await gasOf(hardfork, kind, 0))
    for (const [length, words] of [
      [1, 1n],
      [32, 1n],
      [33, 2n],
      [256, 8n],
    ] as const) {
      expect(await more('constantinople', 'CREATE', length)).toBe(0n)
      expect(await more('constantinople', 'CREATE2', length)).toBe(6n * words)
      expect(await more('osaka', 'CREATE', length)).toBe(2n * words)
      expect(await more('osaka', 'CREATE2', length)).toBe(8n * words)
    }
  })

  it('creates nothing where it created before', async () => {
    const twice: Item[] = [...create2(assemble('STOP')), 'POP', ...create2(assemble('STOP'))]
    expect(await wordOf(twice)).toBe(0n)
    const { state } = await agreed({ code: twice })
    expect(state.account(CONTRACT)?.nonce).toBe(3n)
  })
})

describe('a creation', () => {
  const initCode = creationOf(assemble('ADDRESS', 'POP'))
  const HARDFORKS = ['frontier', 'byzantium', 'osaka'] as const
  /** EIP-7610 came later than EthereumJS's check of EIP-684. */
  const STORAGE_ALONE = { ethereumjsErs: 'storage alone is no collision' }

  it.each([
    ['a nonce', { nonce: 1n }, true],
    ['code', { code: assemble('STOP') }, true],
    ['storage (EIP-7610)', { storage: [[1n, 1n]] }, true],
    ['a balance', { balance: 3n }, false],
  ] as const)('collides with an account that has %s: %o, %s', async (what, fields, collides) => {
    const theirs = what.startsWith('storage') ? STORAGE_ALONE : {}
    for (const hardfork of ['tangerineWhistle', 'byzantium', 'osaka'] as const) {
      const balance = 'balance' in fields ? fields.balance : 0n
      const inner: AccountChange = { balance: 0n, ...fields, address: CREATED }
      const given: Given = {
        hardfork,
        code: [...create(initCode, 2), 0, 'SSTORE'],
        accounts: [inner],
        gas: 500_000n,
        ...theirs,
      }
      const { state, gas } = await agreed(given)
      expect(state.storage(CONTRACT, 0n)).toBe(collides ? 0n : BigInt(CREATED))
      // The nonce is used, the value stays.
      expect(state.account(CONTRACT)).toMatchObject({ nonce: 2n, balance: collides ? 1_000n : 998n })
      expect(state.account(CREATED)).toMatchObject({ balance: collides ? balance : balance + 2n })
      // All the gas that was passed on is gone: all, or all but a 64th.
      if (collides) expect(gas).toBeGreaterThan(480_000n)
    }
    for (const hardfork of HARDFORKS) {
      const there: AccountChange = { balance: 0n, ...fields, address: OF_MESSAGE }
      const message = { to: undefined, data: initCode, value: 2n }
      const result = await agreed({ hardfork, message, accounts: [there], gas: 100_000n, ...theirs })
      expect(result.outcome).toMatchObject(
        collides ? { kind: 'halt', reason: 'createCollision' } : { kind: 'success' },
      )
      if (collides) expect(result.gas).toBe(100_000n)
      expect(result.state.account(SENDER)?.nonce).toBe(1n)
    }
  })

  it.each(HARDFORKS)('makes an account with the nonce 1 from EIP-161 on, 0 before (%s)', async (hardfork) => {
    const nonce = hardfork === 'frontier' ? 0n : 1n
    const { state } = await agreed({ hardfork, code: create(initCode) })
    expect(state.account(CREATED)?.nonce).toBe(nonce)
    const outer = await agreed({ hardfork, message: { to: undefined, data: initCode } })
    expect(outer.state.account(OF_MESSAGE)?.nonce).toBe(nonce)
    expect(toHex(outer.state.code(OF_MESSAGE))).toBe(toHex(assemble('ADDRESS', 'POP')))
  })

  it.each(HARDFORKS)('without init code makes an account without code (%s)', async (hardfork) => {
    const { state } = await agreed({ hardfork, code: create(new Uint8Array(), 7) })
    expect(state.account(CREATED)?.balance).toBe(7n)
    expect(state.account(CONTRACT)?.nonce).toBe(2n)
  })

  it.each(HARDFORKS)('that its creator cannot pay for uses neither nonce nor gas (%s)', async (hardfork) => {
    const { state, gas } = await agreed({ hardfork, code: [0, 0, 1_001, 'CREATE', 0, 'SSTORE'] })
    expect(state.account(CONTRACT)).toMatchObject({ nonce: 1n, balance: 1_000n })
    expect(gas).toBeLessThan(60_000n)
  })

  it('at depth 1,024 fails, uses neither nonce nor gas, and one above it succeeds', async () => {
    // Each frame calls itself; the one whose call is refused, or the one before it, creates.
    const self: Item[] = [0, 0, 0, 0, 0, 'ADDRESS', 'GAS', 'CALL']
    const noted: Item[] = [
      'GAS',
      0,
      0,
      0,
      'CREATE',
      7,
      'ADD',
      0,
      'SSTORE',
      'GAS',
      'SWAP1',
      'SUB',
      1,
      'SSTORE',
    ]
    const deepest = assemble(...self, unless(...noted))
    const { state } = await agreed({ code: deepest, gas: 2n ** 42n })
    expect(state.storage(CONTRACT, 0n)).toBe(7n)
    expect(state.account(CONTRACT)?.nonce).toBe(1n)
    expect(state.storage(CONTRACT, 1n)).toBeLessThan(60_000n)
    // The depth of a frame is in its calldata: 1,023 creates.
    const counted: Item[] = [
      ...([0, 'CALLDATALOAD', 1, 'ADD', 0, 'MSTORE'] as const),
      ...([0, 0, 32, 0, 0, 'ADDRESS', 'GAS', 'CALL', 'POP'] as const),
      ...([1_023, 0, 'CALLDATALOAD', 'EQ', 'ISZERO'] as const),
    ]
    const above = assemble(...counted, unless(0, 0, 0, 'CREATE', 0, 'SSTORE'))
    const other = await agreed({ code: above, gas: 2n ** 42n })
    expect(other.state.storage(CONTRACT, 0n)).toBe(BigInt(CREATED))
  })

  it.each([
    ['osaka', 49_152, 'success'],
    ['osaka', 49_153, 'halt'],
    ['shanghai', 49_153, 'halt'],
    ['paris', 49_153, 'success'],
  ] as const)(
    'by a message in %s with %s bytes of init code is a %s (EIP-3860)',
    async (hardfork, length, kind) => {
      const given: Given = {
        hardfork,
        message: { to: undefined, data: new Uint8Array(length), kind: 'simulation' },
      }
      // A transaction of that kind is not valid: EthereumJS does not run it.
      const theirs = kind === 'halt' ? { ethereumjsErs: 'nothing: it throws' } : {}
      const { outcome } = await agreed({ ...given, ...theirs })
      expect(outcome).toMatchObject(kind === 'halt' ? { kind, reason: 'initCodeTooLarge' } : { kind })
    },
  )

  it('alone has a limit of data: a call may have more', async () => {
    const { outcome } = await agreed({ message: { data: new Uint8Array(49_153) } })
    expect(outcome.kind).toBe('success')
  })

  it.each([
    ['frontier', 'success'],
    ['homestead', 'halt'],
    ['osaka', 'halt'],
  ] as const)('that cannot pay for its code is in %s a %s (EIP-2)', async (hardfork, kind) => {
    const data = assemble(100, 0, 'RETURN')
    const message = { to: undefined, data }
    const enough = await agreed({ hardfork, message, gas: 20_018n })
    expect([enough.outcome.kind, enough.gas]).toEqual(['success', 20_018n])
    const less = await agreed({ hardfork, message, gas: 20_017n })
    expect(less.outcome.kind).toBe(kind)
    // In Frontier the contract has no code then, and the rest of its gas is given back.
    expect(less.gas).toBe(kind === 'success' ? 18n : 20_017n)
    expect(less.state.code(OF_MESSAGE).length).toBe(0)
  })

  it.each([
    ['berlin', 0xef, 'success'],
    ['london', 0xef, 'halt'],
    ['osaka', 0xef, 'halt'],
    ['osaka', 0xee, 'success'],
    ['osaka', 0xf0, 'success'],
  ] as const)('in %s of code that begins with %i is a %s (EIP-3541)', async (hardfork, first, kind) => {
    const message = { to: undefined, data: assemble(first, 0, 'MSTORE8', 1, 0, 'RETURN') }
    const { outcome, gas } = await agreed({ hardfork, message, gas: 50_000n })
    expect(outcome.kind).toBe(kind)
    if (kind === 'halt') expect(gas).toBe(50_000n)
  })

  it.each([
    ['homestead', 24_577, 'success'],
    ['spuriousDragon', 24_577, 'halt'],
    ['spuriousDragon', 24_576, 'success'],
  ] as const)('in %s of %i bytes of code is a %s (EIP-170)', async (hardfork, length, kind) => {
    const message = { to: undefined, data: assemble(length, 0, 'RETURN') }
    expect((await agreed({ hardfork, message, gas: 6_000_000n })).outcome.kind).toBe(kind)
  })

  it('runs init code without calldata, on its own address, with the value', async () => {
    const notes = assemble(
      'CALLDATASIZE',
      0,
      'SSTORE',
      'ADDRESS',
      1,
      'SSTORE',
      'CALLVALUE',
      2,
      'SSTORE',
      'CALLER',
      3,
      'SSTORE',
      'CODESIZE',
      4,
      'SSTORE',
      'SELFBALANCE',
      5,
      'SSTORE',
    )
    const { state } = await agreed({ code: create(notes, 9) })
    const slots = [0n, 1n, 2n, 3n, 4n, 5n].map((slot) => state.storage(CREATED, slot))
    expect(slots).toEqual([0n, BigInt(CREATED), 9n, BigInt(CONTRACT), BigInt(notes.length), 9n])
    const data = Uint8Array.of(...notes)
    const outer = await agreed({ message: { to: undefined, data, value: 4n } })
    expect([0n, 1n, 2n].map((slot) => outer.state.storage(OF_MESSAGE, slot))).toEqual([
      0n,
      BigInt(OF_MESSAGE),
      4n,
    ])
    expect(outer.state.account(SENDER)!.balance).toBeLessThan(RICH - 4n)
  })

  it('warms the new address (EIP-2929), even if it fails', async () => {
    const gasOf = async (initCode: Uint8Array, of: Address) =>
      (await agreed({ code: [...create(initCode), 'POP', of, 'BALANCE', 'POP'], gas: 300_000n })).gas
    const reverts = assemble(0, 0, 'REVERT')
    for (const code of [initCode, reverts])
      expect((await gasOf(code, OTHER)) - (await gasOf(code, CREATED))).toBe(2_500n)
    const inside = { to: undefined, data: assemble(OF_MESSAGE, 'BALANCE', 'POP') }
    expect((await agreed({ message: inside })).gas).toBe(105n)
  })

  it('is done by all of the gas before EIP-150, and by all but a 64th after it', async () => {
    const notes = assemble('GAS', 0, 'SSTORE')
    for (const hardfork of ['homestead', 'tangerineWhistle', 'osaka'] as const) {
      const { state } = await agreed({
        hardfork,
        code: ['GAS', 1, 'SSTORE', ...create(notes)],
        gas: 200_000n,
      })
      expect(state.storage(CREATED, 0n) > 0n).toBe(true)
    }
  })

  it('that fails leaves nothing but the nonce of its creator', async () => {
    const fails = assemble(1, 0, 'SSTORE', 0, 0, 0, 'CREATE', 'INVALID')
    const { state } = await agreed({ code: create(fails, 5), accounts: [{ address: CREATED, balance: 1n }] })
    expect(state.account(CREATED)).toMatchObject({ nonce: 0n, balance: 1n })
    expect(state.storage(CREATED, 0n)).toBe(0n)
    expect(state.account(CONTRACT)).toMatchObject({ nonce: 2n, balance: 1_000n })
    expect(state.account(contractAddress(CREATED, 1n))).toBeUndefined()
  })
})

it('code that was created runs in the same message, and is there after it', async () => {
  const runtime = assemble(41, 'CALLVALUE', 'ADD', 0, 'MSTORE', 32, 0, 'RETURN')
  const calls: Item[] = [
    ...create(creationOf(runtime)),
    32,
    0,
    0,
    0,
    1,
    'DUP6',
    'GAS',
    'CALL',
    'POP',
    0,
    'MLOAD',
  ]
  expect(await wordOf(calls)).toBe(42n)
  const sizes: Item[] = [...create(creationOf(runtime)), 'EXTCODESIZE']
  expect(await wordOf(sizes)).toBe(BigInt(runtime.length))
  const hashes: Item[] = [...create(creationOf(runtime)), 'EXTCODEHASH']
  expect(await wordOf(hashes)).not.toBe(0n)
  const { state } = await agreed({ code: create(creationOf(runtime)) })
  expect(state.code(CREATED)).toEqual(runtime)
  expect(fromHex(toHex(state.code(CREATED)))).toEqual(runtime)
})
