/** The fee that a call offers, and its gas limit. */
import { describe, expect, it } from 'vitest'
import { fromHex, toQuantity } from '../../../src/bytes/hex.ts'
import type { ExecutionScope } from '../../../src/engine/run/runCall.ts'
import { runCall } from '../../../src/engine/run/runCall.ts'
import { type Signer, signerOf } from '../../support/chains/signing.ts'
import { answering, type Item } from '../../support/compilers/assembly.ts'
import { answer, answeringScene, CONTRACT, evm, word } from '../../support/engines/answers.ts'
import { CONTEXT, callOf, sceneOf } from '../../support/engines/scenes.ts'

const ALICE: Signer = signerOf(`0x${'a1'.repeat(32)}`)

describe('the fee of a call', () => {
  const baseFee = answeringScene('BASEFEE')

  it('left out lets BASEFEE and GASPRICE read 0', async () => {
    expect(await answer(baseFee)).toBe(word(0n))
    expect(await answer(answeringScene('GASPRICE'))).toBe(word(0n))
  })

  it('lets BASEFEE read the block’s and GASPRICE what is paid', async () => {
    const rich = { address: ALICE.address, balance: 10n ** 18n }
    const scene = (...items: Item[]) => sceneOf([rich, { address: CONTRACT, code: answering(...items) }])
    const from = ALICE.address
    const legacy = { from, fee: { kind: 'legacy', gasPrice: 9n } } as const
    expect(await answer(scene('BASEFEE'), legacy)).toBe(word(7n))
    expect(await answer(scene('GASPRICE'), legacy)).toBe(word(9n))
    const eip1559 = { from, fee: { kind: 'eip1559', maxFeePerGas: 20n, maxPriorityFeePerGas: 3n } } as const
    expect(await answer(scene('BASEFEE'), eip1559)).toBe(word(7n))
    expect(await answer(scene('GASPRICE'), eip1559)).toBe(word(10n))
  })

  it('that is a tip alone is paid on top of the base fee', async () => {
    const rich = { address: ALICE.address, balance: 10n ** 18n }
    const scene = sceneOf([rich, { address: CONTRACT, code: answering('GASPRICE') }])
    const fee = { kind: 'eip1559', maxFeePerGas: undefined, maxPriorityFeePerGas: 3n } as const
    expect(await answer(scene, { from: ALICE.address, fee })).toBe(word(10n))
  })

  it('below the base fee, or below its own tip, is refused with both numbers', async () => {
    expect(
      await runCall(evm, baseFee, callOf({ to: CONTRACT, fee: { kind: 'legacy', gasPrice: 6n } })),
    ).toEqual({
      kind: 'feeBelowBaseFee',
      maxFeePerGas: 6n,
      baseFeePerGas: 7n,
    })
    const fee = { kind: 'eip1559', maxFeePerGas: 8n, maxPriorityFeePerGas: 9n } as const
    expect(await runCall(evm, baseFee, callOf({ to: CONTRACT, fee }))).toEqual({
      ...fee,
      kind: 'tipAboveFee',
    })
  })

  it('has to be affordable for all of the gas, together with the value', async () => {
    const scene = sceneOf([{ address: ALICE.address, balance: 1_000_000n }])
    const call = {
      from: ALICE.address,
      to: CONTRACT,
      gas: 100_000n,
      fee: { kind: 'legacy', gasPrice: 10n },
    } as const
    expect(await runCall(evm, scene, callOf(call))).toMatchObject({ kind: 'success' })
    expect(await runCall(evm, scene, callOf({ ...call, value: 1n }))).toEqual({
      kind: 'insufficientFunds',
      address: ALICE.address,
      have: 1_000_000n,
      want: 1_000_001n,
    })
  })

  it('left out asks the balance for the value alone', async () => {
    const scene = sceneOf([{ address: ALICE.address, balance: 5n }])
    const call = { from: ALICE.address, to: CONTRACT }
    expect(await runCall(evm, scene, callOf({ ...call, value: 5n }))).toMatchObject({ kind: 'success' })
    expect(await runCall(evm, scene, callOf({ ...call, value: 6n }))).toMatchObject({
      kind: 'insufficientFunds',
      have: 5n,
      want: 6n,
    })
  })
})

describe('a call that names blobs', () => {
  const blobVersionedHashes = [`0x01${'aa'.repeat(31)}`, `0x01${'bb'.repeat(31)}`] as const

  it('shows their versioned hashes, and costs its sender nothing (EIP-4844)', async () => {
    for (const [index, hash] of blobVersionedHashes.entries()) {
      expect(await answer(answeringScene(index, 'BLOBHASH'), { blobVersionedHashes })).toBe(hash)
    }
    expect(await answer(answeringScene(2, 'BLOBHASH'), { blobVersionedHashes })).toBe(word(0n))
    expect(await answer(answeringScene('CALLER', 'BALANCE'), { blobVersionedHashes })).toBe(word(0n))
  })
})

describe('gas of a call', () => {
  it('has to cover the intrinsic gas', async () => {
    expect(await runCall(evm, sceneOf([]), callOf({ to: CONTRACT, gas: 20_999n }))).toEqual({
      kind: 'intrinsicGasTooLow',
      have: 20_999n,
      want: 21_000n,
      intrinsic: 21_000n,
    })
  })

  // Without a cap, one question could keep the process busy for ever. geth caps at 50,000,000 too (RPCGasCap).
  it.each([40_000_000n, 50_000_000n])(
    'may be %d, more than a block or a transaction can have',
    async (gas) => {
      expect(toQuantity(fromHex(await answer(answeringScene('GAS'), { gas })))).toBe(gas - 21_002n)
    },
  )

  it('is at most 50,000,000, or the block’s limit where that is higher', async () => {
    const left = async (scene: ExecutionScope) =>
      toQuantity(fromHex(await answer(scene, { gas: 2n ** 64n - 1n })))
    expect(await left(answeringScene('GAS'))).toBe(50_000_000n - 21_002n)
    const { state } = answeringScene('GAS')
    const wide = { state, context: { ...CONTEXT, gasLimit: 80_000_000n }, moved: undefined }
    expect(await left(wide)).toBe(80_000_000n - 21_002n)
  })
})
