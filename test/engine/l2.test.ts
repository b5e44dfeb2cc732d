import { describe, expect, it } from 'vitest'
import { type Address, fromHex } from '../../src/bytes/hex.ts'
import { Evm } from '../../src/engine/evm.ts'
import { type Run, runTransaction } from '../../src/engine/run/runMessage.ts'
import { withL2Predeploys } from '../../src/model/bytecode/l2Predeploys.ts'
import { createRules, type Hardfork } from '../../src/model/hardfork/hardfork.ts'
import { decodeDeposit, toTransaction } from '../../src/model/l2/deposit.ts'
import { l1BlockStorage, nextOrigin } from '../../src/model/l2/l1Attributes.ts'
import { L1_BLOCK, L1_FEE_VAULT, type L2Upgrade, SEQUENCER_FEE_VAULT } from '../../src/model/l2/l2.ts'
import type { Transaction } from '../../src/model/transaction/transaction.ts'
import { State } from '../../src/state/state.ts'
import type { MaybePromise } from '../../src/work/maybePromise.ts'
import { ALICE } from '../support/chains/sequencers.ts'
import { sign } from '../support/chains/signing.ts'
import { answering, assemble, creationOf } from '../support/compilers/assembly.ts'
import { createEngine } from '../support/engines/engineOfRun.ts'
import { address, CONTEXT } from '../support/engines/scenes.ts'

const CONTEXT_OF_L2 = { ...CONTEXT, coinbase: SEQUENCER_FEE_VAULT }
const SENDER: Address = `0x${'51'.repeat(20)}`
/** Notes value, gas price, origin, base fee and its sender's balance. */
const NOTES = address(0xc1)
const REVERTS = address(0xc2)
const HALTS = address(0xc3)
const CLEARS = address(0xc4)
const DESTROYS = address(0xc5)
const NOBODY = address(0xee)

const WORLD = State.empty.with([
  { address: SENDER, nonce: 5n, balance: 1_000n },
  {
    address: NOTES,
    nonce: 1n,
    code: assemble(
      ...(['CALLVALUE', 1, 'SSTORE', 'GASPRICE', 2, 'SSTORE', 'ORIGIN', 3, 'SSTORE'] as const),
      ...(['BASEFEE', 4, 'SSTORE', 'CALLER', 'BALANCE', 5, 'SSTORE'] as const),
    ),
  },
  { address: REVERTS, nonce: 1n, code: assemble(7, 9, 'SSTORE', 0, 0, 'REVERT') },
  { address: HALTS, nonce: 1n, code: assemble('INVALID') },
  { address: CLEARS, nonce: 1n, code: assemble(0, 1, 'SSTORE'), storage: [[1n, 9n]] },
  { address: DESTROYS, nonce: 1n, code: assemble('CALLER', 'SELFDESTRUCT') },
])

function machine(hardfork: Hardfork = 'prague', l2Upgrade: L2Upgrade = 'jovian'): Evm {
  return new Evm(createEngine(createRules(hardfork, 31_337n, { l2: 'base', l2Upgrade })))
}

function run(transaction: Transaction, state = WORLD, evm = machine()): MaybePromise<Run> {
  return runTransaction(evm, state, CONTEXT_OF_L2, transaction)
}

/** A deposit without value, to an address without an account. */
function deposit(fields: Partial<Parameters<typeof toTransaction>[0]>): Transaction {
  return toTransaction({
    ...{ sourceHash: `0x${'11'.repeat(32)}`, from: SENDER, to: NOBODY, data: new Uint8Array() },
    ...{ mint: 0n, value: 0n, gasLimit: 200_000n },
    ...fields,
  })
}

function balanceOf({ state }: Run, of: Address): bigint {
  return state.account(of)?.balance ?? 0n
}

