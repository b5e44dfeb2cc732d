import { describe, expect, it } from 'vitest'
import { type AnyHardfork, createRules, type Hardfork } from '../../src/model/hardfork/hardfork.ts'
import { l1BlockStorage, nextOrigin } from '../../src/model/l2/l1Attributes.ts'
import { L1_BLOCK } from '../../src/model/l2/l2.ts'
import { impersonate } from '../../src/model/transaction/signedTransaction.ts'
import {
  DEPOSIT_TYPE,
  type Transaction,
  type UnsignedTransaction,
} from '../../src/model/transaction/transaction.ts'
import { type AdmissionContext, admit, type Rejection, refuseForm } from '../../src/pool/admit.ts'
import { Pool } from '../../src/pool/pool.ts'
import { type AccountChange, State } from '../../src/state/state.ts'
import { authorize, type Signer, sign, signerOf, TRANSFER } from '../support/chains/signing.ts'
import { address } from '../support/engines/scenes.ts'

const ALICE: Signer = signerOf(`0x${'a1'.repeat(32)}`)
const GWEI = 10n ** 9n
const ETHER = 10n ** 18n

interface Situation {
  readonly hardfork?: Hardfork
  readonly alice?: Partial<AccountChange>
  readonly waiting?: readonly Transaction[]
  readonly included?: Transaction
  readonly blockGasLimit?: bigint
}

/** What becomes of Alice's transaction; she has a thousand ether and has sent nothing. */
function ask(fields: Partial<UnsignedTransaction>, situation: Situation = {}): Rejection | undefined {
  const { hardfork = 'osaka', alice = {}, waiting = [], included, blockGasLimit = 30_000_000n } = situation
  const pool = new Pool()
  for (const transaction of waiting) pool.add(transaction)
  const gate: AdmissionContext = {
    rules: createRules(hardfork, 31_337n),
    state: State.empty.with([{ address: ALICE.address, balance: 1_000n * ETHER, ...alice }]),
    blockGasLimit,
    isPreconfirmed: (hash) => hash === included?.hash,
  }
  return admit(sign(ALICE, fields), pool, gate)
}

describe('a transaction that names its chain (EIP-155)', () => {
  const named = sign(ALICE, { type: 0, chainId: 31_337n })
  const unnamed = sign(ALICE, { type: 0, chainId: undefined })
  const formOf = (transaction: Transaction, hardfork: AnyHardfork) =>
    refuseForm(transaction, { rules: createRules(hardfork, 31_337n), blockGasLimit: 30_000_000n })

  it.each(['frontier', 'homestead', 'tangerineWhistle'] as const)(
    'has no valid signature in %s',
    (hardfork) => {
      expect(formOf(named, hardfork)).toEqual({ kind: 'chainIdNotSupported', chainId: 31_337n, hardfork })
      expect(formOf(unnamed, hardfork)).toBeUndefined()
    },
  )

  it.each(['spuriousDragon', 'byzantium', 'osaka'] as const)('is like any other in %s', (hardfork) => {
    expect(formOf(named, hardfork)).toBeUndefined()
    expect(formOf(unnamed, hardfork)).toBeUndefined()
  })
})

describe('a transaction is welcome', () => {
  it('when it is an ordinary transfer', () => {
    expect(ask({})).toBeUndefined()
  })

  it('when it comes before its turn, however far', () => {
    expect(ask({ nonce: 1_000n })).toBeUndefined()
    expect(ask({ nonce: 2n ** 64n - 2n })).toBeUndefined()
  })

  it('when it offers less than the base fee: that may fall', () => {
    expect(ask({ maxFeePerGas: 1n, maxPriorityFeePerGas: 0n })).toBeUndefined()
  })

  it('when it is legacy and names no chain (before EIP-155)', () => {
    expect(ask({ type: 0, chainId: undefined })).toBeUndefined()
  })

  it('from an account with code, where it is impersonated', () => {
    const state = State.empty.with([{ address: ALICE.address, balance: ETHER, code: Uint8Array.of(0) }])
    const gate: AdmissionContext = {
      rules: createRules('osaka', 31_337n),
      state,
      blockGasLimit: 30_000_000n,
      isPreconfirmed: () => false,
    }
    expect(admit(impersonate(TRANSFER, ALICE.address), new Pool(), gate)).toBeUndefined()
  })

  it('from an account that delegates to code (EIP-7702)', () => {
    const code = Uint8Array.of(0xef, 0x01, 0x00, ...new Uint8Array(20).fill(1))
    expect(ask({}, { alice: { code } })).toBeUndefined()
  })
})

