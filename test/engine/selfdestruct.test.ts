/** SELFDESTRUCT under all its rules: EIP-150, 161, 2929, 3529, 6780. */
import { describe, expect, it } from 'vitest'
import type { Address } from '../../src/bytes/hex.ts'
import { contractAddress } from '../../src/model/account/account.ts'
import type { AnyHardfork } from '../../src/model/hardfork/hardfork.ts'
import { assemble, creationOf, type Item, inMemory } from '../support/compilers/assembly.ts'
import { agreed, CONTRACT, wordOf } from '../support/engines/agreement.ts'
import { address } from '../support/engines/scenes.ts'

const DOOMED = address(0xd0)
const HEIR = address(0xd1)
const THIRD = address(0xd2)
const CREATED = contractAddress(CONTRACT, 1n)

const call = (to: Item, value: Item = 0): Item[] => [0, 0, 0, 0, value, to, 100_000, 'CALL', 'POP']
const doomed = (...code: Item[]) => ({
  address: DOOMED,
  nonce: 1n,
  balance: 20n,
  code: assemble(...code, 'SELFDESTRUCT'),
  storage: [[1n, 1n] as const],
})
/** A call that fails and takes 600,000 gas: so much that refunds are not capped. */
const SPENDS: readonly Item[] = [0, 0, 0, 0, 0, THIRD, 600_000, 'CALL', 'POP']
const FAILS = { address: THIRD, nonce: 1n, code: assemble('INVALID') }

const OLD: readonly AnyHardfork[] = [
  'frontier',
  'tangerineWhistle',
  'byzantium',
  'berlin',
  'london',
  'shanghai',
]
const NEW: readonly AnyHardfork[] = ['cancun', 'osaka']

describe.each(OLD)('in %s', (hardfork) => {
  it('an account is removed, with its storage, and its ether goes to the heir', async () => {
    const { state } = await agreed({ hardfork, code: call(DOOMED, 5), accounts: [doomed(HEIR)] })
    expect(state.account(DOOMED)).toBeUndefined()
    expect(state.account(HEIR)?.balance).toBe(25n)
  })

  it('it is there until the end of the message, and what it receives is gone then', async () => {
    const reads: Item[] = [
      ...call(DOOMED),
      ...call(DOOMED, 7),
      DOOMED,
      'EXTCODESIZE',
      DOOMED,
      'BALANCE',
      'ADD',
    ]
    const size = BigInt(doomed(HEIR).code.length)
    expect(await wordOf(reads, { hardfork, accounts: [doomed(HEIR)] })).toBe(size)
    const pays = { address: THIRD, nonce: 1n, balance: 9n, code: assemble(DOOMED, 'SELFDESTRUCT') }
    const { state } = await agreed({
      hardfork,
      code: [...call(DOOMED), ...call(THIRD)],
      accounts: [doomed(HEIR), pays],
    })
    expect([state.account(DOOMED), state.account(THIRD)]).toEqual([undefined, undefined])
    expect(state.account(HEIR)?.balance).toBe(20n)
  })

  it('ether that is left to itself is burned', async () => {
    const { state } = await agreed({ hardfork, code: call(DOOMED), accounts: [doomed(DOOMED)] })
    expect(state.account(DOOMED)).toBeUndefined()
    const reads: Item[] = [...call(DOOMED), DOOMED, 'BALANCE']
    expect(await wordOf(reads, { hardfork, accounts: [doomed(DOOMED)] })).toBe(0n)
  })

  it('24,000 gas are refunded once for an account, until London (EIP-3529)', async () => {
    const refundOf = async (...code: Item[]) => {
      const other = { ...doomed(HEIR), address: HEIR }
      const accounts = [doomed(THIRD), other, FAILS]
      const { outcome } = await agreed({ hardfork, code: [...code, ...SPENDS], accounts, gas: 1_500_000n })
      return outcome.gasBeforeRefund - outcome.gasUsed
    }
    const refund = hardfork === 'london' || hardfork === 'shanghai' ? 0n : 24_000n
    expect(await refundOf(...call(DOOMED))).toBe(refund)
    expect(await refundOf(...call(DOOMED), ...call(DOOMED))).toBe(refund)
    expect(await refundOf(...call(DOOMED), ...call(HEIR), ...call(DOOMED))).toBe(2n * refund)
  })
})