describe('a deposit', () => {
  // Gas and balances are those of anvil 1.7.1, which runs them with op-revm.
  it.each<[what: string, fields: Parameters<typeof deposit>[0], kind: string, gas: bigint, left: bigint]>([
    ['that only mints', { mint: 5n }, 'success', 21_000n, 1_005n],
    ['that sends what it mints', { mint: 1_000n, value: 400n }, 'success', 21_000n, 1_600n],
    ['that reverts', { to: REVERTS, mint: 77n, value: 7n }, 'revert', 43_112n, 1_077n],
    ['that halts', { to: HALTS, mint: 77n, value: 7n }, 'halt', 200_000n, 1_077n],
    ['that runs out of gas', { to: NOTES, mint: 3n, gasLimit: 30_000n }, 'halt', 30_000n, 1_003n],
    ['that clears a slot', { to: CLEARS }, 'success', 21_206n, 1_000n],
    ['with much data', { data: new Uint8Array(500).fill(1) }, 'success', 41_000n, 1_000n],
    ['whose contract destroys itself', { to: DESTROYS, mint: 10n, value: 3n }, 'success', 26_002n, 1_010n],
    [
      'that creates a contract',
      { to: undefined, mint: 10n, value: 3n, data: creationOf(answering(42)) },
      'success',
      55_322n,
      1_007n,
    ],
    [
      'that fails to create one',
      { to: undefined, mint: 10n, value: 3n, data: assemble('INVALID') },
      'halt',
      200_000n,
      1_010n,
    ],
    [
      'that creates one which destroys itself',
      { to: undefined, mint: 10n, value: 3n, data: assemble('CALLER', 'SELFDESTRUCT') },
      'success',
      58_036n,
      1_010n,
    ],
    // As in op-geth and op-revm, a deposit that cannot start fails and uses all its gas.
    ['that sends more than there is', { mint: 3n, value: 1_004n }, 'halt', 200_000n, 1_003n],
    ['with too little gas to begin', { mint: 3n, gasLimit: 20_000n }, 'halt', 20_000n, 1_003n],
    [
      'with less gas than its data costs',
      { data: new Uint8Array(500).fill(1), gasLimit: 40_999n },
      'halt',
      40_999n,
      1_000n,
    ],
  ])(
    '%s uses the gas that it should, keeps what was minted, and moves the nonce',
    async (_, fields, kind, gas, left) => {
      const done = await run(deposit(fields))
      expect(done.outcome).toMatchObject({ kind, gasUsed: gas })
      expect(done.state.account(SENDER)).toMatchObject({ nonce: 6n, balance: left })
      expect(done.l2).toMatchObject({ depositNonce: 5n, l1: { fee: 0n } })
    },
  )

  it('pays nobody: neither tips nor the base fee nor L1', async () => {
    const done = await run(deposit({ to: NOTES, mint: 1n }))
    const total = (state: State) => [...state.records()].reduce((sum, { balance }) => sum + balance, 0n)
    expect(total(done.state)).toBe(total(WORLD) + 1n)
  })

  it('shows the code its sender, a price of nothing, and the base fee that all others see', async () => {
    const { state } = await run(deposit({ to: NOTES, mint: 1_000n, value: 400n }))
    const slots = [1n, 2n, 3n, 4n, 5n].map((slot) => state.storage(NOTES, slot))
    expect(slots).toEqual([400n, 0n, BigInt(SENDER), 7n, 1_600n])
  })

  it('may come from a contract', async () => {
    const done = await run(deposit({ from: CLEARS }))
    expect(done.outcome.kind).toBe('success')
    expect(done.state.account(CLEARS)!.nonce).toBe(2n)
  })

  it('of Base tells L1Block, as it does there, what L1 is at', async () => {
    const { code } = withL2Predeploys([], 'base', 'isthmus', 1n).find((one) => one.address === L1_BLOCK)!
    const told = decodeDeposit(
      fromHex(
        '0x7ef90104a06c0c775b6b492bab9d7e81abdf27f77cafb698551226455a82f559e0f93fea3794deaddeaddeaddeaddeaddeaddeaddeaddead00019442000000000000000000000000000000000000158080830f424080b8b0098999be000008dd00101c1200000000000000020000000068869d6300000000015f277f000000000000000000000000000000000000000000000000000000000d42ac290000000000000000000000000000000000000000000000000000000000000001abf52777e63959936b1bf633a2a643f0da38d63deffe49452fed1bf8a44975d50000000000000000000000005050f69a9786f081509234f1a7f4684b5e5b76c9000000000000000000000000',
      ),
    )
    const world = State.empty.with([{ address: L1_BLOCK, nonce: 1n, code: fromHex(code) }])
    const done = await run(told, world, machine('prague', 'isthmus'))
    // anvil again.
    expect(done.outcome.gasUsed).toBe(157_773n)
    expect(
      [0n, 1n, 2n, 3n, 4n, 7n, 8n].map((slot) => done.state.storage(L1_BLOCK, slot).toString(16)),
    ).toEqual([
      '68869d6300000000015f277f',
      'd42ac29',
      'abf52777e63959936b1bf633a2a643f0da38d63deffe49452fed1bf8a44975d5',
      '8dd00101c120000000000000002',
      '5050f69a9786f081509234f1a7f4684b5e5b76c9',
      '1',
      '0',
    ])
    const prices = {
      baseFee: 0xd42ac29n,
      blobBaseFee: 1n,
      baseFeeScalar: 2_269n,
      blobBaseFeeScalar: 1_055_762n,
    }
    expect(done.l2!.l1.prices).toEqual(prices)
  })
})