describe('a transaction’s type', () => {
  it.each<[UnsignedTransaction['type'], Hardfork, Hardfork]>([
    [1, 'istanbul', 'berlin'],
    [2, 'berlin', 'london'],
    [4, 'cancun', 'prague'],
  ])('%i is refused under %s and welcome from %s on', async (type, before, since) => {
    const authorizationList = type === 4 ? [await authorize(ALICE, { address: address(1), nonce: 0n })] : []
    const fields = { type, authorizationList, gasLimit: 100_000n }
    expect(ask(fields, { hardfork: before })).toEqual({ kind: 'typeNotSupported', type, hardfork: before })
    expect(ask(fields, { hardfork: since })).toBeUndefined()
  })
})

describe('a transaction on an L2', () => {
  // OP Stack: a node asks its sender for what L1 takes, too.
  it('has to be paid with what L1 takes', () => {
    const storage = l1BlockStorage('base', 'jovian', nextOrigin(0n, undefined))
    const transaction = sign(ALICE, { gasLimit: 21_000n, maxFeePerGas: 10n, maxPriorityFeePerGas: 1n })
    const holding = (balance: bigint): AdmissionContext => ({
      rules: createRules('osaka', 31_337n, { l2: 'base' }),
      state: State.empty.with([
        { address: ALICE.address, balance },
        { address: L1_BLOCK, nonce: 1n, storage },
      ]),
      blockGasLimit: 30_000_000n,
      isPreconfirmed: () => false,
    })
    const refused = admit(transaction, new Pool(), holding(210_000n)) as { kind: string; want: bigint }
    expect(refused.kind).toBe('insufficientFunds')
    expect(refused.want).toBeGreaterThan(210_000n)
    expect(admit(transaction, new Pool(), holding(refused.want))).toBeUndefined()
  })
})

describe('a deposit', () => {
  it('is nothing that anybody may send (OP Stack)', () => {
    const deposit = { ...sign(ALICE), type: DEPOSIT_TYPE } as Transaction
    const gate = { rules: createRules('osaka', 31_337n), blockGasLimit: 30_000_000n }
    expect(refuseForm(deposit, gate)).toMatchObject({ kind: 'typeNotSupported', type: 126 })
  })
})

describe('a transaction is refused', () => {
  it('that was signed for another chain', () => {
    expect(ask({ chainId: 1n })).toEqual({ kind: 'invalidChainId', have: 1n, want: 31_337n })
    expect(ask({ type: 0, chainId: 1n })).toMatchObject({ kind: 'invalidChainId' })
  })

  it('with more gas than 16,777,216 from Osaka on (EIP-7825)', () => {
    expect(ask({ gasLimit: 16_777_216n })).toBeUndefined()
    const gasLimit = 16_777_217n
    expect(ask({ gasLimit })).toEqual({ kind: 'gasLimitTooHigh', gasLimit, limit: 16_777_216n })
    expect(ask({ gasLimit }, { hardfork: 'prague' })).toBeUndefined()
  })

  it('with more gas than a block has', () => {
    expect(ask({ gasLimit: 1_000_000n }, { blockGasLimit: 1_000_000n })).toBeUndefined()
    expect(ask({ gasLimit: 1_000_001n }, { blockGasLimit: 1_000_000n })).toEqual({
      kind: 'exceedsBlockGasLimit',
      gasLimit: 1_000_001n,
      limit: 1_000_000n,
    })
  })

  it('with more than 49,152 bytes of init code from Shanghai on (EIP-3860)', () => {
    const create = (size: number) => ({ to: undefined, data: new Uint8Array(size), gasLimit: 5_000_000n })
    expect(ask(create(49_152))).toBeUndefined()
    expect(ask(create(49_153))).toEqual({ kind: 'initCodeTooLarge', size: 49_153, limit: 49_152 })
    expect(ask(create(49_153), { hardfork: 'london' })).toBeUndefined()
    expect(ask({ ...create(49_153), to: address(1) })).toBeUndefined()
  })

  it('with less gas than it needs to start', () => {
    const intrinsic = 21_000n
    const few = { kind: 'intrinsicGasTooLow', have: 20_999n, want: intrinsic, intrinsic }
    expect(ask({ gasLimit: 20_999n })).toEqual(few)
    // 100 bytes: 21,000 + 1,600 of intrinsic gas, but a floor of 21,000 + 4,000 (EIP-7623).
    const data = new Uint8Array(100).fill(1)
    expect(ask({ data, gasLimit: 24_999n })).toEqual({
      kind: 'intrinsicGasTooLow',
      have: 24_999n,
      want: 25_000n,
      intrinsic: 22_600n,
    })
    expect(ask({ data, gasLimit: 22_600n }, { hardfork: 'cancun' })).toBeUndefined()
  })

  it('whose tip is above its fee', () => {
    expect(ask({ maxFeePerGas: 5n, maxPriorityFeePerGas: 6n })).toEqual({
      kind: 'tipAboveFee',
      maxFeePerGas: 5n,
      maxPriorityFeePerGas: 6n,
    })
  })

  it('that is here already, waiting or in a block', () => {
    expect(ask({}, { waiting: [sign(ALICE)] })).toEqual({ kind: 'alreadyKnown' })
    expect(ask({}, { included: sign(ALICE), alice: { nonce: 1n } })).toEqual({ kind: 'alreadyKnown' })
  })

  it('from an account with code (EIP-3607)', () => {
    expect(ask({}, { alice: { code: Uint8Array.of(0) } })).toEqual({
      kind: 'senderIsContract',
      address: ALICE.address,
    })
  })

  it('whose nonce is taken, or can never be followed (EIP-2681)', () => {
    expect(ask({ nonce: 4n }, { alice: { nonce: 5n } })).toEqual({ kind: 'nonceTooLow', next: 5n, got: 4n })
    expect(ask({ nonce: 2n ** 64n - 1n })).toEqual({ kind: 'nonceTooHigh', got: 2n ** 64n - 1n })
  })

  it('that its sender could not pay at the highest price it offers', () => {
    const fields = { gasLimit: 50_000n, maxFeePerGas: 100n * GWEI, value: 7n }
    const want = 50_000n * 100n * GWEI + 7n
    expect(ask(fields, { alice: { balance: want } })).toBeUndefined()
    expect(ask(fields, { alice: { balance: want - 1n } })).toEqual({
      kind: 'insufficientFunds',
      address: ALICE.address,
      have: want - 1n,
      want,
    })
  })

  it('that its sender, of whom nobody has heard, could not pay', () => {
    const stranger = signerOf(`0x${'99'.repeat(32)}`)
    const gate = {
      rules: createRules('osaka', 31_337n),
      state: State.empty,
      blockGasLimit: 30_000_000n,
      isPreconfirmed: () => false,
    }
    expect(admit(sign(stranger), new Pool(), gate)).toMatchObject({ kind: 'insufficientFunds', have: 0n })
  })
})

