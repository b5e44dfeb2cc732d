/** What stands on top of a chain that was imported: transactions that waited meanwhile, and own blocks. */
import type { TypedTransaction } from '@ethereumjs/tx'
import { type Hex, numberToHex } from 'viem'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import type { Devnet } from '../../src/index.ts'
import { encodeBlock } from '../../src/model/block/block.ts'
import { blockBy, blocks, chain, expectHead, hash, standingAt } from '../support/chains/imports.ts'
import {
  BEGINS,
  CHAIN_ID,
  COUNTER,
  DEVELOPER,
  GENESIS,
  LENGTH,
  timeOf,
  USER,
} from '../support/chains/minedChain.ts'
import { Verifier } from '../support/chains/miner.ts'
import { sign } from '../support/chains/signing.ts'
import { ask, started } from '../support/clients/clients.ts'

const GWEI = 10n ** 9n

describe('transactions that wait while a chain comes in', () => {
  it.each([
    ['wait', 0],
    ['are pre-confirmed', 1],
  ])('leave the pool when it has them: those that %s', async (_, ticks) => {
    const devnet = await standingAt(46)
    const [transaction] = chain.blocks[46]!.block.transactions
    const waiting = await ask<Hex>(devnet, 'eth_sendRawTransaction', toHex(transaction!.serialize()))
    for (let i = 0; i < ticks; i++) await devnet.tick()
    const next = numberToHex(transaction!.nonce + 1n)
    expect(await ask(devnet, 'eth_getTransactionCount', USER.address, 'pending')).toBe(next)
    await devnet.import(blocks(47, 47))
    expect(await ask(devnet, 'eth_getTransactionReceipt', waiting)).toMatchObject({ blockNumber: '0x2f' })
    expect(await ask(devnet, 'eth_getTransactionCount', USER.address, 'pending')).toBe(next)
    await devnet.mine()
    expect(await blockBy(devnet, 'latest')).toMatchObject({ number: '0x30', transactions: [] })
  })

  it('are dropped when it was faster with their nonce', async () => {
    const devnet = await standingAt(46)
    const [{ nonce }] = chain.blocks[46]!.block.transactions as [TypedTransaction]
    const { raw, hash: rival } = sign(USER, { chainId: BigInt(CHAIN_ID), nonce })
    await ask(devnet, 'eth_sendRawTransaction', toHex(raw))
    const dropped: unknown[] = []
    devnet.on('dropped', (transaction, reason) => dropped.push([transaction.hash, reason]))
    await devnet.import(blocks(47, 47))
    await devnet.mine()
    expect(dropped).toEqual([[rival, { kind: 'nonceTooLow', next: nonce + 1n, got: nonce }]])
    expect(await ask(devnet, 'eth_getTransactionByHash', rival)).toBeNull()
  })

  it('wait on, and are sealed on top of it', async () => {
    const devnet = await standingAt(0)
    const payment = { from: DEVELOPER, to: DEVELOPER, gasPrice: numberToHex(20n * GWEI) }
    const transaction = await ask<Hex>(devnet, 'eth_sendTransaction', payment)
    await devnet.tick()
    await devnet.import(chain.file)
    expect(await ask(devnet, 'eth_getTransactionByHash', transaction)).toMatchObject({ blockNumber: null })
    await devnet.mine()
    expect(await ask(devnet, 'eth_getTransactionReceipt', transaction)).toMatchObject({
      blockNumber: numberToHex(LENGTH + 1),
      status: '0x1',
    })
  })
})

