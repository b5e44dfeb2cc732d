/** Which accounts are made and removed: touched accounts that are empty (EIP-161), payments to new ones (EIP-158). */
import { describe, expect, it } from 'vitest'
import type { Address } from '../../src/bytes/hex.ts'
import type { AnyHardfork } from '../../src/model/hardfork/hardfork.ts'
import { assemble, type Item } from '../support/compilers/assembly.ts'
import { agreed, type Given, wordOf } from '../support/engines/agreement.ts'
import { address, CONTEXT } from '../support/engines/scenes.ts'

const EMPTY = address(0xe0)
const OTHER = address(0xe1)
const RIPEMD = address(3)

/** An empty account in the state, as chains before Spurious Dragon and cheats leave it. */
const emptyAt = (at: Address) => ({ address: at, balance: 0n, nonce: 0n })

const call = (to: Address, value: Item = 0, gas: Item = 50_000): Item[] => [
  0,
  0,
  0,
  0,
  value,
  to,
  gas,
  'CALL',
]
const without = (kind: 'STATICCALL' | 'DELEGATECALL', to: Address): Item[] => [0, 0, 0, 0, to, 50_000, kind]

/** Returns whether the account at `at` exists after the message. */
async function existsAfter(at: Address, given: Given): Promise<boolean> {
  return (await agreed(given)).state.account(at) !== undefined
}

describe('an empty account', () => {
  it.each([
    ['a CALL without value', call(EMPTY), false],
    ['a STATICCALL', without('STATICCALL', EMPTY), false],
    ['a SELFDESTRUCT without balance', [...call(OTHER)], false],
    ['a DELEGATECALL', without('DELEGATECALL', EMPTY), true],
    ['a CALLCODE', [0, 0, 0, 0, 0, EMPTY, 50_000, 'CALLCODE'], true],
    ['BALANCE', [EMPTY, 'BALANCE'], true],
    ['EXTCODEHASH', [EMPTY, 'EXTCODEHASH'], true],
    ['a CALL with a value', call(EMPTY, 1), true],
  ] as const)('that %s touches exists afterwards: %j', async (_, code, exists) => {
    for (const hardfork of ['constantinople', 'berlin', 'osaka'] as const) {
      const destroys = { address: OTHER, nonce: 1n, code: assemble(EMPTY, 'SELFDESTRUCT') }
      const accounts = [emptyAt(EMPTY), destroys]
      expect(await existsAfter(EMPTY, { hardfork, code, accounts })).toBe(exists)
    }
  })

  it.each(['frontier', 'tangerineWhistle', 'spuriousDragon', 'osaka'] as const)(
    'that receives a transaction of nothing is removed from Spurious Dragon on, and made before (%s)',
    async (hardfork) => {
      const isOld = hardfork === 'frontier' || hardfork === 'tangerineWhistle'
      expect(await existsAfter(EMPTY, { hardfork, accounts: [emptyAt(EMPTY)], message: { to: EMPTY } })).toBe(
        isOld,
      )
      expect(await existsAfter(EMPTY, { hardfork, message: { to: EMPTY } })).toBe(isOld)
    },
  )

  it.each(['frontier', 'tangerineWhistle', 'spuriousDragon', 'london', 'osaka'] as const)(
    'that is the coinbase is removed if it earns nothing, from Spurious Dragon on; before it is made (%s)',
    async (hardfork) => {
      const isOld = hardfork === 'frontier' || hardfork === 'tangerineWhistle'
      const message = { tip: 0n, gasPrice: hardfork === 'london' || hardfork === 'osaka' ? 7n : 0n }
      const { coinbase } = CONTEXT
      expect(await existsAfter(coinbase, { hardfork, accounts: [emptyAt(coinbase)], message })).toBe(isOld)
      expect(await existsAfter(coinbase, { hardfork, message })).toBe(isOld)
    },
  )

  it('is one without nonce, balance and code: others that are touched stay', async () => {
    for (const fields of [{ nonce: 1n }, { balance: 1n }, { code: assemble('STOP') }]) {
      const accounts = [{ ...emptyAt(EMPTY), ...fields }]
      for (const hardfork of ['byzantium', 'osaka'] as const)
        expect(await existsAfter(EMPTY, { hardfork, code: call(EMPTY), accounts })).toBe(true)
    }
  })

  it('stays if the frame that touched it reverts', async () => {
    const reverts = { address: OTHER, nonce: 1n, code: assemble(...call(EMPTY), 0, 0, 'REVERT') }
    for (const hardfork of ['byzantium', 'osaka'] as const)
      expect(
        await existsAfter(EMPTY, { hardfork, code: call(OTHER), accounts: [emptyAt(EMPTY), reverts] }),
      ).toBe(true)
  })

  it('stays if the message reverts, and is removed if another frame touches it as well', async () => {
    const reverts = { address: OTHER, nonce: 1n, code: assemble(...call(EMPTY), 0, 0, 'REVERT') }
    const accounts = [emptyAt(EMPTY), reverts]
    expect(await existsAfter(EMPTY, { code: [...call(EMPTY), 0, 0, 'REVERT'], accounts })).toBe(true)
    expect(await existsAfter(EMPTY, { code: [...call(OTHER), ...call(EMPTY)], accounts })).toBe(false)
    expect(await existsAfter(EMPTY, { code: [...call(EMPTY), ...call(OTHER)], accounts })).toBe(false)
  })

  it('is one without code: a contract that has paid away all its ether stays, unless it is destroyed', async () => {
    const forwards = { address: OTHER, code: assemble(...call(EMPTY, 'SELFBALANCE')) }
    const { state } = await agreed({ code: call(OTHER, 5), accounts: [forwards] })
    expect(state.account(EMPTY)?.balance).toBe(5n)
    expect(state.account(OTHER)?.balance).toBe(0n)
    const destroyed = { address: OTHER, code: assemble(EMPTY, 'SELFDESTRUCT') }
    const created = await agreed({ hardfork: 'london', code: call(OTHER, 5), accounts: [destroyed] })
    expect(created.state.account(OTHER)).toBeUndefined()
  })
})

