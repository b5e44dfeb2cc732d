import { encodeFunctionData, getContractAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { Store } from '../../../fixtures/contracts/Store.ts'
import { fromHex, toHex, toQuantity, toWord } from '../../../src/bytes/hex.ts'
import { runCall } from '../../../src/engine/run/runCall.ts'
import type { Call } from '../../../src/model/execution/call.ts'
import { accountsOf } from '../../support/chains/sequencers.ts'
import { authorize, type Signer, signerOf } from '../../support/chains/signing.ts'
import { answering, assemble, creationOf, type Item } from '../../support/compilers/assembly.ts'
import { answer, answeringScene, CONTRACT, evm, word } from '../../support/engines/answers.ts'
import { randomContract } from '../../support/engines/programs.ts'
import { address, CONTEXT, callOf, machine, sceneOf } from '../../support/engines/scenes.ts'
import { withRandom } from '../../support/random/random.ts'

const ALICE: Signer = signerOf(`0x${'a1'.repeat(32)}`)

describe('a call', () => {
  it(
    'never changes the state that it is asked of, whatever it does',
    withRandom(async (random) => {
      const others = random.list(6, () => random.hex(20))
      const scene = sceneOf([
        ...others.slice(0, 4).map((other) => ({
          address: other,
          nonce: 1n,
          balance: random.bigint(80),
          code: randomContract(random, 'osaka', others),
          storage: [
            [0n, 1n],
            [1n, 2n],
          ] as const,
        })),
        { address: others[4]!, balance: 10n ** 18n },
      ])
      const before = accountsOf(scene.state)
      const root = scene.state.root()
      for (let i = 0; i < 40; i++) {
        const to = random.chance(0.2) ? undefined : random.pick(others)
        await runCall(
          evm,
          scene,
          callOf({
            from: random.pick(others),
            to,
            gas: 1_000_000n,
            value: BigInt(random.below(2)),
            data: to === undefined ? randomContract(random, 'osaka', others) : new Uint8Array(),
          }),
        )
      }
      expect(accountsOf(scene.state)).toEqual(before)
      expect(scene.state.root()).toBe(root)
    }),
  )

  it('does not hear of fifty others that run at the same time', async () => {
    // Adds the calldata to the slot, sends a wei to the caller, and answers the slot, so any mixing shows.
    const code = assemble(
      ...([0, 'CALLDATALOAD', 0, 'SLOAD', 'ADD', 0, 'SSTORE'] as const),
      ...([0, 0, 0, 0, 1, 'CALLER', 'GAS', 'CALL', 'POP'] as const),
      ...([0, 'SLOAD', 0, 'MSTORE', 'CALLER', 32, 'MSTORE', 64, 0, 'RETURN'] as const),
    )
    const scene = sceneOf([{ address: CONTRACT, code, balance: 100n, storage: [[0n, 5n]] }])
    const calls = Array.from({ length: 50 }, (_, i) =>
      callOf({ from: address(0xf000 + i), to: CONTRACT, data: toWord(BigInt(i)) }),
    )
    const together = await Promise.all(calls.map((call) => runCall(evm, scene, call)))
    for (const [i, call] of calls.entries()) {
      expect(together[i]).toMatchObject({
        kind: 'success',
        returnData: Uint8Array.of(...toWord(5n + BigInt(i)), ...toWord(BigInt(call.from))),
      })
      expect(together[i]).toEqual(await runCall(machine(), scene, call))
    }
  })

  it('has 50,000,000 gas unless it says how much', async () => {
    const scene = answeringScene('GAS')
    expect(toQuantity(fromHex(await answer(scene)))).toBe(50_000_000n - 21_000n - 2n)
    expect(toQuantity(fromHex(await answer(scene, { gas: 100_000n })))).toBe(100_000n - 21_000n - 2n)
  })

  it('costs what the intrinsic gas and the instructions cost', async () => {
    const outcome = await runCall(evm, answeringScene('CALLER'), callOf({ to: CONTRACT }))
    // CALLER 2, PUSH 3 ×3, MSTORE 3 + 3 for a word of memory, RETURN 0.
    expect(outcome).toMatchObject({ kind: 'success', gasUsed: 21_000n + 2n + 9n + 6n })
  })

  it('answers the data of a revert, and why it was halted', async () => {
    const outcomeOf = (...items: Item[]) =>
      runCall(
        evm,
        sceneOf([{ address: CONTRACT, code: assemble(...items) }]),
        callOf({ to: CONTRACT, gas: 60_000n }),
      )
    expect(await outcomeOf(0xabcd, 0, 'MSTORE', 2, 30, 'REVERT')).toMatchObject({
      kind: 'revert',
      data: Uint8Array.of(0xab, 0xcd),
    })
    const reasons = {
      invalidOpcode: ['INVALID'],
      outOfGas: [1, 0xffff_ffff, 'MSTORE'],
      invalidJump: [3, 'JUMP'],
      stackUnderflow: ['ADD'],
    } satisfies Record<string, Item[]>
    for (const [reason, items] of Object.entries(reasons)) {
      expect(await outcomeOf(...items)).toMatchObject({ kind: 'halt', reason, gasUsed: 60_000n })
    }
  })

  it('may come from an address with code (EIP-3607 is for transactions)', async () => {
    const from = address(0xfeed)
    const scene = sceneOf([
      { address: CONTRACT, code: answering('CALLER', 'EXTCODESIZE') },
      { address: from, code: assemble('STOP', 'STOP'), balance: 1n, nonce: 5n },
    ])
    // The sender's code is hidden from the check alone, not from the running code.
    expect(await answer(scene, { from, value: 1n })).toBe(word(2n))
  })

  it('from a contract to itself runs its code', async () => {
    expect(await answer(answeringScene('CALLER', 'ADDRESS', 'EQ'), { from: CONTRACT })).toBe(word(1n))
  })

  it('pays no regard to the nonce of its sender', async () => {
    const scene = sceneOf([
      { address: ALICE.address, nonce: 77n },
      { address: CONTRACT, code: answering(1) },
    ])
    expect(await answer(scene, { from: ALICE.address })).toBe(word(1n))
  })

  it('warms what its access list names', async () => {
    const scene = sceneOf([{ address: CONTRACT, code: assemble(5, 'SLOAD', address(0xaaaa), 'BALANCE') }])
    const gas = async (fields: Partial<Call>) => {
      const outcome = await runCall(evm, scene, callOf({ to: CONTRACT, ...fields }))
      return outcome.kind === 'success' ? outcome.gasUsed : outcome
    }
    // EIP-2929 and EIP-2930: cold 2100 and 2600, warm 100; the list costs 2400 and 1900.
    expect(await gas({})).toBe(21_000n + 6n + 2_100n + 2_600n)
    const accessList = [
      { address: CONTRACT, storageKeys: [word(5n)] },
      { address: address(0xaaaa), storageKeys: [] },
    ]
    expect(await gas({ accessList })).toBe(21_000n + 6n + 100n + 100n + 2n * 2_400n + 1_900n)
  })
})

describe('a call without a destination', () => {
  it('answers the code that its creation code returns', async () => {
    const runtime = assemble(1, 2, 'ADD')
    expect(await answer(sceneOf([]), { to: undefined, data: creationOf(runtime) })).toBe(toHex(runtime))
  })

  it('runs where the sender’s nonce puts it', async () => {
    const data = answering('ADDRESS')
    const scene = sceneOf([{ address: ALICE.address, nonce: 3n }])
    const created = await answer(scene, { from: ALICE.address, to: undefined, data })
    expect(created).toBe(word(getContractAddress({ from: ALICE.address, nonce: 3n })))
  })

  it('is halted for creation code of more than 49,152 bytes, or code of more than 24,576 (EIP-3860, EIP-170)', async () => {
    const run = (data: Uint8Array) => runCall(evm, sceneOf([]), callOf({ data }))
    expect(await run(new Uint8Array(49_152))).toMatchObject({ kind: 'success' })
    expect(await run(new Uint8Array(49_153))).toMatchObject({ kind: 'halt', reason: 'initCodeTooLarge' })
    expect(await run(assemble(24_576, 0, 'RETURN'))).toMatchObject({ kind: 'success' })
    expect(await run(assemble(24_577, 0, 'RETURN'))).toMatchObject({ kind: 'halt', reason: 'codeTooLarge' })
  })

  it('is halted for code that begins with 0xef (EIP-3541)', async () => {
    expect(
      await runCall(evm, sceneOf([]), callOf({ data: assemble(0xef, 0, 'MSTORE8', 1, 0, 'RETURN') })),
    ).toMatchObject({
      kind: 'halt',
      reason: 'invalidCode',
    })
  })
})

describe('an authorization list (EIP-7702)', () => {
  const scene = sceneOf([
    { address: CONTRACT, code: answering('ADDRESS') },
    { address: ALICE.address, nonce: 2n },
  ])

  it('that is valid lets the authority run the code', async () => {
    const authorizationList = [await authorize(ALICE, { address: CONTRACT, nonce: 2n })]
    expect(await answer(scene, { to: ALICE.address, authorizationList })).toBe(word(ALICE.address))
  })

  it('of the sender itself counts the nonce that the call takes', async () => {
    const from = ALICE.address
    const later = [await authorize(ALICE, { address: CONTRACT, nonce: 3n })]
    expect(await answer(scene, { from, to: from, authorizationList: later })).toBe(word(from))
    const now = [await authorize(ALICE, { address: CONTRACT, nonce: 2n })]
    expect(await answer(scene, { from, to: from, authorizationList: now })).toBe('0x')
  })

  it.each([
    ['the wrong nonce', { nonce: 1n }],
    ['another chain', { nonce: 2n, chainId: 1n }],
  ])('with %s is skipped', async (_, wish) => {
    const authorizationList = [await authorize(ALICE, { address: CONTRACT, ...wish })]
    expect(await answer(scene, { to: ALICE.address, authorizationList })).toBe('0x')
  })

  it('without a true signature is skipped, and the valid ones beside it apply', async () => {
    const valid = await authorize(ALICE, { address: CONTRACT, nonce: 2n })
    const nobody = { ...valid, r: 0n, s: 0n }
    const high = { ...valid, s: 2n ** 256n - 1n }
    const odd = { ...valid, yParity: 9 as 0 | 1 }
    expect(await answer(scene, { to: ALICE.address, authorizationList: [nobody, high, odd] })).toBe('0x')
    expect(await answer(scene, { to: ALICE.address, authorizationList: [nobody, high, odd, valid] })).toBe(
      word(ALICE.address),
    )
  })

  it('means nothing before Prague', async () => {
    const authorizationList = [await authorize(ALICE, { address: CONTRACT, nonce: 2n })]
    expect(await answer(scene, { to: ALICE.address, authorizationList }, machine('cancun'))).toBe('0x')
  })
})

describe('a simulated world', () => {
  it('has the block and the transaction that Solidity sees', async () => {
    const scene = sceneOf([{ address: CONTRACT, code: fromHex(Store.deployedBytecode) }])
    const data = fromHex(encodeFunctionData({ abi: Store.abi, functionName: 'context' }))
    const from = ALICE.address
    const words = [
      CONTEXT.number,
      CONTEXT.timestamp,
      0n,
      BigInt(CONTEXT.coinbase),
      BigInt(CONTEXT.prevRandao),
      CONTEXT.gasLimit,
      31_337n,
      BigInt(from),
      0n,
    ]
    expect(await answer(scene, { from, data })).toBe(
      toHex(Uint8Array.from(words.flatMap((value) => [...toWord(value)]))),
    )
  })

  it('forgets transient storage and warm slots between calls (EIP-1153, EIP-2929)', async () => {
    const code = assemble(
      0,
      'TLOAD',
      1,
      'ADD',
      'DUP1',
      0,
      'TSTORE',
      3,
      'SLOAD',
      'POP',
      0,
      'MSTORE',
      32,
      0,
      'RETURN',
    )
    const scene = sceneOf([{ address: CONTRACT, code }])
    const first = await runCall(evm, scene, callOf({ to: CONTRACT }))
    expect(first).toMatchObject({ returnData: toWord(1n) })
    expect(await runCall(evm, scene, callOf({ to: CONTRACT }))).toEqual(first)
    const failing = sceneOf([{ address: CONTRACT, code: assemble(9, 0, 'TSTORE', 'INVALID') }])
    await runCall(evm, failing, callOf({ to: CONTRACT }))
    expect(await runCall(evm, scene, callOf({ to: CONTRACT }))).toEqual(first)
  })
})
