/** Calls and estimates in a world that is not so: other balances, codes, storages and blocks, for one question. */
import { encodeFunctionData, type Hex, numberToHex, pad, parseEther, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { Store } from '../../fixtures/contracts/Store.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import market, { type Market } from '../../fixtures/market.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { ask, clientOf, STRANGER, started } from '../support/clients/clients.ts'

const OTHER = '0x0000000000000000000000000000000000006666'

function call(devnet: Devnet, message: object, ...more: unknown[]): Promise<Hex> {
  return ask(devnet, 'eth_call', message, ...more)
}

function word(value: bigint | number): Hex {
  return numberToHex(value, { size: 32 })
}

function get(slot: bigint): Hex {
  return encodeFunctionData({ abi: Store.abi, functionName: 'get', args: [slot] })
}

function set(slot: bigint, value: bigint): Hex {
  return encodeFunctionData({ abi: Store.abi, functionName: 'set', args: [slot, value] })
}

/** A devnet with the market, whose store has 1 in slot 1 and 2 in slot 2. */
async function stored(options: DevnetOptions = {}): Promise<{ devnet: Devnet; places: Market; store: Hex }> {
  const devnet = await started({ rhythm: 'instant', ...options })
  const places = await market(devnet)
  for (const slot of [1n, 2n]) {
    const transaction = { from: places.owner, to: places.store, data: set(slot, slot) }
    await ask(devnet, 'eth_sendTransaction', transaction)
  }
  return { devnet, places, store: places.store }
}

describe('a state override', () => {
  it('gives money to who has none', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const payment = { from: STRANGER, to: OTHER, value: numberToHex(parseEther('5')) }
    await expect(call(devnet, payment, 'latest')).rejects.toMatchObject({ code: -32003 })
    const rich = { [STRANGER]: { balance: numberToHex(parseEther('5')) } }
    expect(await call(devnet, payment, 'latest', rich)).toBe('0x')
    expect(await ask(devnet, 'eth_estimateGas', payment, 'latest', rich)).toBe('0x5208')
  })

  it('takes money away', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const from = devnet.accounts[0]!.address
    const poor = { [from]: { balance: '0x0' } }
    const payment = { from, to: STRANGER, value: '0x1' }
    await expect(call(devnet, payment, 'latest', poor)).rejects.toMatchObject({
      message: 'insufficient funds for gas * price + value: have 0 want 1',
    })
  })

  it('puts code where there is none', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const code = { [STRANGER]: { code: Store.deployedBytecode } }
    expect(await call(devnet, { to: STRANGER, data: get(1n) }, 'latest', code)).toBe(word(0))
    expect(await call(devnet, { to: STRANGER, data: get(1n) }, 'latest')).toBe('0x')
  })

  it('replaces the code of a contract, which keeps its storage', async () => {
    const { devnet, store } = await stored()
    // PUSH1 1 SLOAD PUSH1 100 ADD PUSH0 MSTORE PUSH1 32 PUSH0 RETURN
    const code = { [store]: { code: '0x6001546064015f5260205ff3' } }
    expect(await call(devnet, { to: store }, 'latest', code)).toBe(word(101))
  })

  it('removes the code of a contract', async () => {
    const { devnet, store } = await stored()
    expect(await call(devnet, { to: store, data: get(1n) }, 'latest', { [store]: { code: '0x' } })).toBe('0x')
  })

  it('sets the nonce, and with it the address of what is created', async () => {
    const { devnet, places } = await stored()
    const spawn = encodeFunctionData({ abi: Store.abi, functionName: 'spawn' })
    const message = { from: places.owner, to: places.store, data: spawn }
    const first = await call(devnet, message, 'latest')
    const later = await call(devnet, message, 'latest', { [places.store]: { nonce: '0x9' } })
    expect(later).not.toBe(first)
    expect(await call(devnet, message, 'latest', { [places.store]: { nonce: '0x1' } })).toBe(first)
  })

  it('changes some slots and leaves the others, as stateDiff', async () => {
    const { devnet, store } = await stored()
    const diff = { [store]: { stateDiff: { [word(1)]: word(77) } } }
    expect(await call(devnet, { to: store, data: get(1n) }, 'latest', diff)).toBe(word(77))
    expect(await call(devnet, { to: store, data: get(2n) }, 'latest', diff)).toBe(word(2))
  })

  it('replaces all slots, as state', async () => {
    const { devnet, store } = await stored()
    const state = { [store]: { state: { [word(1)]: word(77) } } }
    expect(await call(devnet, { to: store, data: get(1n) }, 'latest', state)).toBe(word(77))
    expect(await call(devnet, { to: store, data: get(2n) }, 'latest', state)).toBe(word(0))
  })

  it('cannot do both', async () => {
    const { devnet, store } = await stored()
    const both = { [store]: { state: {}, stateDiff: {} } }
    await expect(call(devnet, { to: store }, 'latest', both)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^invalid argument 2: .*either state .* or stateDiff/),
    })
  })

  it('is gone with the question', async () => {
    const { devnet, store } = await stored()
    const diff = { [store]: { balance: '0x5', stateDiff: { [word(1)]: word(77) } } }
    await call(devnet, { to: store, data: set(2n, 88n) }, 'latest', diff)
    expect(await ask(devnet, 'eth_getStorageAt', store, '0x1')).toBe(word(1))
    expect(await ask(devnet, 'eth_getStorageAt', store, '0x2')).toBe(word(2))
    expect(await ask(devnet, 'eth_getBalance', store)).toBe('0x0')
  })

  it('gives tokens to who has none, by their slot', async () => {
    const { devnet, places } = await stored()
    const client = clientOf(devnet)
    // solc puts balanceOf in slot 4; a mapping's value is at keccak256(key . slot).
    const transfer = {
      address: places.gold,
      abi: Token.abi,
      functionName: 'transfer',
      args: [OTHER, 5n],
      account: STRANGER,
    } as const
    await expect(client.simulateContract(transfer)).rejects.toThrow('InsufficientBalance')
    const { keccak256 } = await import('viem')
    const slot = keccak256(`${pad(STRANGER)}${word(4).slice(2)}`)
    const { result } = await client.simulateContract({
      ...transfer,
      stateOverride: [{ address: places.gold, stateDiff: [{ slot, value: word(5) }] }],
    })
    expect(result).toBe(true)
  })

  it('holds on what is pre-confirmed as well', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { store, owner } = await market(devnet)
    await ask(devnet, 'eth_sendTransaction', { from: owner, to: store, data: set(1n, 5n) })
    await devnet.tick()
    const diff = { [store]: { stateDiff: { [word(2)]: word(6) } } }
    const read = (slot: bigint, at: string) => call(devnet, { to: store, data: get(slot) }, at, diff)
    expect(await read(1n, 'pending')).toBe(word(5))
    expect(await read(2n, 'pending')).toBe(word(6))
    expect(await read(1n, 'latest')).toBe(word(0))
  })

  it('counts in an estimate', async () => {
    const { devnet, store, places } = await stored()
    const message = { from: places.owner, to: store, data: set(3n, 1n) }
    const fresh = await ask(devnet, 'eth_estimateGas', message, 'latest')
    const diff = { [store]: { stateDiff: { [word(3)]: word(9) } } }
    const used = await ask(devnet, 'eth_estimateGas', message, 'latest', diff)
    // A slot that has a value is written for 2,900 where a new one costs 20,000 (EIP-2929).
    expect(Number(fresh) - Number(used)).toBe(17_100)
  })

  it('moves a precompile elsewhere, and puts code in its place', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const sha256 = '0x0000000000000000000000000000000000000002'
    const data = toHex('hello')
    const hash = await call(devnet, { to: sha256, data }, 'latest')
    const overrides = {
      [sha256]: { movePrecompileToAddress: OTHER, code: '0x60075f5260205ff3' },
    }
    expect(await call(devnet, { to: OTHER, data }, 'latest', overrides)).toBe(hash)
    expect(await call(devnet, { to: sha256, data }, 'latest', overrides)).toBe(word(7))
    expect(await call(devnet, { to: sha256, data }, 'latest')).toBe(hash)
  })

  it('is taken in no other form', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const ways: [unknown, string][] = [
      [{ nobody: {} }, 'a 20-byte address'],
      [{ [STRANGER]: { balance: 5 } }, 'a quantity'],
      [{ [STRANGER]: { code: '0x1' } }, 'bytes'],
      [{ [STRANGER]: { stateDiff: { '0x1': word(1) } } }, '32 bytes'],
      [[], 'state overrides'],
    ]
    for (const [overrides, expected] of ways) {
      await expect(call(devnet, { to: STRANGER }, 'latest', overrides)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(new RegExp(`^invalid argument 2: .*expected ${expected}`)),
      })
    }
  })
})

