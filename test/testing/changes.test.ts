/** Balances before and after a transaction, where it makes accounts and contracts, or ends them. */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import type { RpcReceipt } from '../../src/testing/matchers/outcome.ts'
import {
  balanceChange,
  feeOf,
  tokenBalance,
  tokenChange,
} from '../../src/testing/matchers/toChangeBalance.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { answering, assemble, creationOf } from '../support/compilers/assembly.ts'

const CONTRACT = '0x00000000000000000000000000000000000c0de0'

/** A devnet with `code` at `CONTRACT`, which has 5 wei, and a transaction to it (or as `request` says) in a block. */
async function ran(code: Uint8Array, request: object = { to: CONTRACT }, options: DevnetOptions = {}) {
  const devnet = await started({ rhythm: 'manual', ...options })
  await ask(devnet, 'anvil_setCode', CONTRACT, toHex(code))
  await ask(devnet, 'anvil_setBalance', CONTRACT, '0x5')
  const from = devnet.accounts[0]!.address
  const hash = await ask<Hex>(devnet, 'eth_sendTransaction', { from, gas: '0x7a120', ...request })
  await devnet.mine()
  const receipt = await ask<RpcReceipt & { transactionHash: Hex; contractAddress: Hex | null }>(
    devnet,
    'eth_getTransactionReceipt',
    hash,
  )
  return { devnet, receipt }
}

async function change(devnet: Devnet, receipt: Parameters<typeof balanceChange>[1], of: string) {
  const { before, after } = await balanceChange(devnet, receipt, of)
  return [before, after]
}

describe('the change of a balance', () => {
  it('begins with nothing for an account that there was not', async () => {
    const { devnet, receipt } = await ran(assemble('STOP'), { to: STRANGER, value: '0x7' })
    expect(await change(devnet, receipt, STRANGER)).toEqual([0n, 7n])
  })

  it('ends with nothing for an account that there is no more', async () => {
    // Before Cancun SELFDESTRUCT removes any account (EIP-6780).
    const { devnet, receipt } = await ran(assemble('CALLER', 'SELFDESTRUCT'), undefined, {
      hardfork: 'shanghai',
    })
    expect(await ask(devnet, 'eth_getCode', CONTRACT)).toBe('0x')
    expect(await change(devnet, receipt, CONTRACT)).toEqual([5n, 0n])
  })

  it('is none for an account of which something else changed', async () => {
    const { devnet, receipt } = await ran(assemble(1, 0, 'SSTORE', 'STOP'))
    expect(BigInt(await ask(devnet, 'eth_getStorageAt', CONTRACT, '0x0'))).toBe(1n)
    expect(await change(devnet, receipt, CONTRACT)).toEqual([5n, 5n])
  })
})

describe('the change of a balance that a transaction left alone', () => {
  it('is told with the balance of its block, whatever came later', async () => {
    const { devnet, receipt } = await ran(assemble('STOP'))
    const from = devnet.accounts[0]!.address
    await ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x7', gas: '0x5208' })
    await devnet.tick()
    expect(await ask(devnet, 'eth_getBalance', STRANGER, 'pending')).toBe('0x7')
    expect(await change(devnet, receipt, STRANGER)).toEqual([0n, 0n])
  })
})

describe('the change of a balance of tokens', () => {
  it('is none in what has code and answers nothing, pre-confirmed or not', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 3 })
    const from = devnet.accounts[0]!.address
    const data = toHex(creationOf(assemble('STOP')))
    const hash = await ask<Hex>(devnet, 'eth_sendTransaction', { from, data, gas: '0x7a120' })
    await devnet.tick()
    const { to } = await ask<{ to: Hex }>(devnet, 'debug_traceTransaction', hash, { tracer: 'callTracer' })
    expect(await tokenBalance(devnet, to, STRANGER)).toBe(0n)
  })

  it('begins with nothing in a token that the transaction makes, whatever that answers by itself', async () => {
    const { devnet, receipt } = await ran(assemble('STOP'), { data: toHex(creationOf(answering(7))) })
    expect(await tokenChange(devnet, receipt, receipt.contractAddress!, STRANGER)).toEqual({
      before: 0n,
      after: 7n,
    })
  })

  it('is read from the first word of what the token answers', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const twoWords = assemble(9, 0, 'MSTORE', 8, 32, 'MSTORE', 64, 0, 'RETURN')
    await ask(devnet, 'anvil_setCode', CONTRACT, toHex(twoWords))
    expect(await tokenBalance(devnet, CONTRACT, STRANGER)).toBe(9n)
  })

  it('is by default that of the block under construction', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 3 })
    await ask(devnet, 'anvil_setCode', CONTRACT, toHex(answering(0, 'SLOAD')))
    const data = toHex(creationOf(answering(7)))
    const from = devnet.accounts[0]!.address
    await ask(devnet, 'eth_sendTransaction', { from, data, gas: '0x7a120' })
    await devnet.tick()
    const made = await ask<{ transactions: { hash: Hex }[] }>(devnet, 'eth_getBlockByNumber', 'pending', true)
    const [{ hash }] = made.transactions as [{ hash: Hex }]
    const trace = await ask<{ to: Hex }>(devnet, 'debug_traceTransaction', hash, { tracer: 'callTracer' })
    expect(await tokenBalance(devnet, trace.to, STRANGER)).toBe(7n)
    await expect(tokenBalance(devnet, trace.to, STRANGER, 'latest')).resolves.toBe(0n)
  })
})

describe('the fee of a transaction', () => {
  const receipt = { gasUsed: '0x5208', effectiveGasPrice: '0x2' } as RpcReceipt

  it('is its gas at the price that was paid', () => {
    expect(feeOf(receipt)).toBe(42_000n)
  })

  it('has that of its blobs in it (EIP-4844)', () => {
    expect(feeOf({ ...receipt, blobGasUsed: '0x20000', blobGasPrice: '0x3' })).toBe(42_000n + 131_072n * 3n)
  })

  it('has what L1 took in it', () => {
    expect(feeOf({ ...receipt, l1Fee: '0x64' })).toBe(42_100n)
  })
})