describe('the precompile RIPEMD-160', () => {
  // In block 2,675,119 of mainnet it was touched by a call that ran out of gas, and removed all the same.
  it('is removed although the call that touched it failed', async () => {
    const code = [...call(RIPEMD, 0, 1)]
    for (const hardfork of ['spuriousDragon', 'byzantium'] as const)
      expect(await existsAfter(RIPEMD, { hardfork, code, accounts: [emptyAt(RIPEMD)] })).toBe(false)
  })

  it('is removed although the frame that called it reverted, and no other precompile is', async () => {
    for (const at of [address(2), RIPEMD, address(4)]) {
      const reverts = { address: OTHER, nonce: 1n, code: assemble(...call(at), 0, 0, 'REVERT') }
      const accounts = [emptyAt(at), reverts]
      const exists = await existsAfter(at, { hardfork: 'byzantium', code: call(OTHER), accounts })
      expect([at, exists]).toEqual([at, at !== RIPEMD])
    }
  })

  it('stays if it has a balance', async () => {
    const accounts = [{ address: RIPEMD, balance: 1n }]
    expect(
      await existsAfter(RIPEMD, { hardfork: 'spuriousDragon', code: call(RIPEMD, 0, 1), accounts }),
    ).toBe(true)
  })
})

describe('the 25,000 gas of a new account', () => {
  const HARDFORKS: readonly AnyHardfork[] = [
    'frontier',
    'homestead',
    'tangerineWhistle',
    'spuriousDragon',
    'berlin',
    'osaka',
  ]
  /** Returns the additional gas of a call, compared with one of a cold account with a balance. */
  const extra = async (
    hardfork: AnyHardfork,
    items: (to: Address) => Item[],
    accounts: Given['accounts'] = [],
  ) => {
    const filled = { address: OTHER, balance: 1n }
    const given = { hardfork, accounts: [...accounts, filled] }
    const run = async (to: Address) => (await agreed({ ...given, code: [...items(to), 'POP'] })).gas
    return (await run(EMPTY)) - (await run(OTHER))
  }
  const isOld = (hardfork: AnyHardfork) => ['frontier', 'homestead', 'tangerineWhistle'].includes(hardfork)

  it.each(HARDFORKS)('is for a value to an account that is not there (%s)', async (hardfork) => {
    expect(await extra(hardfork, (to) => call(to, 1, 0))).toBe(25_000n)
  })

  it.each(HARDFORKS)('is for a call without a value until EIP-161 (%s)', async (hardfork) => {
    expect(await extra(hardfork, (to) => call(to, 0, 0))).toBe(isOld(hardfork) ? 25_000n : 0n)
  })

  it.each(HARDFORKS)('is for an account that is there, but empty, from EIP-161 on (%s)', async (hardfork) => {
    const there = [emptyAt(EMPTY)]
    expect(await extra(hardfork, (to) => call(to, 1, 0), there)).toBe(isOld(hardfork) ? 0n : 25_000n)
  })

  it.each(HARDFORKS)('is not for CALLCODE, which pays nobody (%s)', async (hardfork) => {
    expect(await extra(hardfork, (to) => [0, 0, 0, 0, 1, to, 0, 'CALLCODE'])).toBe(0n)
  })

  it.each(HARDFORKS)(
    'is for SELFDESTRUCT from EIP-150 on, if it pays from EIP-161 on (%s)',
    async (hardfork) => {
      const cost = async (balance: bigint) => {
        const run = async (to: Address) => {
          const destroys = { address: address(0xd0), nonce: 1n, balance, code: assemble(to, 'SELFDESTRUCT') }
          const accounts = [{ address: OTHER, balance: 1n }, destroys]
          return (await agreed({ hardfork, accounts, message: { to: destroys.address } })).gas
        }
        return (await run(EMPTY)) - (await run(OTHER))
      }
      const isFree = hardfork === 'frontier' || hardfork === 'homestead'
      expect(await cost(1n)).toBe(isFree ? 0n : 25_000n)
      expect(await cost(0n)).toBe(hardfork === 'tangerineWhistle' ? 25_000n : 0n)
    },
  )
})

describe('EXTCODEHASH', () => {
  it.each([
    ['nothing', [], 0n],
    ['an empty account', [emptyAt(EMPTY)], 0n],
    [
      'a balance',
      [{ address: EMPTY, balance: 1n }],
      0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470n,
    ],
    [
      'a nonce',
      [{ address: EMPTY, nonce: 1n }],
      0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470n,
    ],
  ] as const)('of %s is as EIP-1052 says', async (_, accounts, hash) => {
    expect(await wordOf([EMPTY, 'EXTCODEHASH'], { accounts })).toBe(hash)
  })
})
