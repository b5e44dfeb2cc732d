/** The steps of a message around its code: payments, warm accounts, and the block and transaction that the code sees. */
import { describe, expect, it } from 'vitest'
import type { Hash } from '../../../src/bytes/hex.ts'
import type { Item } from '../../support/compilers/assembly.ts'
import {
  agreed,
  CONTRACT,
  type Given,
  RICH,
  SENDER,
  wordOf,
  wordsOf,
} from '../../support/engines/agreement.ts'
import { ALL_HARDFORKS } from '../../support/engines/randomRun.ts'
import { address, blockHash, CONTEXT } from '../../support/engines/scenes.ts'

const OTHER = address(0xc1)
const SYSTEM = '0xfffffffffffffffffffffffffffffffffffffffe'
const balances = async (given: Given) => {
  const { state, outcome } = await agreed(given)
  const of = (at: typeof SENDER) => state.account(at)?.balance ?? 0n
  return { outcome, state, paid: RICH - of(SENDER), earned: of(CONTEXT.coinbase) }
}

describe('the sender pays', () => {
  const SPENDING: readonly (readonly [string, readonly Item[]])[] = [
    ['succeeds', [1, 0, 'SSTORE']],
    ['reverts', [1, 0, 'SSTORE', 0, 0, 'REVERT']],
    ['fails', ['INVALID']],
  ]

  it.each(SPENDING)('for gas, and the coinbase earns the tip, if the code %s', async (ends, code) => {
    const { paid, earned, outcome } = await balances({ code, message: { value: 3n, gasPrice: 9n, tip: 2n } })
    const value = ends === 'succeeds' ? 3n : 0n
    expect(paid).toBe(outcome.gasUsed * 9n + value)
    expect(earned).toBe(outcome.gasUsed * 2n)
    if (ends === 'fails') expect(outcome.gasUsed).toBe(1_021_000n)
  })

  it('for gas that is refunded nothing', async () => {
    const storage = [[0n, 1n] as const]
    const given: Given = { code: [0, 0, 'SSTORE'], accounts: [{ address: CONTRACT, storage }] }
    const { paid, earned, outcome } = await balances(given)
    expect(outcome.gasBeforeRefund - outcome.gasUsed).toBe(4_800n)
    expect([paid, earned]).toEqual([outcome.gasUsed * 9n, outcome.gasUsed * 2n])
  })

  it('for blobs, which nobody earns (EIP-4844)', async () => {
    const blobVersionedHashes: Hash[] = [`0x01${'ab'.repeat(31)}`, `0x01${'cd'.repeat(31)}`]
    const { paid, earned, outcome } = await balances({ message: { blobVersionedHashes, blobGasPrice: 5n } })
    expect(paid).toBe(outcome.gasUsed * 9n + 2n * 131_072n * 5n)
    expect(earned).toBe(outcome.gasUsed * 2n)
  })

  it('if it is the coinbase as well', async () => {
    const { state, outcome } = await agreed({ context: { coinbase: SENDER }, message: { value: 5n } })
    expect(state.account(SENDER)?.balance).toBe(RICH - 5n - outcome.gasUsed * 7n)
  })

  it('a nonce, in every case', async () => {
    for (const [, code] of SPENDING) expect((await agreed({ code })).state.account(SENDER)?.nonce).toBe(1n)
  })

  it('at least 10 gas for each token of calldata (EIP-7623)', async () => {
    const data = new Uint8Array(1_000).fill(1)
    const used = async (hardfork: 'cancun' | 'prague' | 'osaka', code: Item[] = []) =>
      (await agreed({ hardfork, code, message: { data } })).outcome.gasUsed
    expect(await used('cancun')).toBe(21_000n + 16_000n)
    expect(await used('prague')).toBe(21_000n + 40_000n)
    // The gas used counts towards the floor; refunds are subtracted before.
    expect(await used('osaka', [1, 0, 'SSTORE'])).toBe(21_000n + 40_000n)
    expect(await used('osaka', [1, 0, 'SSTORE', 1, 1, 'SSTORE'])).toBe(21_000n + 16_000n + 2n * 22_106n)
    const storage = [[0n, 1n] as const]
    const refunds: Given = {
      code: [0, 0, 'SSTORE', 1, 1, 'SSTORE'],
      accounts: [{ address: CONTRACT, storage }],
    }
    const { outcome } = await agreed({ ...refunds, message: { data } })
    expect(outcome.gasUsed).toBe(21_000n + 40_000n)
  })
})