describe('a block override', () => {
  const code = { [STRANGER]: { code: Store.deployedBytecode } }

  async function context(devnet: Devnet, block: object, at = 'latest') {
    const { decodeFunctionResult } = await import('viem')
    const data = encodeFunctionData({ abi: Store.abi, functionName: 'context' })
    const answer = await call(devnet, { to: STRANGER, data }, at, code, block)
    return decodeFunctionResult({ abi: Store.abi, functionName: 'context', data: answer })
  }

  it('changes what a contract learns of its block', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const block = {
      number: '0x64',
      time: '0xc8',
      gasLimit: '0x12c',
      feeRecipient: OTHER,
      prevRandao: word(400),
    }
    expect(await context(devnet, block)).toMatchObject({
      number: 100n,
      timestamp: 200n,
      gasLimit: 300n,
      coinbase: OTHER,
      prevRandao: 400n,
    })
  })

  it('leaves the rest of the block as it is', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine()
    const plain = await context(devnet, {})
    expect(await context(devnet, { time: '0x1' })).toEqual({ ...plain, timestamp: 1n })
  })

  it('holds on pending, whose number is that of the next block', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.tick()
    expect(await context(devnet, {}, 'pending')).toMatchObject({ number: 1n })
    expect(await context(devnet, {}, 'latest')).toMatchObject({ number: 0n })
    expect(await context(devnet, { number: '0x9' }, 'pending')).toMatchObject({ number: 9n })
  })
})

