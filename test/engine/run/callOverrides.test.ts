/** Calls in another block or on another state than there is: overrides, and the hashes of the blocks before. */
import { createHash } from 'node:crypto'
import { getContractAddress, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { fromHex, type Hex, toHex, toWord } from '../../../src/bytes/hex.ts'
import { createDevnet } from '../../../src/devnet/createDevnet.ts'
import { runCall } from '../../../src/engine/run/runCall.ts'
import { accountsOf } from '../../support/chains/sequencers.ts'
import { type Signer, signerOf } from '../../support/chains/signing.ts'
import { answering, assemble, type Item } from '../../support/compilers/assembly.ts'
import { answer, CONTRACT, evm, word } from '../../support/engines/answers.ts'
import { address, blockHash, CONTEXT, callOf, machine, sceneOf } from '../../support/engines/scenes.ts'

const ALICE: Signer = signerOf(`0x${'a1'.repeat(32)}`)
const IDENTITY = address(4)

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
