import { describe, expect, it } from 'vitest'
import { fromHex } from '../../../src/bytes/hex.ts'
import { type Estimate, estimateGas } from '../../../src/engine/run/estimateGas.ts'
import type { ExecutionScope } from '../../../src/engine/run/runCall.ts'
import { runCall } from '../../../src/engine/run/runCall.ts'
import type { Call } from '../../../src/model/execution/call.ts'
import type { MaybePromise } from '../../../src/work/maybePromise.ts'
import { authorize, type Signer, signerOf } from '../../support/chains/signing.ts'
import { assemble, creationOf, type Item, unless } from '../../support/compilers/assembly.ts'
import { CONTRACT, evm } from '../../support/engines/answers.ts'
import { ending } from '../../support/engines/gasLimit.ts'
import { address, CONTEXT, callOf, machine, sceneOf } from '../../support/engines/scenes.ts'

const ALICE: Signer = signerOf(`0x${'a1'.repeat(32)}`)

function estimate(scene: ExecutionScope, fields: Partial<Call>, on = evm): MaybePromise<Estimate> {
  return estimateGas(on, scene, callOf(fields))
}

function running(...items: Item[]): ExecutionScope {
  return sceneOf([{ address: CONTRACT, code: assemble(...items) }])
}

describe('the estimate of a transfer', () => {
  it('is exactly 21,000, also to an account that does not exist yet', async () => {
    const scene = sceneOf([{ address: ALICE.address, balance: 10n }])
    for (const to of [ALICE.address, address(0xdead)]) {
      expect(await estimate(scene, { from: ALICE.address, to, value: 5n })).toEqual({
        kind: 'estimate',
        gas: 0x5208n,
      })
    }
  })

  it('to a precompile is what the precompile takes', async () => {
    // EIP-152's companion in the Yellow Paper: identity costs 15 gas, SHA-256 costs 60 without data.
    expect(await estimate(sceneOf([]), { to: address(4) })).toEqual({ kind: 'estimate', gas: 21_015n })
    expect(await estimate(sceneOf([]), { to: address(2) })).toEqual({ kind: 'estimate', gas: 21_060n })
  })

  it('with an access list or authorizations pays for them (EIP-2930, EIP-7702)', async () => {
    const to = address(0xdead)
    const accessList = [{ address: CONTRACT, storageKeys: [`0x${'00'.repeat(32)}`] as const }]
    // 2,400 for an address and 1,900 for a slot; 25,000 for an authorization.
    expect(await estimate(sceneOf([]), { to, accessList })).toEqual({ kind: 'estimate', gas: 25_300n })
    const authorizationList = [await authorize(ALICE, { address: CONTRACT, nonce: 0n })]
    expect(await estimate(sceneOf([]), { to, authorizationList })).toEqual({ kind: 'estimate', gas: 46_000n })
  })

  it('to where a precompile was moved is what the precompile takes, and 21,000 to where it was', async () => {
    const identity = address(4)
    const scene = sceneOf([], [{ address: identity, movePrecompileTo: address(0xdead) }])
    expect(await estimate(scene, { to: address(0xdead) })).toEqual({ kind: 'estimate', gas: 21_015n })
    expect(await estimate(scene, { to: identity })).toEqual({ kind: 'estimate', gas: 21_000n })
  })

  it('with data pays for each byte, at least the floor (EIP-7623)', async () => {
    // 10 zero bytes: 21,000 + 10·4 of intrinsic gas, but a floor of 21,000 + 10·10.
    expect(await estimate(sceneOf([]), { to: address(0xdead), data: new Uint8Array(10) })).toEqual({
      kind: 'estimate',
      gas: 21_100n,
    })
    expect(
      await estimate(sceneOf([]), { to: address(0xdead), data: new Uint8Array(10) }, machine('cancun')),
    ).toEqual({ kind: 'estimate', gas: 21_040n })
  })
})

