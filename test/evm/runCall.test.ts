import { createHash } from 'node:crypto'
import { encodeFunctionData, getContractAddress, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import { Store } from '../../fixtures/contracts/Store.ts'
import { createDevnet } from '../../src/createDevnet.ts'
import type { Evm } from '../../src/evm/evm.ts'
import { runCall } from '../../src/evm/runCall.ts'
import type { Scene } from '../../src/evm/scene.ts'
import { fromHex, type Hex, toHex, toQuantity, toWord } from '../../src/model/bytes/hex.ts'
import { loadKeccak } from '../../src/model/crypto/keccak.ts'
import type { Call } from '../../src/model/execution/call.ts'
import { answering, assemble, creationOf, type Item } from '../support/assembly.ts'
import { randomContract } from '../support/programs.ts'
import { withRandom } from '../support/random.ts'
import { address, blockHash, CONTEXT, callOf, machine, sceneOf } from '../support/scenes.ts'
import { accountsOf } from '../support/sequencers.ts'
import { authorize, type Signer, signerOf } from '../support/signing.ts'

beforeAll(async () => {
  await loadKeccak()
})

const evm = machine()
const CONTRACT = address(0xc0de)
const ALICE: Signer = signerOf(`0x${'a1'.repeat(32)}`)
const IDENTITY = address(4)

function word(value: bigint | Hex): Hex {
  return toHex(toWord(BigInt(value)))
}

/** What a call that succeeds returns. */
async function answer(scene: Scene, fields: Partial<Call> = {}, on: Evm = evm): Promise<Hex> {
  const outcome = await runCall(on, scene, callOf({ to: CONTRACT, ...fields }))
  if (outcome.kind !== 'success') throw new Error(`expected success, got ${outcome.kind}`)
  return toHex(outcome.returnData)
}

/** A scene with a contract that answers the word which `items` leave on the stack. */
function answeringScene(...items: Item[]): Scene {
  return sceneOf([{ address: CONTRACT, code: answering(...items) }])
}

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
    const left = async (scene: Scene) => toQuantity(fromHex(await answer(scene, { gas: 2n ** 64n - 1n })))
    expect(await left(answeringScene('GAS'))).toBe(50_000_000n - 21_002n)
    const { state } = answeringScene('GAS')
    const wide = { state, context: { ...CONTEXT, gasLimit: 80_000_000n }, moved: undefined }
    expect(await left(wide)).toBe(80_000_000n - 21_002n)
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

describe('block overrides', () => {
  it.each<[string, Item, Parameters<typeof sceneOf>[2], bigint | Hex]>([
    ['number', 'NUMBER', { number: 12n }, 12n],
    ['time', 'TIMESTAMP', { timestamp: 34n }, 34n],
    ['gas limit', 'GASLIMIT', { gasLimit: 56n }, 56n],
    ['fee recipient', 'COINBASE', { coinbase: address(0x78) }, address(0x78)],
    ['prevRandao', 'PREVRANDAO', { prevRandao: `0x${'90'.repeat(32)}` }, `0x${'90'.repeat(32)}`],
    ['blob base fee', 'BLOBBASEFEE', { blobBaseFee: 11n }, 11n],
  ])('change the %s that code sees, and nothing else', async (_, instruction, override, value) => {
    const accounts = [{ address: CONTRACT, code: answering(instruction as Item) }]
    expect(await answer(sceneOf(accounts, [], override))).toBe(word(value))
    for (const [other, unchanged] of [
      ['NUMBER', CONTEXT.number],
      ['TIMESTAMP', CONTEXT.timestamp],
      ['PREVRANDAO', CONTEXT.prevRandao],
    ] as const) {
      if (other === instruction) continue
      const scene = sceneOf([{ address: CONTRACT, code: answering(other) }], [], override)
      expect(await answer(scene)).toBe(word(unchanged))
    }
  })

  it('change the base fee that code sees and that a fee must cover; without a fee it reads 0', async () => {
    const accounts = [
      { address: CONTRACT, code: answering('BASEFEE') },
      { address: ALICE.address, balance: 10n ** 18n },
    ]
    const scene = sceneOf(accounts, [], { baseFeePerGas: 100n })
    const offering = (gasPrice: bigint) => ({
      from: ALICE.address,
      fee: { kind: 'legacy', gasPrice } as const,
    })
    expect(await answer(scene, offering(100n))).toBe(word(100n))
    expect(await answer(scene)).toBe(word(0n))
    expect(await runCall(evm, scene, callOf({ to: CONTRACT, ...offering(99n) }))).toMatchObject({
      kind: 'feeBelowBaseFee',
    })
  })

  it('change the difficulty where the hardfork has one', async () => {
    const scene = sceneOf([{ address: CONTRACT, code: answering('PREVRANDAO') }], [], { difficulty: 13n })
    expect(await answer(scene, {}, machine('london'))).toBe(word(13n))
  })
})

describe('BLOCKHASH', () => {
  const ask = (number: number, block = {}) =>
    answer(sceneOf([{ address: CONTRACT, code: answering(number, 'BLOCKHASH') }], [], block))

  it('answers for the 256 blocks before this one and for no others', async () => {
    expect(await ask(999)).toBe(blockHash(999n))
    expect(await ask(744)).toBe(blockHash(744n))
    for (const number of [743, 0, 1_000, 1_001]) expect(await ask(number)).toBe(word(0n))
  })

  it('counts from an overridden number', async () => {
    expect(await ask(743, { number: 900n })).toBe(blockHash(743n))
    expect(await ask(900, { number: 900n })).toBe(word(0n))
  })

  it('answers for blocks whose history was pruned', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual', history: { blocks: 2 } })
    const hashes: Hex[] = []
    devnet.on('sealed', ({ block }) => hashes.push(block.hash))
    for (let i = 0; i < 6; i++) await devnet.seal()
    const code = toHex(answering(1, 'BLOCKHASH'))
    const asked = devnet.request({
      method: 'eth_call',
      params: [{ to: CONTRACT }, 'latest', { [CONTRACT]: { code } }],
    })
    expect(await asked).toBe(hashes[0])
  })
})