describe.each(ALL_HARDFORKS)('in %s', (hardfork) => {
  it('calls, creations, data and values are paid for equally', async () => {
    for (const length of [0, 1, 31, 32, 33, 500]) {
      const data = Uint8Array.from({ length }, (_, i) => (i % 3 === 0 ? 0 : 0x5b))
      for (const to of [CONTRACT, OTHER, address(4), undefined])
        await agreed({ hardfork, message: { to, data, value: 1n } })
    }
  })

  it('what is warm, and what the code sees of block and transaction, is the same', async () => {
    const places = [SENDER, CONTRACT, CONTEXT.coinbase, OTHER, ...[1, 5, 9, 10, 11, 17, 18, 256].map(address)]
    const reads = places.flatMap((at): Item[] => [at, 'BALANCE', 'POP', at, 'EXTCODESIZE', 'POP'])
    await agreed({ hardfork, code: reads })
    const words: Item[] = [
      'ORIGIN',
      'GASPRICE',
      'COINBASE',
      'TIMESTAMP',
      'NUMBER',
      'PREVRANDAO',
      'GASLIMIT',
      'CALLER',
      'CALLVALUE',
    ]
    const noted = words.flatMap((word, i): Item[] => [word, 32 * i, 'MSTORE'])
    const [origin, price, coinbase, time, number, , limit] = await wordsOf({
      hardfork,
      code: [...noted, 288, 0, 'RETURN'],
    })
    expect([origin, price, coinbase]).toEqual([BigInt(SENDER), 9n, BigInt(CONTEXT.coinbase)])
    expect([time, number, limit]).toEqual([CONTEXT.timestamp, CONTEXT.number, CONTEXT.gasLimit])
  })
})

describe('code sees', () => {
  it('hashes of the 256 blocks before its own, and of no other', async () => {
    const of = (number: bigint) => wordOf([number, 'BLOCKHASH'])
    for (const number of [999n, 998n, 745n, 744n]) expect(await of(number)).toBe(BigInt(blockHash(number)))
    for (const number of [
      743n,
      0n,
      1_000n,
      1_001n,
      2n ** 32n + 999n,
      2n ** 64n - 1n,
      2n ** 64n + 999n,
      2n ** 255n,
    ])
      expect(await of(number)).toBe(0n)
    // Not even where it is known: code cannot see the hash of its own block.
    const context = { blockHash }
    for (const number of [743n, 1_000n, 1_001n])
      expect(await wordOf([number, 'BLOCKHASH'], { context })).toBe(0n)
  })

  it('0 for a block among them whose hash is not known, and for those before the first', async () => {
    const context = { blockHash: (number: bigint) => (number === 990n ? undefined : blockHash(number)) }
    expect(await wordOf([990, 'BLOCKHASH'], { context })).toBe(0n)
    expect(await wordOf([991, 'BLOCKHASH'], { context })).toBe(BigInt(blockHash(991n)))
    const early = {
      number: 3n,
      blockHash: (number: bigint) => (number < 3n && number >= 0n ? blockHash(number) : undefined),
    }
    expect(await wordOf([0, 'BLOCKHASH'], { context: early })).toBe(BigInt(blockHash(0n)))
    expect(await wordOf([3, 'BLOCKHASH'], { context: early })).toBe(0n)
    expect(await wordOf([2n ** 256n - 1n, 'BLOCKHASH'], { context: early })).toBe(0n)
  })

  it.each([
    [0n, 1],
    [1n, 2],
    [2n, 0],
    [3n, 0],
    [2n ** 32n, 0],
    [2n ** 32n + 1n, 0],
    [2n ** 64n, 0],
    [2n ** 64n + 1n, 0],
    [2n ** 255n, 0],
  ])('of two versioned hashes at %s the one with %s, or 0 (EIP-4844)', async (index, which) => {
    const blobVersionedHashes: Hash[] = [`0x01${'ab'.repeat(31)}`, `0x01${'cd'.repeat(31)}`]
    const word = await wordOf([index, 'BLOBHASH'], { message: { blobVersionedHashes } })
    expect(word).toBe(which === 0 ? 0n : BigInt(blobVersionedHashes[which - 1]!))
    // And none in the next message.
    expect(await wordOf([index, 'BLOBHASH'])).toBe(0n)
  })

  it('the base fee and the price of blob gas (EIP-3198, EIP-7516)', async () => {
    const context = { baseFeePerGas: 6n, blobBaseFee: 2n ** 70n }
    expect(await wordOf(['BASEFEE'], { context })).toBe(6n)
    expect(await wordOf(['BLOBBASEFEE'], { context })).toBe(2n ** 70n)
    expect(await wordOf(['CHAINID'])).toBe(31_337n)
    expect(await wordOf(['PREVRANDAO'])).toBe(BigInt(CONTEXT.prevRandao))
  })
})