describe('a precompile of an L2', () => {
  // op-geth `params/protocol_params.go`, in multiples of what each takes: zeros are points at infinity.
  it.each([
    ['isthmus', 0x08, 192, 586],
    ['isthmus', 0x0c, 160, 3_211],
    ['isthmus', 0x0e, 288, 1_696],
    ['isthmus', 0x0f, 384, 612],
    ['jovian', 0x08, 192, 427],
    ['jovian', 0x0c, 160, 1_806],
    ['jovian', 0x0e, 288, 968],
    ['jovian', 0x0f, 384, 408],
  ] as const)('of %s at %i takes %i bytes at most %i times', async (l2Upgrade, at, bytes, most) => {
    const returned = async (count: number, evm: Evm) => {
      const code = assemble(0, 0, bytes * count, 0, 0, at, 60_000_000, 'CALL', 0, 'MSTORE', 32, 0, 'RETURN')
      const state = WORLD.with([
        { address: ALICE.address, balance: 10n ** 18n },
        { address: NOTES, code },
      ])
      const call = sign(ALICE, { to: NOTES, gasLimit: 100_000_000n, maxFeePerGas: 9n })
      const { outcome } = await runTransaction(evm, state, CONTEXT_OF_L2, call)
      return (outcome as { returnData?: Uint8Array }).returnData?.at(-1)
    }
    const evm = machine('prague', l2Upgrade)
    expect(await returned(most, evm)).toBe(1)
    expect(await returned(most + 1, evm)).toBe(0)
    expect(await returned(most + 1, new Evm(createEngine(createRules('prague', 1n))))).toBe(1)
  })
})

describe('P256VERIFY', () => {
  const AT = address(0x100)
  /** The first vector of RIP-7212 (daimo-eth/p256-verifier, from Wycheproof). */
  const RIGHT = fromHex(
    '0x4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4da73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d604aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff37618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e',
  )
  const rich = State.empty.with([{ address: ALICE.address, balance: 10n ** 18n }])
  const call = sign(ALICE, { to: AT, data: RIGHT, gasLimit: 100_000n, maxFeePerGas: 9n })

  it.each([
    ['cancun', 'fjord', 3_450n],
    ['prague', 'isthmus', 3_450n],
    ['osaka', 'jovian', 6_900n],
    ['cancun', 'ecotone', undefined],
  ] as const)('of an L2 under %s and %s costs what it costs there', async (hardfork, l2Upgrade, price) => {
    const rules = createRules(hardfork, 31_337n, { l2: 'op', l2Upgrade })
    const without = await runTransaction(
      new Evm(createEngine(rules)),
      rich,
      CONTEXT_OF_L2,
      sign(ALICE, { to: NOBODY, data: RIGHT, gasLimit: 100_000n, maxFeePerGas: 9n }),
    )
    const { outcome } = await runTransaction(new Evm(createEngine(rules)), rich, CONTEXT_OF_L2, call)
    expect(outcome).toMatchObject({ kind: 'success' })
    expect((outcome as { returnData?: Uint8Array }).returnData).toEqual(
      price === undefined ? new Uint8Array() : Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? 1 : 0)),
    )
    // From Prague on calldata has a floor price, which is more.
    if (hardfork === 'cancun') expect(outcome.gasUsed - without.outcome.gasUsed).toBe(price ?? 0n)
    expect(createRules(hardfork, 31_337n).precompiles.has(AT)).toBe(hardfork === 'osaka')
  })

  it('fails on an L2 with less gas than it costs', async () => {
    // Calls the precompile with so much gas, and returns whether that succeeded.
    const caller = (gas: number) => assemble(0, 0, 0, 0, 0, 0x100, gas, 'CALL', 0, 'MSTORE', 32, 0, 'RETURN')
    for (const [gas, succeeds] of [
      [3_449, 0],
      [3_450, 1],
    ] as const) {
      const state = rich.with([{ address: NOTES, nonce: 1n, code: caller(gas) }])
      const done = await runTransaction(
        machine(),
        state,
        CONTEXT_OF_L2,
        sign(ALICE, { to: NOTES, gasLimit: 100_000n, maxFeePerGas: 9n }),
      )
      expect((done.outcome as { returnData?: Uint8Array }).returnData?.at(-1)).toBe(succeeds)
    }
  })
})

