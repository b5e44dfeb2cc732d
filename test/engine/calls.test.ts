/** Calls: their gas, the gas they pass on, the callee's view, and the output: in both engines, as in the EIPs. */
import { describe, expect, it } from 'vitest'
import type { Address } from '../../src/bytes/hex.ts'
import { answering, assemble, type Item } from '../support/compilers/assembly.ts'
import { agreed, CONTRACT, SENDER, wordOf, wordsOf } from '../support/engines/agreement.ts'
import { ALL_HARDFORKS } from '../support/engines/randomRun.ts'
import { address, CONTEXT } from '../support/engines/scenes.ts'

const OTHER = address(0xc1)
const THIRD = address(0xc2)

type Kind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL'
const KINDS: readonly Kind[] = ['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL']

interface Fields {
  readonly kind?: Kind
  readonly value?: Item
  readonly gas?: Item
  readonly input?: readonly [at: Item, length: Item]
  readonly output?: readonly [at: Item, length: Item]
}

/** Code that calls `to`, and leaves whether that succeeded on the stack. */
function call(
  to: Address,
  { kind = 'CALL', value = 0, gas = 50_000, input = [0, 0], output = [0, 0] }: Fields = {},
): Item[] {
  const values: Item[] = kind === 'CALL' || kind === 'CALLCODE' ? [value] : []
  return [output[1], output[0], input[1], input[0], ...values, to, gas, kind]
}
/** Code that calls `to` and returns its return data: up to eight words. */
const answerOf = (to: Address, fields: Fields = {}): Item[] => [
  ...call(to, { ...fields, output: [0, 256] }),
  'POP',
  256,
  0,
  'RETURN',
]
const at = (where: Address, ...items: Item[]) => ({
  address: where,
  nonce: 1n,
  balance: 100n,
  code: assemble(...items),
})

describe.each(ALL_HARDFORKS)('under %s', (hardfork) => {
  it('calls of all kinds cost the same in both engines, with and without value, to what is there and what is not', async () => {
    const accounts = [at(OTHER, 'STOP')]
    const places = [OTHER, THIRD, CONTRACT, SENDER, address(4), CONTEXT.coinbase]
    for (const kind of KINDS) {
      const calls = (gases: readonly Item[], values: readonly Item[]) =>
        places.flatMap((to) => values.flatMap((value) => gases.map((gas) => call(to, { kind, value, gas }))))
      const noted = calls([0, 100], [0, 1, 1_001]).flatMap((items, i): Item[] => [
        ...items,
        i,
        'MSTORE8',
        'GAS',
        32 * i + 64,
        'MSTORE',
      ])
      await agreed({ hardfork, accounts, code: [...noted, 'MSIZE', 0, 'RETURN'], gas: 4_000_000n })
      // Before EIP-150 a frame fails that asks for more gas than it has.
      for (const gas of [2n ** 63n, 2n ** 64n, 2n ** 255n])
        await agreed({ hardfork, accounts, code: calls([gas], [0])[0]! })
    }
  })

  it('a call with exactly its gas runs, with one less it fails', async () => {
    const accounts = [at(OTHER, 'STOP')]
    for (const kind of KINDS) {
      const code = call(OTHER, { kind, value: 1, gas: 0, output: [0, 64] })
      const { gas, outcome } = await agreed({ hardfork, accounts, code })
      if (outcome.kind !== 'success') continue
      // The stipend of a call with a value comes back, but had to be there.
      const stipend = kind === 'CALL' || kind === 'CALLCODE' ? 2_300n : 0n
      expect((await agreed({ hardfork, accounts, code, gas: gas + stipend })).outcome.kind).toBe('success')
      expect((await agreed({ hardfork, accounts, code, gas: gas + stipend - 1n })).outcome.kind).toBe('halt')
    }
  })
})