describe('state overrides', () => {
  const accounts = [
    {
      address: CONTRACT,
      nonce: 1n,
      balance: 5n,
      code: answering('SELFBALANCE'),
      storage: [
        [0n, 10n],
        [1n, 11n],
      ] as const,
    },
  ]
  const slots = assemble(0, 'SLOAD', 0, 'MSTORE', 1, 'SLOAD', 32, 'MSTORE', 64, 0, 'RETURN')

  it('replace a balance', async () => {
    expect(await answer(sceneOf(accounts, [{ address: CONTRACT, balance: 77n }]))).toBe(word(77n))
  })

  it('replace a nonce, which decides where the account creates', async () => {
    const scene = sceneOf([], [{ address: ALICE.address, nonce: 9n }])
    const created = await answer(scene, { from: ALICE.address, to: undefined, data: answering('ADDRESS') })
    expect(created).toBe(word(getContractAddress({ from: ALICE.address, nonce: 9n })))
  })

  it('replace code, also of an account that does not exist', async () => {
    for (const before of [accounts, []]) {
      expect(await answer(sceneOf(before, [{ address: CONTRACT, code: answering(42) }]))).toBe(word(42n))
    }
  })

  it('replace all storage with `state`, and single slots with `stateDiff`', async () => {
    const ask = (override: object) =>
      answer(sceneOf(accounts, [{ address: CONTRACT, code: slots, ...override }]))
    expect(await ask({})).toBe(toHex(Uint8Array.of(...toWord(10n), ...toWord(11n))))
    expect(await ask({ state: [[0n, 99n]] })).toBe(toHex(Uint8Array.of(...toWord(99n), ...toWord(0n))))
    expect(await ask({ stateDiff: [[0n, 99n]] })).toBe(toHex(Uint8Array.of(...toWord(99n), ...toWord(11n))))
  })

  it('leave the state that they were applied to as it was', () => {
    const { state } = sceneOf(accounts)
    const before = accountsOf(state)
    sceneOf(accounts, [{ address: CONTRACT, code: slots, state: [[0n, 99n]], balance: 1n, nonce: 8n }])
    expect(accountsOf(state)).toEqual(before)
  })

  it('move a precompile to another address, and leave no code behind', async () => {
    const moved = address(0x40404)
    const scene = sceneOf([], [{ address: IDENTITY, movePrecompileTo: moved }])
    const data = Uint8Array.of(1, 2, 3)
    expect(await answer(sceneOf([]), { to: IDENTITY, data })).toBe('0x010203')
    expect(await answer(scene, { to: moved, data })).toBe('0x010203')
    expect(await answer(scene, { to: IDENTITY, data })).toBe('0x')
  })

  it('put code in a moved precompile’s old place, which may call it at its new one', async () => {
    const moved = address(0x22222)
    const sha256 = address(2)
    // Hashes its calldata where SHA-256 now is and answers the digest plus one.
    const code = assemble(
      ...(['CALLDATASIZE', 0, 0, 'CALLDATACOPY'] as const),
      ...([32, 0, 'CALLDATASIZE', 0, moved, 'GAS', 'STATICCALL', 'POP'] as const),
      answering(0, 'MLOAD', 1, 'ADD'),
    )
    const scene = sceneOf([], [{ address: sha256, code, movePrecompileTo: moved }])
    const data = Uint8Array.of(9, 8, 7)
    const digest = BigInt(`0x${createHash('sha256').update(data).digest('hex')}`)
    expect(await answer(scene, { to: moved, data })).toBe(word(digest))
    expect(await answer(scene, { to: sha256, data })).toBe(word(digest + 1n))
  })

  it('move ecrecover and let code answer for it to contracts', async () => {
    const moved = address(0x11111)
    const hash = keccak256('0x1234')
    const { r, s, yParity } = await authorizeHash(hash)
    const data = Uint8Array.of(
      ...fromHex(hash),
      ...toWord(27n + BigInt(yParity)),
      ...fromHex(r),
      ...fromHex(s),
    )
    const scene = sceneOf([], [{ address: address(1), code: answering(0xbad), movePrecompileTo: moved }])
    expect(await answer(scene, { to: moved, data })).toBe(word(ALICE.address))
    expect(await answer(scene, { to: address(1), data })).toBe(word(0xbadn))
    expect(await answer(sceneOf([]), { to: address(1), data })).toBe(word(ALICE.address))
  })

  it('of code win over a precompile only where that was moved away', async () => {
    const scene = sceneOf([], [{ address: IDENTITY, code: answering(42) }])
    expect(await answer(scene, { to: IDENTITY, data: Uint8Array.of(7) })).toBe('0x07')
  })

  async function authorizeHash(hash: Hex): Promise<{ r: Hex; s: Hex; yParity: number }> {
    const signature = await privateKeyToAccount(ALICE.privateKey).sign({ hash })
    return {
      r: `0x${signature.slice(2, 66)}`,
      s: `0x${signature.slice(66, 130)}`,
      yParity: signature.endsWith('1b') ? 0 : 1,
    }
  }
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