describe('the context of a call on pending', () => {
  async function numberAt(devnet: Devnet, at: string): Promise<number> {
    // NUMBER PUSH0 MSTORE PUSH1 32 PUSH0 RETURN
    const code = { [STRANGER]: { code: '0x435f5260205ff3' } }
    return Number(await call(devnet, { to: STRANGER }, at, code))
  }

  it.each([
    [0, 7],
    [1, 6],
    [5, 2],
    [100, 0],
  ])('lags %i blocks behind where it is told to', async (pendingContextLag, expected) => {
    const devnet = await started({ rhythm: 'manual', pendingContextLag })
    for (let block = 0; block < 6; block++) await devnet.mine()
    await devnet.tick()
    expect(await numberAt(devnet, 'pending')).toBe(expected)
    expect(await numberAt(devnet, 'latest')).toBe(6)
  })

  it('does not lag where pending is the latest block', async () => {
    const devnet = await started({ rhythm: 'manual', pendingContextLag: 1 })
    for (let block = 0; block < 6; block++) await devnet.mine()
    expect(await numberAt(devnet, 'pending')).toBe(6)
  })

  it('lags, but the state does not', async () => {
    const devnet = await started({ rhythm: 'manual', pendingContextLag: 2 })
    const payment = { from: devnet.accounts[0]!.address, to: STRANGER, value: '0x9' }
    await ask(devnet, 'eth_sendTransaction', payment)
    await devnet.tick()
    expect(await call(devnet, { from: STRANGER, to: OTHER, value: '0x9' }, 'pending')).toBe('0x')
  })
})