describe('the gas that a callee gets', () => {
  const tells = at(OTHER, answering('GAS'))

  it.each([
    ['what is asked for', { gas: 5_000 }, 5_000n],
    ['2,300 more with a value', { gas: 5_000, value: 1 }, 7_300n],
    ['2,300 with a value and no gas', { gas: 0, value: 1 }, 2_300n],
    ['no more with CALLCODE without a value', { kind: 'CALLCODE', gas: 5_000 }, 5_000n],
    ['2,300 more with CALLCODE and a value', { kind: 'CALLCODE', gas: 5_000, value: 1 }, 7_300n],
    ['what is asked for with DELEGATECALL', { kind: 'DELEGATECALL', gas: 5_000 }, 5_000n],
    ['what is asked for with STATICCALL', { kind: 'STATICCALL', gas: 5_000 }, 5_000n],
  ] as const)('is %s', async (_, fields, gas) => {
    for (const hardfork of ['byzantium', 'osaka'] as const) {
      const [word] = await wordsOf({ hardfork, accounts: [tells], code: answerOf(OTHER, fields) })
      // GAS itself costs 2.
      expect(word).toBe(gas - 2n)
    }
  })

  it.each([2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 255n, 2n ** 256n - 1n])(
    'is all but a 64th if %s is asked for (EIP-150)',
    async (asked) => {
      const code = answerOf(OTHER, { gas: asked })
      const [word] = await wordsOf({ accounts: [tells], code, gas: 100_000n })
      // Seven PUSHes, a cold account, eight words of memory.
      const left = 100_000n - 21n - 2_600n - 24n
      expect(word).toBe(left - left / 64n - 2n)
    },
  )

  it('is refused before EIP-150 if it is more than there is', async () => {
    const code = call(OTHER, { gas: 90_000 })
    for (const [hardfork, kind] of [
      ['homestead', 'halt'],
      ['tangerineWhistle', 'success'],
    ] as const)
      expect(
        (await agreed({ hardfork, accounts: [at(OTHER, 'STOP')], code, gas: 90_000n })).outcome.kind,
      ).toBe(kind)
  })

  it('comes back with the stipend if the caller cannot pay the value', async () => {
    const noted: Item[] = ['GAS', ...call(OTHER, { gas: 5_000, value: 1_001 }), 'POP', 'GAS', 'SWAP1', 'SUB']
    // 9,000 less the stipend; GAS, PUSHes and POP.
    expect(await wordOf(noted, { accounts: [at(OTHER, 'STOP')] })).toBe(
      2_600n + 9_000n - 2_300n + 21n + 2n + 2n,
    )
  })
})

describe('a callee sees', () => {
  const tells = at(
    OTHER,
    'ADDRESS',
    0,
    'MSTORE',
    'CALLER',
    32,
    'MSTORE',
    'CALLVALUE',
    64,
    'MSTORE',
    'CALLDATASIZE',
    96,
    'MSTORE',
    0,
    'CALLDATALOAD',
    128,
    'MSTORE',
    'ORIGIN',
    160,
    'MSTORE',
    'CODESIZE',
    192,
    'MSTORE',
    224,
    0,
    'RETURN',
  )
  const [self, other, sender] = [BigInt(CONTRACT), BigInt(OTHER), BigInt(SENDER)]

  it.each([
    ['CALL', other, self, 3n],
    ['CALLCODE', self, self, 3n],
    ['DELEGATECALL', self, sender, 5n],
    ['STATICCALL', other, self, 0n],
  ] as const)('by %s who and where it is', async (kind, address_, caller, value) => {
    const code: Item[] = [
      2n ** 256n - 1n,
      0,
      'MSTORE',
      ...answerOf(OTHER, { kind, value: 3, input: [30, 5] }),
    ]
    const words = await wordsOf({ accounts: [tells], code, message: { value: 5n } })
    const size = BigInt(tells.code.length)
    expect(words.slice(0, 7)).toEqual([address_, caller, value, 5n, 0xffffn << 240n, sender, size])
  })
})

