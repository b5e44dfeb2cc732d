/** Merkle proofs of the present, of the past and of what is only pre-confirmed (EIP-1186). */
import { encodeFunctionData, getContractAddress, keccak256, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { Store } from '../../fixtures/contracts/Store.ts'
import { type Hex, toHex } from '../../src/bytes/hex.ts'
import type { Moment } from '../../src/chain/moment.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { Mixture } from '../support/chains/mixture.ts'
import { ask, clientOf, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'
import { provenAccount, provenSlot } from '../support/nodes/proofs.ts'
import { type Random, withRandom } from '../support/random/random.ts'

interface Proof {
  readonly address: Hex
  readonly nonce: Hex
  readonly balance: Hex
  readonly codeHash: Hex
  readonly storageHash: Hex
  readonly accountProof: Hex[]
  readonly storageProof: { key: Hex; value: Hex; proof: Hex[] }[]
}

const PAYEE: Hex = '0x000000000000000000000000000000000000b0b0'
const SLOTS = 7

/** What slot `n % SLOTS` is set to in block `n`; zero clears it. */
function written(n: number): number {
  return n % 5 === 0 ? 0 : n
}

/** What `slot` holds after block `number`. The store is deployed in block 1, and written to from block 2 on. */
function held(slot: number, number: number): number {
  for (let n = number; n >= 2; n--) if (n % SLOTS === slot) return written(n)
  return 0
}

/** Sends what block `n` is made of: one slot of the store, and one wei for the payee. */
async function send(devnet: Devnet, store: Hex, n: number): Promise<void> {
  const [owner, payer] = devnet.accounts.map(({ address }) => address)
  const args = [BigInt(n % SLOTS), BigInt(written(n))] as const
  const data = encodeFunctionData({ abi: Store.abi, functionName: 'set', args })
  await ask(devnet, 'eth_sendTransaction', { from: owner, to: store, data, gas: '0x186a0' })
  await ask(devnet, 'eth_sendTransaction', { from: payer, to: PAYEE, value: '0x1', gas: '0x5208' })
}

/** A chain of `height` blocks. */
async function grown(height: number, options: DevnetOptions = {}): Promise<{ devnet: Devnet; store: Hex }> {
  const devnet = await started({ rhythm: 'manual', ...options })
  const from = devnet.accounts[0]!.address
  const store = getContractAddress({ from, nonce: 0n }).toLowerCase() as Hex
  await ask(devnet, 'eth_sendTransaction', { from, data: Store.bytecode })
  await devnet.mine()
  for (let n = 2; n <= height; n++) {
    await send(devnet, store, n)
    await devnet.mine()
  }
  return { devnet, store }
}

function prove(devnet: Devnet, address: Hex, slots: readonly number[], ...at: unknown[]): Promise<Proof> {
  return ask(
    devnet,
    'eth_getProof',
    address,
    slots.map((slot) => numberToHex(slot)),
    ...at,
  )
}

async function stateRoot(devnet: Devnet, at: unknown): Promise<Hex> {
  return (await ask<{ stateRoot: Hex }>(devnet, 'eth_getBlockByNumber', at, false)).stateRoot
}

const ALL_SLOTS = Array.from({ length: SLOTS + 1 }, (_, slot) => slot)

/** Shows what is asked at `at` to those who know nothing but `root`: it is what `number` blocks must have left. */
async function expectProven(
  devnet: Devnet,
  store: Hex,
  root: Hex,
  at: unknown,
  number: number,
): Promise<void> {
  const proof = await prove(devnet, store, ALL_SLOTS, at)
  const account = await provenAccount(root, store, proof.accountProof)
  expect(account).toEqual({
    nonce: 1n,
    balance: 0n,
    codeHash: keccak256(await ask<Hex>(devnet, 'eth_getCode', store)),
    storageHash: proof.storageHash,
  })
  expect(proof).toMatchObject({ address: store, nonce: '0x1', balance: '0x0', codeHash: account!.codeHash })
  for (const slot of ALL_SLOTS) {
    const { key, value, proof: nodes } = proof.storageProof[slot]!
    expect([key, value]).toEqual([numberToHex(slot), numberToHex(held(slot, number))])
    expect(await provenSlot(proof.storageHash, BigInt(slot), nodes)).toBe(BigInt(held(slot, number)))
  }
  const payee = await prove(devnet, PAYEE, [], at)
  expect(BigInt(payee.balance)).toBe(BigInt(number - 1))
  expect((await provenAccount(root, PAYEE, payee.accountProof))?.balance).toBe(BigInt(number - 1))
  const stranger = await prove(devnet, STRANGER, [1], at)
  expect(await provenAccount(root, STRANGER, stranger.accountProof)).toBeUndefined()
  expect(stranger).toMatchObject({
    nonce: '0x0',
    balance: '0x0',
    codeHash: ZERO_HASH,
    storageHash: ZERO_HASH,
    storageProof: [{ key: '0x1', value: '0x0', proof: [] }],
  })
}

describe('eth_getProof', () => {
  it('shows accounts and slots against the state root of any block, 500 blocks back and at the tip', async () => {
    const tip = 512
    const { devnet, store } = await grown(tip)
    for (const number of [2, 6, 7, tip - 500, tip - 256, tip - 255, tip - 10, tip - 1, tip]) {
      const at = numberToHex(number)
      await expectProven(devnet, store, await stateRoot(devnet, at), at, number)
    }
    const { hash } = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', numberToHex(tip - 500), false)
    const root = await stateRoot(devnet, numberToHex(tip - 500))
    await expectProven(devnet, store, root, { blockHash: hash, requireCanonical: true }, tip - 500)
    // No two of these blocks left the same.
    expect(root).not.toBe(await stateRoot(devnet, 'latest'))
  })

  it('means the latest block where none is named', async () => {
    const { devnet, store } = await grown(5)
    await send(devnet, store, 6)
    await devnet.tick()
    const latest = await prove(devnet, store, ALL_SLOTS, 'latest')
    expect(await prove(devnet, store, ALL_SLOTS)).toEqual(latest)
    expect(await prove(devnet, store, ALL_SLOTS, null)).toEqual(latest)
    expect(await prove(devnet, store, ALL_SLOTS, 'pending')).not.toEqual(latest)
  })

  it('shows the absence of what comes later in genesis', async () => {
    const { devnet, store } = await grown(3)
    const root = await stateRoot(devnet, 'earliest')
    const { accountProof, codeHash } = await prove(devnet, store, [], 'earliest')
    expect(await provenAccount(root, store, accountProof)).toBeUndefined()
    expect(codeHash).toBe(ZERO_HASH)
  })

  it('on pending is against the root that the block is sealed with if nothing more comes', async () => {
    const { devnet, store } = await grown(5, { ticksPerBlock: 3 })
    await send(devnet, store, 6)
    await devnet.tick()
    const addresses = [store, PAYEE, STRANGER, devnet.accounts[0]!.address]
    const proveAll = (at: string) =>
      Promise.all(addresses.map((address) => prove(devnet, address, ALL_SLOTS, at)))
    const pending = await proveAll('pending')
    const root = keccak256(pending[0]!.accountProof[0]!)
    expect(root).not.toBe(await stateRoot(devnet, 'latest'))
    expect(await stateRoot(devnet, 'pending')).toBe(ZERO_HASH)
    await expectProven(devnet, store, root, 'pending', 6)
    await expectProven(devnet, store, await stateRoot(devnet, 'latest'), 'latest', 5)
    await devnet.seal()
    expect(await stateRoot(devnet, 'latest')).toBe(root)
    expect(await proveAll('latest')).toEqual(pending)
  })

  it('on pending follows each slice', async () => {
    const { devnet, store } = await grown(2, { ticksPerBlock: 10 })
    for (let number = 3; number <= 6; number++) {
      await send(devnet, store, number)
      await devnet.tick()
      const { accountProof } = await prove(devnet, store, [], 'pending')
      await expectProven(devnet, store, keccak256(accountProof[0]!), 'pending', number)
    }
  })

  it('refuses blocks that are not kept any more, and shows those that are', async () => {
    const { devnet, store } = await grown(20, { history: { blocks: 5 } })
    for (const number of [16, 18, 20]) {
      const at = numberToHex(number)
      await expectProven(devnet, store, await stateRoot(devnet, at), at, number)
    }
    for (const number of [1, 15]) {
      const asking = prove(devnet, store, [1], numberToHex(number))
      await expect(asking).rejects.toMatchObject({ code: 4444, message: 'pruned history unavailable' })
    }
  })

  it('refuses blocks that do not exist', async () => {
    const { devnet, store } = await grown(2)
    await expect(prove(devnet, store, [], '0x3')).rejects.toMatchObject({ code: -32001 })
    await expect(prove(devnet, store, [], `0x${'11'.repeat(32)}`)).rejects.toMatchObject({ code: -32001 })
  })

  it('shows to each of two forks its own world', async () => {
    const { devnet, store } = await grown(4)
    const fork = devnet.fork()
    await send(fork, store, 5)
    await fork.mine()
    await expectProven(fork, store, await stateRoot(fork, 'latest'), 'latest', 5)
    await expectProven(devnet, store, await stateRoot(devnet, 'latest'), 'latest', 4)
    await fork.close()
  })

  it('answers 1024 keys, each in the form in which it was asked for', async () => {
    const { devnet, store } = await grown(9)
    const root = await stateRoot(devnet, 'latest')
    const keys = Array.from({ length: 1024 }, (_, i) => numberToHex(i, i % 2 === 0 ? {} : { size: 32 }))
    const proof = await ask<Proof>(devnet, 'eth_getProof', store, keys)
    expect(proof.storageProof.map(({ key }) => key)).toEqual(keys)
    const account = await provenAccount(root, store, proof.accountProof)
    for (const [slot, { value, proof: nodes }] of proof.storageProof.entries()) {
      expect(await provenSlot(account!.storageHash, BigInt(slot), nodes)).toBe(BigInt(value))
    }
  })

  it('is read by viem', async () => {
    const { devnet, store } = await grown(4)
    const key = numberToHex(4, { size: 32 })
    const proof = await clientOf(devnet).getProof({ address: store, storageKeys: [key], blockNumber: 4n })
    expect(proof).toMatchObject({ nonce: 1, balance: 0n, storageProof: [{ key, value: 4n }] })
  })

  it(
    'shows what is there and what is not after any transactions',
    withRandom(async (random) => {
      const devnet = await started({
        rhythm: 'manual',
        hardfork: 'osaka',
        ticksPerBlock: 2,
        systemContracts: true,
      })
      for (const moment of await busyChain(random, devnet, 40))
        await expectWorldProven(random, devnet, moment)
    }),
  )
})

/** `length` blocks of transactions of all kinds. */
async function busyChain(random: Random, devnet: Devnet, length: number): Promise<Moment[]> {
  const sealed: Moment[] = []
  devnet.on('sealed', (moment) => sealed.push(moment))
  const mixture = new Mixture(random, 'osaka', devnet.accounts, true)
  while (sealed.length < length) {
    for (let waiting = random.below(6); waiting > 0; waiting--) {
      const { raw } = await mixture.next()
      await devnet.request({ method: 'eth_sendRawTransaction', params: [toHex(raw)] })
    }
    await devnet.tick()
  }
  return sealed
}

/** Some of the accounts of a moment, some of their slots, and an account that nobody has. */
async function expectWorldProven(random: Random, devnet: Devnet, { block, state }: Moment): Promise<void> {
  const records = [...state.records()]
  for (const address of [...random.list(5, () => random.pick(records).address), random.hex(20)]) {
    const slots = Array.from({ length: 5 }, (_, slot) => slot)
    const proof = await prove(devnet, address, slots, block.hash)
    const shown = await provenAccount(block.header.stateRoot, address, proof.accountProof)
    const account = state.account(address)
    if (account === undefined) {
      expect(shown).toBeUndefined()
      continue
    }
    const { nonce, balance, codeHash } = account
    const { storageHash } = proof
    expect(shown).toEqual({ nonce, balance, storageHash, codeHash: toHex(codeHash) })
    expect(proof).toMatchObject({ codeHash: toHex(codeHash), balance: numberToHex(balance) })
    for (const [slot, { value, proof: nodes }] of proof.storageProof.entries()) {
      expect(BigInt(value)).toBe(state.storage(address, BigInt(slot)))
      expect(await provenSlot(storageHash, BigInt(slot), nodes)).toBe(BigInt(value))
    }
  }
}

describe('the parameters of eth_getProof', () => {
  it.each<[string, unknown[], string]>([
    ['no address', [], '0: params[0]: expected a 20-byte address (0x and 40 hex digits), got nothing'],
    [
      'a short address',
      ['0x12', []],
      '0: params[0]: expected a 20-byte address (0x and 40 hex digits), got "0x12"',
    ],
    ['no keys', [PAYEE], '1: params[1]: expected an array of storage keys, got nothing'],
    ['a key alone', [PAYEE, '0x0'], '1: params[1]: expected an array of storage keys, got "0x0"'],
    [
      'a key that is no text',
      [PAYEE, ['0x0', 1]],
      '1: params[1][1]: expected a storage slot (0x and 1 to 64 hex digits), got 1',
    ],
    [
      'a key without digits',
      [PAYEE, ['0x']],
      '1: params[1][0]: expected a storage slot (0x and 1 to 64 hex digits), got "0x"',
    ],
    [
      'too many keys',
      [PAYEE, Array(1025).fill('0x0')],
      '1: params[1]: expected at most 1024 storage keys, got 1025',
    ],
    ['no such block', [PAYEE, [], 'newest'], '2: params[2]: expected a block: '],
    ['one too many', [PAYEE, [], 'latest', 1], '3: expected at most 3 parameters, got 4'],
  ])('are refused with %s', async (_, params, detail) => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(devnet.request({ method: 'eth_getProof', params })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(`invalid argument ${detail}`),
    })
  })
})