describe('own blocks', () => {
  /** Newest blocks as bytes. */
  function sealedBy(devnet: Devnet): Uint8Array[] {
    const sealed: Uint8Array[] = []
    devnet.on('sealed', ({ block }) => sealed.push(encodeBlock(block)))
    return sealed
  }

  function pay(devnet: Devnet): Promise<Hex> {
    const [from] = devnet.accounts
    const payment = { from: from!.address, to: COUNTER, gas: '0x30d40', gasPrice: numberToHex(20n * GWEI) }
    return ask(devnet, 'eth_sendTransaction', payment)
  }

  it('on top of an imported chain are right for EthereumJS, and their blobs become cheaper', async () => {
    const devnet = await standingAt(LENGTH)
    const sealed = sealedBy(devnet)
    const verifier = await Verifier.start(GENESIS)
    for (const encoded of chain.encoded) await verifier.accept(encoded)
    const excess: bigint[] = [chain.blocks.at(-1)!.block.header.excessBlobGas!]
    for (let i = 0; i < 6; i++) {
      await pay(devnet)
      await devnet.tick()
      await devnet.seal()
      excess.push(BigInt((await blockBy(devnet, 'latest')).excessBlobGas as Hex))
    }
    for (const [i, encoded] of sealed.entries()) {
      expect(await verifier.accept(encoded)).toBe((await blockBy(devnet, LENGTH + 1 + i)).hash)
    }
    expect(sealed).toHaveLength(6)
    // While blobs cost enough the target of four is taken off (EIP-4844); below, their price stays (EIP-7918).
    expect(excess[0]! - excess[1]!).toBe(4n * 131_072n)
    expect(excess.at(-1)).toBeLessThan(excess[0]!)
  })

  it('go through all hardforks that are still to come', async () => {
    const last = BEGINS.london - 1
    // For EthereumJS the merge has a number: here it is when mining ends.
    const config = { ...GENESIS.config, mergeNetsplitBlock: last + 1 }
    const devnet = await started({
      genesis: { ...GENESIS, config },
      rhythm: 'manual',
      tickMs: 15_000,
      ticksPerBlock: 0,
    })
    await devnet.import(blocks(1, last))
    const sealed = sealedBy(devnet)
    const hardforks = new Set<string>()
    for (let i = 0; i < 26; i++) {
      if (i % 2 === 0) await pay(devnet)
      await devnet.tick()
      hardforks.add(devnet.hardfork)
    }
    expect([...hardforks]).toEqual(['paris', 'shanghai', 'cancun', 'prague', 'osaka', 'bpo1', 'bpo2'])
    const verifier = await Verifier.start({ ...GENESIS, config })
    for (const encoded of [...blocks(1, last), ...sealed]) await verifier.accept(encoded)
    const copy = await standingAt(0)
    const whole = { imported: last + sealed.length, known: 0 }
    expect(await copy.import(devnet.export(), { rules: 'devnet' })).toEqual(whole)
  })

  it('are not older than the chain below them', async () => {
    const devnet = await standingAt(LENGTH)
    await devnet.mine()
    expect((await blockBy(devnet, 'latest')).timestamp).toBe(numberToHex(timeOf(LENGTH)))
    await devnet.advance({ ms: 7_000 })
    await devnet.mine()
    expect((await blockBy(devnet, 'latest')).timestamp).toBe(numberToHex(timeOf(LENGTH) + 7))
  })
})

describe('a devnet with an imported chain', () => {
  it('is forked and brought back like any other', async () => {
    const devnet = await standingAt(10)
    const before = devnet.snapshot()
    await devnet.import(chain.file)
    const whole = devnet.snapshot()
    const fork = devnet.fork()
    await fork.mine()
    await expectHead(devnet, LENGTH)
    await devnet.restore(before)
    await expectHead(devnet, 10)
    expect(await blockBy(devnet, 11)).toBeNull()
    await devnet.restore(whole)
    await expectHead(devnet, LENGTH)
    await fork.restore(before)
    expect(await fork.import(chain.file)).toEqual({ imported: LENGTH - 10, known: 10 })
    await fork.close()
  })

  it('keeps as many of its blocks as it was told to', async () => {
    const devnet = await started({ genesis: GENESIS, rhythm: 'manual', history: { blocks: 5 } })
    expect(await devnet.import(chain.file)).toEqual({ imported: LENGTH, known: 0 })
    await expectHead(devnet, LENGTH)
    await expect(blockBy(devnet, LENGTH - 5)).rejects.toMatchObject({ code: 4444 })
    expect(await blockBy(devnet, LENGTH - 4)).toMatchObject({ hash: hash(LENGTH - 4) })
    // Their hashes are kept, so they are known.
    expect(await devnet.import(chain.file)).toEqual({ imported: 0, known: LENGTH })
  })

  it('that makes a block of each transaction makes them on top', async () => {
    const devnet = await started({ genesis: GENESIS, rhythm: 'instant' })
    await devnet.import(chain.file)
    const payment = { from: DEVELOPER, to: DEVELOPER, gasPrice: numberToHex(20n * GWEI) }
    const transaction = await ask<Hex>(devnet, 'eth_sendTransaction', payment)
    expect(await ask(devnet, 'eth_getTransactionReceipt', transaction)).toMatchObject({
      blockNumber: numberToHex(LENGTH + 1),
    })
  })
})

describe('a devnet that makes blocks by itself', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('takes in a chain before its first tick', async () => {
    vi.useFakeTimers()
    const devnet = await started({ genesis: GENESIS, rhythm: 'interval', tickMs: 10 })
    const imported = devnet.import(chain.file)
    vi.advanceTimersByTime(25)
    expect(await imported).toEqual({ imported: LENGTH, known: 0 })
    await devnet.tick()
    expect(await blockBy(devnet, 'pending')).toMatchObject({
      number: numberToHex(LENGTH + 2),
      parentHash: expect.stringMatching(/^0x/),
    })
    expect(await blockBy(devnet, LENGTH + 1)).toMatchObject({ parentHash: hash(LENGTH) })
  })
})