describe('what is returned', () => {
  const returns = at(OTHER, 2n ** 256n - 1n, 0, 'MSTORE', 20, 0, 'RETURN')
  const memory: Item[] = [0x11, 31, 'MSTORE', 0x22, 63, 'MSTORE']

  it.each([0, 1, 19, 20, 21, 32])(
    'is written to memory as far as there is room for it: %i bytes',
    async (room) => {
      const code: Item[] = [...memory, ...call(OTHER, { output: [5, room] }), 'POP', 64, 0, 'RETURN']
      const words = await wordsOf({ accounts: [returns], code })
      const bytes = [...words].map((word) => word.toString(16).padStart(64, '0')).join('')
      const written = Math.min(room, 20)
      expect(bytes.slice(10, 10 + 2 * written)).toBe('ff'.repeat(written))
      expect(bytes.slice(10 + 2 * written, 10 + 2 * written + 2)).toBe('00')
    },
  )

  it('is there for RETURNDATASIZE whole, of a revert too, and nothing of a failure', async () => {
    const reverts = at(OTHER, 20, 0, 'REVERT')
    const fails = at(OTHER, 'INVALID')
    expect(await wordOf([...call(OTHER), 'POP', 'RETURNDATASIZE'], { accounts: [returns] })).toBe(20n)
    expect(await wordOf([...call(OTHER), 'POP', 'RETURNDATASIZE'], { accounts: [reverts] })).toBe(20n)
    expect(await wordOf([...call(OTHER), 'POP', 'RETURNDATASIZE'], { accounts: [fails] })).toBe(0n)
    const refused = [
      ...call(OTHER),
      'POP',
      ...call(OTHER, { value: 1_001 }),
      'POP',
      'RETURNDATASIZE',
    ] as const
    expect(await wordOf(refused, { accounts: [returns] })).toBe(0n)
    const toNobody = [...call(OTHER), 'POP', ...call(THIRD), 'POP', 'RETURNDATASIZE'] as const
    expect(await wordOf(toNobody, { accounts: [returns] })).toBe(0n)
  })

  it('has memory that is paid for, of input and output, the farther one', async () => {
    const gasOf = async (fields: Fields) =>
      (await agreed({ accounts: [at(OTHER, 'STOP')], code: call(OTHER, { ...fields, gas: 0 }) })).gas
    const nothing = await gasOf({})
    expect((await gasOf({ input: [32, 32] })) - nothing).toBe(6n)
    expect((await gasOf({ output: [32, 32] })) - nothing).toBe(6n)
    expect((await gasOf({ input: [0, 32], output: [32, 33] })) - nothing).toBe(9n)
    expect((await gasOf({ input: [64, 1], output: [0, 33] })) - nothing).toBe(9n)
    expect((await gasOf({ input: [2n ** 255n, 0], output: [2n ** 64n, 0] })) - nothing).toBe(0n)
  })
})