describe('a replacement', () => {
  const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({
    maxFeePerGas,
    maxPriorityFeePerGas,
  })
  const waiting = [sign(ALICE, fees(101n, 10n))]

  // geth's core/txpool/legacypool/list.go: `thresholdFeeCap = oldFC * (100 + priceBump) / 100`, in whole wei.
  it('pays at least ten percent more in both fees, rounded down', () => {
    // 101 · 1.1 = 111.1
    expect(ask({ ...fees(111n, 11n), value: 1n }, { waiting })).toBeUndefined()
    expect(ask({ ...fees(110n, 11n), value: 1n }, { waiting })).toEqual({
      kind: 'replacementUnderpriced',
      fee: 'maxFeePerGas',
      want: 111n,
      got: 110n,
      percent: 10n,
    })
    expect(ask({ ...fees(111n, 10n), value: 1n }, { waiting })).toEqual({
      kind: 'replacementUnderpriced',
      fee: 'maxPriorityFeePerGas',
      want: 11n,
      got: 10n,
      percent: 10n,
    })
  })

  // The same file: "the new fee cap and tip are higher than the old ones as well as checking the percentage threshold".
  it('pays more in both fees, where ten percent are less than a wei', () => {
    const cheap = { waiting: [sign(ALICE, fees(9n, 1n))] }
    expect(ask({ ...fees(10n, 2n), value: 1n }, cheap)).toBeUndefined()
    expect(ask({ ...fees(9n, 2n), value: 1n }, cheap)).toMatchObject({ fee: 'maxFeePerGas', want: 10n })
    expect(ask({ ...fees(10n, 1n), value: 1n }, cheap)).toMatchObject({
      fee: 'maxPriorityFeePerGas',
      want: 2n,
    })
  })

  // reth's is_underpriced compares tips only where the old one is not 0.
  it('need not raise a tip of nothing', () => {
    const tipless = { waiting: [sign(ALICE, fees(100n, 0n))] }
    expect(ask(fees(110n, 0n), tipless)).toBeUndefined()
  })

  it('may be of another type, whose price counts as both fees', () => {
    expect(ask({ type: 0, maxFeePerGas: 111n }, { waiting })).toBeUndefined()
    expect(ask({ type: 0, maxFeePerGas: 110n }, { waiting })).toMatchObject({
      kind: 'replacementUnderpriced',
    })
    const legacy = [sign(ALICE, { type: 0, maxFeePerGas: 100n })]
    expect(ask(fees(1_000n, 109n), { waiting: legacy })).toMatchObject({ want: 110n, got: 109n })
  })

  it('is asked for its price only where the nonce is the same', () => {
    expect(ask({ ...fees(1n, 1n), nonce: 1n }, { waiting })).toBeUndefined()
  })

  // geth's core/txpool/blobpool: `PriceBump: 100`, for all three fees; reth: `REPLACE_BLOB_PRICE_BUMP: u128 = 100`.
  describe('of a transaction with blobs', () => {
    const offer = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint, maxFeePerBlobGas: bigint) => ({
      ...blobs(1),
      ...fees(maxFeePerGas, maxPriorityFeePerGas),
      maxFeePerBlobGas,
    })
    const situation = { waiting: [sign(ALICE, offer(101n, 11n, 51n))] }

    it('pays twice as much in all three fees', () => {
      expect(ask(offer(202n, 22n, 102n), situation)).toBeUndefined()
    })

    it.each([
      ['maxFeePerGas', offer(201n, 22n, 102n), 202n],
      ['maxPriorityFeePerGas', offer(202n, 21n, 102n), 22n],
      ['maxFeePerBlobGas', offer(202n, 22n, 101n), 102n],
    ] as const)('is refused with a %s of less', (fee, offered, want) => {
      expect(ask(offered, situation)).toEqual({
        kind: 'replacementUnderpriced',
        fee,
        want,
        got: want - 1n,
        percent: 100n,
      })
    })

    // reth: "this enforces that blob txs can only be replaced by blob txs"; geth reserves the account for its blob pool.
    it('has blobs', () => {
      expect(ask(fees(1_000n, 1_000n), situation)).toMatchObject({
        fee: 'maxFeePerBlobGas',
        want: 102n,
        got: 0n,
      })
    })
  })

  it('with blobs pays ten percent more than one without', () => {
    const offer = { ...blobs(1), ...fees(111n, 11n) }
    expect(ask(offer, { waiting })).toBeUndefined()
    expect(ask({ ...offer, maxFeePerGas: 110n }, { waiting })).toMatchObject({ want: 111n })
  })
})