describe('a transaction on an L2', () => {
  const RICH = 10n ** 18n
  const state = State.empty.with([
    { address: ALICE.address, balance: RICH },
    { address: NOTES, nonce: 1n, code: WORLD.code(NOTES) },
    { address: L1_BLOCK, nonce: 1n, storage: l1BlockStorage('base', 'jovian', nextOrigin(0n, undefined)) },
  ])
  const transfer = sign(ALICE, { to: NOBODY, value: 1n, maxFeePerGas: 100n, maxPriorityFeePerGas: 2n })

  it('pays L1 from its sender to the vault, the base fee to another, and the tip to the coinbase', async () => {
    const done = await run(transfer, state)
    const { fee } = done.l2!.l1
    expect(fee).toBeGreaterThan(0n)
    expect(balanceOf(done, L1_FEE_VAULT)).toBe(fee)
    expect(balanceOf(done, '0x4200000000000000000000000000000000000019')).toBe(21_000n * 7n)
    expect(balanceOf(done, SEQUENCER_FEE_VAULT)).toBe(21_000n * 2n)
    expect(balanceOf(done, ALICE.address)).toBe(RICH - 1n - 21_000n * 9n - fee)
    expect(done.l2!.depositNonce).toBeUndefined()
  })

  it('has paid L1 before its code runs, and pays it even if that fails', async () => {
    const noted = await run(
      sign(ALICE, { to: NOTES, gasLimit: 200_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 2n }),
      state,
    )
    expect(noted.state.storage(NOTES, 5n)).toBe(RICH - 200_000n * 9n - noted.l2!.l1.fee)
    const failed = await run(
      sign(ALICE, { to: NOTES, gasLimit: 30_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 2n }),
      state,
    )
    expect(failed.outcome.kind).toBe('halt')
    expect(balanceOf(failed, L1_FEE_VAULT)).toBe(failed.l2!.l1.fee)
  })

  it('pays what op-revm has it pay', async () => {
    // Sent to anvil 1.7.1 after the deposit of Base above.
    const prices = [
      [1n, 0xd42ac29n],
      [3n, 0x8dd00101c120000000000000002n],
      [7n, 1n],
    ] as const
    const raw = fromHex(
      '0x02f868827a69800184773594008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c001a0a47eb869be1e4a07b681e7063df0270355cb7c5a899b179a80cb601de381a8f3a044967264754ab0d27600532eb0049fc2d29d8b11f8ec1ce53d2d30b481e53d69',
    )
    const done = await run(
      { ...transfer, raw },
      State.empty.with([
        { address: ALICE.address, balance: RICH },
        { address: L1_BLOCK, nonce: 1n, storage: prices },
      ]),
    )
    expect(balanceOf(done, L1_FEE_VAULT)).toBe(0x30240549n)
  })

  it('pays nothing to L1 where nothing is known of it, and wakes no empty account', async () => {
    const done = await run(transfer, State.empty.with([{ address: ALICE.address, balance: RICH }]))
    expect(done.l2!.l1.fee).toBe(0n)
    expect(done.state.account(L1_FEE_VAULT)).toBeUndefined()
  })
})