describe('a call by the protocol (EIP-4788)', () => {
  const system = (code: readonly Item[]): Given => ({
    code,
    gas: 30_000_000n,
    message: { kind: 'system', type: 0, from: SYSTEM, gasPrice: 0n, tip: 0n, mayComeFromContract: true },
  })

  it('pays nothing, has no nonce, and no gas is charged before its first instruction', async () => {
    const { state, outcome } = await agreed(system([1, 0, 'SSTORE']))
    expect(outcome.gasUsed).toBe(6n + 22_100n)
    expect(state.account(SYSTEM)).toBeUndefined()
    expect(state.account(CONTEXT.coinbase)).toBeUndefined()
    expect(state.storage(CONTRACT, 0n)).toBe(1n)
  })

  it('refunds nothing', async () => {
    const given = system([0, 0, 'SSTORE'])
    const { outcome } = await agreed({ ...given, accounts: [{ address: CONTRACT, storage: [[0n, 1n]] }] })
    expect(outcome.gasUsed).toBe(6n + 5_000n)
  })

  it('finds what it calls warm, and neither the coinbase nor the caller', async () => {
    const gasOf = async (of: typeof SENDER) =>
      (await agreed(system([of, 'BALANCE', 'POP']))).outcome.gasUsed - 5n
    expect(await gasOf(CONTRACT)).toBe(100n)
    expect(await gasOf(CONTEXT.coinbase)).toBe(2_600n)
    expect(await gasOf(SYSTEM)).toBe(2_600n)
    expect(await gasOf(address(2))).toBe(100n)
  })
})

describe('a deposit', () => {
  const deposit = (fields: Given['message'], code: readonly Item[] = [1, 0, 'SSTORE']): Given => ({
    code,
    message: { kind: 'deposit', type: 126, gasPrice: 0n, tip: 0n, mayComeFromContract: true, ...fields },
  })

  it('pays no fee, and its nonce increases', async () => {
    const { state, outcome } = await agreed(deposit({ value: 5n }))
    expect(outcome.kind).toBe('success')
    expect(state.account(SENDER)).toMatchObject({ nonce: 1n, balance: RICH - 5n })
    expect(state.account(CONTEXT.coinbase)).toBeUndefined()
  })

  it.each([
    ['a value that it has not', { value: RICH + 1n }, 'insufficientBalance'],
    ['less gas than a transaction needs', { gasLimit: 20_999n }, 'outOfGas'],
  ] as const)('with %s fails, uses all its gas, and its nonce increases', async (_, fields, reason) => {
    const { state, outcome } = await agreed(deposit(fields))
    expect(outcome).toMatchObject({ kind: 'halt', reason })
    expect(outcome.gasUsed).toBe('gasLimit' in fields ? fields.gasLimit : 1_021_000n)
    expect(state.account(SENDER)).toMatchObject({ nonce: 1n, balance: RICH })
    expect(state.storage(CONTRACT, 0n)).toBe(0n)
  })

  it('with exactly the gas of a transaction runs', async () => {
    const { outcome } = await agreed(deposit({ gasLimit: 21_000n, value: RICH }, []))
    expect(outcome).toMatchObject({ kind: 'success', gasUsed: 21_000n })
  })
})

it('a message of a value that the sender has after its gas, to the last wei', async () => {
  const gasLimit = 1_021_000n
  const value = RICH - gasLimit * 9n
  const { state, outcome } = await agreed({ message: { value } })
  expect(outcome.kind).toBe('success')
  expect(state.account(CONTRACT)?.balance).toBe(1_000n + value)
})