describe('an estimate', () => {
  it('is exact where a contract lives through a call that burns all of its gas', async () => {
    // Calls a contract that is INVALID with all gas (EIP-150 keeps 1/64), and continues.
    const burner = address(0xb00)
    const scene = sceneOf([
      { address: burner, code: assemble('INVALID') },
      { address: CONTRACT, code: assemble(0, 0, 0, 0, 0, burner, 'GAS', 'CALL', 'POP', 1, 0, 'SSTORE') },
    ])
    const found = await estimate(scene, { to: CONTRACT })
    if (found.kind !== 'estimate') throw new Error(`expected an estimate, got ${found.kind}`)
    const outcome = (gas: bigint) => runCall(evm, scene, callOf({ to: CONTRACT, gas }))
    expect(await outcome(found.gas)).toMatchObject({ kind: 'success' })
    expect(await outcome(found.gas - 1n)).toMatchObject({ kind: 'halt', reason: 'outOfGas' })
    // The store costs 22,100 and has to come out of the 1/64 that was kept.
    expect(found.gas).toBeGreaterThan(22_100n * 64n)
    expect(found.gas).toBeLessThan(22_100n * 64n + 100_000n)
  })

  it('is exact where a contract wants more gas than it uses, whatever gas was given', async () => {
    // It continues if more than 78,997 gas is left after the 21,000 of the transaction and the 2 of GAS.
    const scene = running('GAS', 78_997, 'LT', unless('INVALID'))
    const least = 78_998n + 21_000n + 2n
    for (const gas of [undefined, least, least + 1n, least + 2n, least + 3n, 2n * least]) {
      expect([gas, await estimate(scene, { to: CONTRACT, gas })]).toEqual([
        gas,
        { kind: 'estimate', gas: least },
      ])
    }
    const given = least - 1n
    expect(await estimate(scene, { to: CONTRACT, gas: given })).toMatchObject({ kind: 'failed' })
  })

  it('is no less than the floor where a contract that looks at its gas uses less (EIP-7623)', async () => {
    // 10 zero bytes: a floor of 21,000 + 10·10; the run takes 21,000 + 10·4 and 4.
    const call = { to: CONTRACT, data: new Uint8Array(10) }
    expect(await estimate(running('GAS', 'POP'), call)).toEqual({ kind: 'estimate', gas: 21_100n })
  })

  it('leaves the called contract its 63 parts of 64 at each depth (EIP-150)', async () => {
    // Calls itself with one level less; the innermost writes, and any that fails makes the outer ones fail.
    const level: Item[] = [0, 'CALLDATALOAD']
    const code = assemble(
      ...level,
      'ISZERO',
      unless(
        ...([1, ...level, 'SUB', 0, 'MSTORE', 0, 0, 32, 0, 0, 'ADDRESS', 'GAS', 'CALL'] as const),
        unless('INVALID'),
        'STOP',
      ),
      ...([1, 0, 'SSTORE'] as const),
    )
    const scene = sceneOf([
      { address: CONTRACT, code },
      { address: ALICE.address, balance: 10n ** 18n },
    ])
    for (const depth of [1, 5, 20]) {
      const wish = { to: CONTRACT, data: fromHex(`0x${depth.toString(16).padStart(64, '0')}`), value: 0n }
      const found = await estimate(scene, wish)
      const gas = (found as Extract<Estimate, { kind: 'estimate' }>).gas
      expect(await ending(scene.state, CONTEXT, ALICE, wish, gas)).toBe('success')
      expect(await ending(scene.state, CONTEXT, ALICE, wish, gas - 1n)).not.toBe('success')
    }
  })

  it('covers what is refunded in the end, for that has to be paid first (EIP-3529)', async () => {
    const scene = sceneOf([
      {
        address: CONTRACT,
        code: assemble(0, 0, 'SSTORE', 0, 1, 'SSTORE'),
        storage: [
          [0n, 1n],
          [1n, 1n],
        ],
      },
    ])
    // Twice PUSH PUSH SSTORE with a cold slot that is cleared: 5,000 each; the refund is 9,600.
    expect(await estimate(scene, { to: CONTRACT })).toEqual({
      kind: 'estimate',
      gas: 21_000n + 12n + 10_000n,
    })
  })

  it('includes the stipend that a transfer inside needs (2,300)', async () => {
    // Sends 1 wei to a contract that reads a slot, and fails if that fails.
    const receiver = address(0xabc)
    const scene = sceneOf([
      {
        address: CONTRACT,
        balance: 5n,
        code: assemble(0, 0, 0, 0, 1, receiver, 0, 'CALL', unless('INVALID')),
      },
      { address: receiver, code: assemble(0, 'SLOAD', 'POP') },
      { address: ALICE.address, balance: 10n ** 18n },
    ])
    const wish = { to: CONTRACT, data: new Uint8Array(), value: 0n }
    const { gas } = (await estimate(scene, wish)) as Extract<Estimate, { kind: 'estimate' }>
    expect(await ending(scene.state, CONTEXT, ALICE, wish, gas)).toBe('success')
    expect(await ending(scene.state, CONTEXT, ALICE, wish, gas - 1n)).not.toBe('success')
  })

  it('of a creation includes the deposit for its code', async () => {
    // 53,000 for the creation; per byte 16 or 4; 2 per word of init code; 200 per byte of code (EIP-3860, Yellow Paper).
    const runtime = assemble('STOP')
    const data = creationOf(runtime)
    const zeros = data.filter((byte) => byte === 0).length
    const found = await estimate(sceneOf([]), { to: undefined, data })
    const { gas } = found as Extract<Estimate, { kind: 'estimate' }>
    const intrinsic = 53_000n + BigInt(16 * (data.length - zeros) + 4 * zeros) + 2n
    expect(gas - intrinsic - 200n).toBe(24n) // PUSH and DUP, five times 3; CODECOPY 3 + 3; memory 3
  })

  it('counts authorizations, valid or not (EIP-7702)', async () => {
    const scene = sceneOf([{ address: CONTRACT, code: assemble('STOP') }])
    const authorizationList = [
      await authorize(ALICE, { address: CONTRACT, nonce: 0n }),
      await authorize(ALICE, { address: CONTRACT, nonce: 55n }),
    ]
    expect(await estimate(scene, { to: CONTRACT, authorizationList })).toEqual({
      kind: 'estimate',
      gas: 21_000n + 2n * 25_000n,
    })
  })

  it('runs with overrides', async () => {
    const scene = sceneOf([], [{ address: CONTRACT, code: assemble(1, 0, 'SSTORE') }])
    expect(await estimate(scene, { to: CONTRACT })).toEqual({ kind: 'estimate', gas: 21_000n + 6n + 22_100n })
  })
})