describe('a transaction with blobs', () => {
  it('is welcome from Cancun on', () => {
    expect(ask(blobs(1), { hardfork: 'shanghai' })).toMatchObject({ kind: 'typeNotSupported', type: 3 })
    expect(ask(blobs(1), { hardfork: 'cancun' })).toBeUndefined()
  })

  // EIP-4844: 6 in a block of Cancun; EIP-7691: 9 from Prague on; EIP-7594: 6 in a transaction from Osaka on.
  it.each<[Hardfork, number]>([
    ['cancun', 6],
    ['prague', 9],
    ['osaka', 6],
  ])('has under %s at most %i of them', (hardfork, limit) => {
    expect(ask(blobs(limit), { hardfork })).toBeUndefined()
    expect(ask(blobs(limit + 1), { hardfork })).toEqual({ kind: 'tooManyBlobs', count: limit + 1, limit })
  })

  it('names no hash of another version than 1', () => {
    const hash = `0x02${'00'.repeat(31)}` as const
    const hashes = [...blobs(1).blobVersionedHashes, hash]
    expect(ask({ ...blobs(2), blobVersionedHashes: hashes })).toEqual({ kind: 'versionedHash', hash })
  })

  it('has to be paid with its blobs, each of 131,072 gas', () => {
    const fields = {
      ...blobs(3),
      maxFeePerBlobGas: 7n,
      gasLimit: 21_000n,
      maxFeePerGas: 10n,
      maxPriorityFeePerGas: 1n,
    }
    const want = 21_000n * 10n + 3n * 131_072n * 7n
    expect(ask(fields, { alice: { balance: want } })).toBeUndefined()
    expect(ask(fields, { alice: { balance: want - 1n } })).toMatchObject({ kind: 'insufficientFunds', want })
  })
})

/** The fields of a transaction with so many blobs. */
function blobs(count: number) {
  const blobVersionedHashes = Array.from(
    { length: count },
    (_, i) => `0x01${String(i).padStart(62, '0')}` as const,
  )
  return { type: 3, maxFeePerBlobGas: 100n, blobVersionedHashes } as const
}

describe('the reason of a refusal', () => {
  it('is what is wrong with the transaction itself before what its sender has', () => {
    const poor = { alice: { balance: 0n, nonce: 5n } }
    expect(ask({ gasLimit: 20_999n }, poor)).toMatchObject({ kind: 'intrinsicGasTooLow' })
    expect(ask({}, poor)).toMatchObject({ kind: 'nonceTooLow' })
    expect(ask({ nonce: 5n }, poor)).toMatchObject({ kind: 'insufficientFunds' })
  })
})