describe('an account is cold once (EIP-2929)', () => {
  const gasOf = async (...code: Item[]) =>
    (await agreed({ accounts: [at(OTHER, 'STOP'), at(THIRD, 0, 0, 'REVERT')], code })).gas
  const reads = {
    BALANCE: [OTHER, 'BALANCE', 'POP'],
    EXTCODESIZE: [OTHER, 'EXTCODESIZE', 'POP'],
    EXTCODEHASH: [OTHER, 'EXTCODEHASH', 'POP'],
    EXTCODECOPY: [0, 0, 0, OTHER, 'EXTCODECOPY'],
    CALL: [...call(OTHER, { gas: 0 }), 'POP'],
    CALLCODE: [...call(OTHER, { gas: 0, kind: 'CALLCODE' }), 'POP'],
    DELEGATECALL: [...call(OTHER, { gas: 0, kind: 'DELEGATECALL' }), 'POP'],
    STATICCALL: [...call(OTHER, { gas: 0, kind: 'STATICCALL' }), 'POP'],
  } satisfies Record<string, readonly Item[]>

  it.each(Object.entries(reads))('%s warms it', async (_, items) => {
    const once = await gasOf(...items)
    const twice = await gasOf(...items, ...items)
    expect(once - (twice - once)).toBe(2_500n)
    expect((await gasOf(...items, OTHER, 'BALANCE', 'POP')) - once).toBe(105n)
  })

  it('a frame that reverts makes cold again what it warmed', async () => {
    const warms = at(THIRD, OTHER, 'BALANCE', 0, 0, 'REVERT')
    const run = async (...code: Item[]) => (await agreed({ accounts: [warms], code })).gas
    const calls: Item[] = [...call(THIRD), 'POP']
    expect((await run(...calls, OTHER, 'BALANCE', 'POP')) - (await run(...calls))).toBe(2_605n)
    // Accounts that the caller warmed stay warm, and so does the callee.
    const first: Item[] = [OTHER, 'BALANCE', 'POP', ...calls]
    expect((await run(...first, OTHER, 'BALANCE', 'POP')) - (await run(...first))).toBe(105n)
    expect((await run(...calls, THIRD, 'BALANCE', 'POP')) - (await run(...calls))).toBe(105n)
  })

  it('SELFDESTRUCT pays 2,600 for a cold beneficiary, and nothing for a warm one', async () => {
    expect(await gasOf(OTHER, 'SELFDESTRUCT')).toBe(3n + 5_000n + 2_600n)
    expect(await gasOf(OTHER, 'BALANCE', 'POP', OTHER, 'SELFDESTRUCT')).toBe(2_605n + 3n + 5_000n)
  })

  it.each([
    ['the sender', SENDER, 100n],
    ['the receiver', CONTRACT, 100n],
    ['a precompile', address(9), 100n],
    ['the coinbase (EIP-3651)', CONTEXT.coinbase, 100n],
    ['the last precompile', address(0x11), 100n],
    ['P256VERIFY', address(0x100), 100n],
    ['what is behind the precompiles', address(0x12), 2_600n],
    ['the zero address', address(0), 2_600n],
  ] as const)('%s is warm from the beginning, or not', async (_, of, cost) => {
    expect(await gasOf(of, 'BALANCE', 'POP')).toBe(5n + cost)
  })

  it('the coinbase is cold before Shanghai, BLS12-381 before Prague', async () => {
    const code: Item[] = [CONTEXT.coinbase, 'BALANCE', 'POP']
    expect((await agreed({ hardfork: 'paris', code })).gas).toBe(2_605n)
    expect((await agreed({ hardfork: 'cancun', code: [address(0x0b), 'BALANCE', 'POP'] })).gas).toBe(2_605n)
  })

  it('an access list warms accounts and slots (EIP-2930)', async () => {
    const slot = `0x${'00'.repeat(31)}07` as const
    const message = {
      accessList: [
        { address: OTHER, storageKeys: [] },
        { address: CONTRACT, storageKeys: [slot] },
      ],
    }
    const code: Item[] = [OTHER, 'BALANCE', 'POP', 7, 'SLOAD', 'POP', 8, 'SLOAD', 'POP']
    expect((await agreed({ code, message })).gas).toBe(105n + 105n + 2_105n)
  })
})

it('1,024 frames are open at most: the deepest one cannot call, and keeps its gas', async () => {
  const counts: Item[] = [
    ...([0, 'CALLDATALOAD', 1, 'ADD', 'DUP1', 0, 'MSTORE'] as const),
    ...call(CONTRACT, { gas: 'GAS', input: [0, 32], output: [0, 32] }),
    ...(['POP', 'POP', 32, 0, 'RETURN'] as const),
  ]
  const [depth] = await wordsOf({ code: counts, gas: 2n ** 42n })
  expect(depth).toBe(1_025n)
})