describe('an estimate of what fails', () => {
  it('answers the revert with its data', async () => {
    expect(await estimate(running(0xabcd, 0, 'MSTORE', 2, 30, 'REVERT'), { to: CONTRACT })).toMatchObject({
      kind: 'failed',
      outcome: { kind: 'revert', data: Uint8Array.of(0xab, 0xcd) },
    })
  })

  it('answers why it was halted', async () => {
    expect(await estimate(running('INVALID'), { to: CONTRACT })).toMatchObject({
      kind: 'failed',
      outcome: { kind: 'halt', reason: 'invalidOpcode' },
    })
  })

  it('answers that the balance does not cover the value', async () => {
    const scene = sceneOf([{ address: ALICE.address, balance: 5n }])
    for (const to of [address(0xdead), CONTRACT, undefined]) {
      expect(await estimate(scene, { from: ALICE.address, to, value: 6n })).toEqual({
        kind: 'insufficientFunds',
        address: ALICE.address,
        have: 5n,
        want: 6n,
      })
    }
  })

  it('answers that the balance does not cover the value and the fee, where nothing is left for gas', async () => {
    for (const balance of [49n, 50n]) {
      const scene = sceneOf([{ address: ALICE.address, balance }])
      const call = { from: ALICE.address, to: CONTRACT, value: 50n }
      expect(await estimate(scene, { ...call, fee: { kind: 'legacy', gasPrice: 10n } })).toMatchObject({
        kind: 'insufficientFunds',
        have: balance,
      })
    }
  })

  it('answers that the fee is below the base fee', async () => {
    expect(
      await estimate(sceneOf([]), { to: CONTRACT, fee: { kind: 'legacy', gasPrice: 6n } }),
    ).toMatchObject({
      kind: 'feeBelowBaseFee',
      baseFeePerGas: 7n,
    })
  })
})

describe('the allowance of an estimate', () => {
  /** Takes more than `gas`, by memory (3 per word and the square of the words over 512), and little time. */
  const taking = (gas: number) => running(1, Math.ceil(Math.sqrt(gas * 512)) * 32, 'MSTORE')

  it('is the gas that was given', async () => {
    for (const gas of [20_000n, 40_000n]) {
      expect(await estimate(taking(100_000), { to: CONTRACT, gas })).toEqual({
        kind: 'allowanceExceeded',
        allowance: gas,
      })
    }
    expect(await estimate(taking(100_000), { to: CONTRACT, gas: 1_000_000n })).toMatchObject({
      kind: 'estimate',
    })
  })

  it('is the gas limit of the block', async () => {
    const scene = { ...taking(100_000), context: { ...CONTEXT, gasLimit: 90_000n } }
    expect(await estimate(scene, { to: CONTRACT })).toEqual({ kind: 'allowanceExceeded', allowance: 90_000n })
    expect(await estimate(scene, { to: CONTRACT, gas: 10n ** 9n })).toMatchObject({ allowance: 90_000n })
  })

  it('is 16,777,216 from Osaka on (EIP-7825)', async () => {
    const scene = taking(17_000_000)
    expect(await estimate(scene, { to: CONTRACT })).toEqual({
      kind: 'allowanceExceeded',
      allowance: 16_777_216n,
    })
    const { gas } = (await estimate(scene, { to: CONTRACT }, machine('prague'))) as Extract<
      Estimate,
      { kind: 'estimate' }
    >
    expect(gas).toBeGreaterThan(17_000_000n)
  })

  it('is what the balance affords at the fee that was offered, after the value', async () => {
    const scene = {
      ...taking(100_000),
      state: taking(100_000).state.with([{ address: ALICE.address, balance: 500_050n }]),
    }
    const call = { from: ALICE.address, to: CONTRACT, value: 50n }
    expect(await estimate(scene, { ...call, fee: { kind: 'legacy', gasPrice: 10n } })).toEqual({
      kind: 'allowanceExceeded',
      allowance: 50_000n,
    })
    const eip1559 = { kind: 'eip1559', maxFeePerGas: 20n, maxPriorityFeePerGas: 1n } as const
    expect(await estimate(scene, { ...call, fee: eip1559 })).toMatchObject({ allowance: 25_000n })
    expect(await estimate(scene, call)).toMatchObject({ kind: 'estimate' })
    // Less than the intrinsic gas: the error names the allowance, as in geth.
    expect(
      await estimate(scene, { ...call, to: address(0xdead), fee: { kind: 'legacy', gasPrice: 50n } }),
    ).toEqual({
      kind: 'allowanceExceeded',
      allowance: 10_000n,
    })
  })
})