describe.each(NEW)('in %s (EIP-6780)', (hardfork) => {
  it('an account stays, without its ether', async () => {
    const { state } = await agreed({ hardfork, code: call(DOOMED), accounts: [doomed(HEIR)] })
    expect(state.account(DOOMED)).toMatchObject({ nonce: 1n, balance: 0n })
    expect(state.storage(DOOMED, 1n)).toBe(1n)
    expect(state.account(HEIR)?.balance).toBe(20n)
  })

  it('ether that is left to itself stays', async () => {
    const { state } = await agreed({ hardfork, code: call(DOOMED), accounts: [doomed(DOOMED)] })
    expect(state.account(DOOMED)).toMatchObject({ nonce: 1n, balance: 20n })
  })

  it('what was created in the same message is removed, and burns what is left to itself', async () => {
    for (const heir of [HEIR, CREATED] as const) {
      const initCode = assemble(1, 0, 'SSTORE', heir, 'SELFDESTRUCT')
      const code: Item[] = [inMemory(initCode), initCode.length, 0, 6, 'CREATE', 0, 'SSTORE']
      const { state } = await agreed({ hardfork, code })
      expect(state.storage(CONTRACT, 0n)).toBe(BigInt(CREATED))
      expect(state.account(CREATED)).toBeUndefined()
      expect(state.account(HEIR)?.balance).toBe(heir === HEIR ? 6n : undefined)
      expect(state.account(CONTRACT)?.balance).toBe(994n)
    }
  })

  it('so is what was created, and is called later in the message', async () => {
    const initCode = creationOf(assemble(HEIR, 'SELFDESTRUCT'))
    const code: Item[] = [inMemory(initCode), initCode.length, 0, 6, 'CREATE', ...call(CREATED, 1)]
    const { state } = await agreed({ hardfork, code })
    expect(state.account(CREATED)).toBeUndefined()
    expect(state.account(HEIR)?.balance).toBe(7n)
  })

  it('what an earlier message created stays', async () => {
    const initCode = creationOf(assemble(HEIR, 'SELFDESTRUCT'))
    const { state } = await agreed({ hardfork, code: [inMemory(initCode), initCode.length, 0, 6, 'CREATE'] })
    const made = { address: CREATED, nonce: 1n, balance: 6n, code: state.code(CREATED) }
    const next = await agreed({ hardfork, code: call(CREATED), accounts: [made] })
    expect(next.state.account(CREATED)).toMatchObject({ nonce: 1n, balance: 0n })
  })

  it('an account that had ether before it was created is removed as well', async () => {
    const initCode = assemble(HEIR, 'SELFDESTRUCT')
    const code: Item[] = [inMemory(initCode), initCode.length, 0, 6, 'CREATE']
    const { state } = await agreed({ hardfork, code, accounts: [{ address: CREATED, balance: 30n }] })
    expect(state.account(CREATED)).toBeUndefined()
    expect(state.account(HEIR)?.balance).toBe(36n)
  })

  it('nothing is refunded', async () => {
    const { outcome } = await agreed({ hardfork, code: call(DOOMED), accounts: [doomed(HEIR)] })
    expect(outcome.gasBeforeRefund).toBe(outcome.gasUsed)
  })
})

describe.each([...OLD, ...NEW])('the gas in %s', (hardfork) => {
  it('is 0 before EIP-150, then 5,000, then 2,600 more if the heir is cold, and 25,000 for a new account', async () => {
    const gasOf = async (heir: Address, balance: bigint) => {
      const account = { address: DOOMED, nonce: 1n, balance, code: assemble(heir, 'SELFDESTRUCT') }
      const there = { address: THIRD, balance: 1n }
      return (await agreed({ hardfork, accounts: [account, there], message: { to: DOOMED } })).gas - 3n
    }
    const isFree = hardfork === 'frontier'
    const cold = ['frontier', 'tangerineWhistle', 'byzantium'].includes(hardfork) ? 0n : 2_600n
    const base = isFree ? 0n : 5_000n
    expect(await gasOf(THIRD, 1n)).toBe(base + cold)
    expect(await gasOf(HEIR, 1n)).toBe(base + cold + (isFree ? 0n : 25_000n))
    expect(await gasOf(HEIR, 0n)).toBe(base + cold + (hardfork === 'tangerineWhistle' ? 25_000n : 0n))
    // The account itself is warm, and there.
    expect(await gasOf(DOOMED, 1n)).toBe(base)
  })
})
