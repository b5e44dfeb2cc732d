/** Transactions with blobs (EIP-4844, EIP-7594), from the wire into sealed blocks. */
import { describe, expect, it } from 'vitest'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import type { UnsignedTransaction } from '../../src/model/transaction/transaction.ts'
import { BLOBS, type SentBlob, signNaming, withBlobs } from '../support/chains/blobs.ts'
import { type GenesisJson, Verifier } from '../support/chains/miner.ts'
import { ask, started } from '../support/clients/clients.ts'

const GAS_PER_BLOB = 131_072

interface BlockJson {
  readonly blobGasUsed: string
  readonly excessBlobGas: string
  readonly transactions: readonly string[]
}

function send(
  devnet: Devnet,
  blobs: readonly SentBlob[],
  {
    sender = 0,
    version = 1 as 0 | 1,
    ...fields
  }: Partial<UnsignedTransaction> & { sender?: number; version?: 0 | 1 } = {},
): Promise<string> {
  const transaction = signNaming(devnet.accounts[sender]!, blobs, fields)
  return ask<string>(devnet, 'eth_sendRawTransaction', withBlobs(transaction, blobs, version))
}

const manual = (options: DevnetOptions = {}) => started({ rhythm: 'manual', ...options })

function block(devnet: Devnet, at: string): Promise<BlockJson> {
  return ask<BlockJson>(devnet, 'eth_getBlockByNumber', at, false)
}

describe('a transaction with blobs', () => {
  it.each([0, 1] as const)('sent in wrapper %i is pre-confirmed and sealed without them', async (version) => {
    const devnet = await manual()
    const hash = await send(devnet, BLOBS, { version })
    await devnet.tick()
    expect(await block(devnet, 'pending')).toMatchObject({
      blobGasUsed: `0x${(2 * GAS_PER_BLOB).toString(16)}`,
      transactions: [hash],
    })
    await devnet.seal()
    const sealed = await ask<Record<string, unknown>>(devnet, 'eth_getTransactionByHash', hash)
    expect(sealed).toMatchObject({ type: '0x3', blockNumber: '0x1', maxFeePerBlobGas: '0x3b9aca00' })
    expect(sealed.blobVersionedHashes).toHaveLength(2)
    expect(sealed).not.toHaveProperty('blobs')
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({
      status: '0x1',
      blobGasUsed: `0x${(2 * GAS_PER_BLOB).toString(16)}`,
      blobGasPrice: '0x1',
    })
  })

  it('pays for them: two blobs at one wei per blob gas', async () => {
    const devnet = await manual()
    const { address } = devnet.accounts[0]!
    await send(devnet, BLOBS)
    await devnet.mine()
    const gas = 21_000n * (1_000_000_000n + 875_000_000n)
    const left = BigInt(await ask<string>(devnet, 'eth_getBalance', address, 'latest'))
    expect(left).toBe(devnet.settings.balance - gas - 2n * BigInt(GAS_PER_BLOB))
  })

  it('is refused where its proofs are those of other blobs', async () => {
    const devnet = await manual()
    const [first, second] = BLOBS as [SentBlob, SentBlob]
    const mixed = { ...first, blobProof: second.blobProof }
    await expect(send(devnet, [mixed], { version: 0 })).rejects.toMatchObject({
      code: -32000,
      message: 'invalid blob proof: blob 0 is not what its commitment and proofs say',
    })
  })

  it('is refused without its blobs, and with more than one transaction may have', async () => {
    const devnet = await manual()
    const bare = signNaming(devnet.accounts[0]!, BLOBS)
    await expect(
      ask(devnet, 'eth_sendRawTransaction', `0x${Buffer.from(bare.raw).toString('hex')}`),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('sent with its blobs') })
    const seven = Array.from({ length: 7 }, () => BLOBS[0]!)
    await expect(send(devnet, seven, { version: 0 })).rejects.toMatchObject({
      code: -32000,
      message: 'blob transaction has too many blobs: 7, at most 6 (EIP-7594)',
    })
  })

  it('is refused before Cancun', async () => {
    const devnet = await manual({ hardfork: 'shanghai' })
    await expect(send(devnet, BLOBS, { version: 0 })).rejects.toMatchObject({
      message: 'transaction type not supported: type 3 on shanghai',
    })
  })

  it('waits while blobs cost more than it offers', async () => {
    const devnet = await manual()
    const hash = await send(devnet, BLOBS, { maxFeePerBlobGas: 0n })
    await devnet.mine()
    expect(await block(devnet, 'latest')).toMatchObject({ transactions: [] })
    expect(await ask(devnet, 'eth_getTransactionByHash', hash)).toMatchObject({ blockNumber: null })
  })
})

describe('a block', () => {
  it('takes in no more blobs than it may have; the others wait for the next', async () => {
    const devnet = await manual({ hardfork: 'cancun' })
    const hashes: string[] = []
    // Six are allowed under Cancun.
    for (const sender of [0, 1, 2, 3]) hashes.push(await send(devnet, BLOBS, { sender, version: 0 }))
    await devnet.mine()
    expect((await block(devnet, 'latest')).transactions).toEqual(hashes.slice(0, 3))
    await devnet.mine()
    expect((await block(devnet, 'latest')).transactions).toEqual(hashes.slice(3))
  })

  it('raises the price of blobs after more of them than the target', async () => {
    const devnet = await manual({ hardfork: 'cancun', ticksPerBlock: 0, baseFee: 7 })
    for (const sender of [0, 1, 2]) await send(devnet, BLOBS, { sender, version: 0 })
    await devnet.tick()
    await devnet.tick()
    // Six used, three are the target.
    expect((await block(devnet, 'latest')).excessBlobGas).toBe(`0x${(3 * GAS_PER_BLOB).toString(16)}`)
  })

  it.each(['cancun', 'prague', 'osaka'] as const)(
    'with blobs is one that EthereumJS would have made, under %s',
    async (hardfork) => {
      const systemContracts = hardfork !== 'cancun'
      const devnet = await manual({ hardfork, systemContracts, ticksPerBlock: 2, timestamp: 1_700_000_000 })
      for (const sender of [0, 1, 2]) {
        await send(devnet, BLOBS, { sender, version: 0 })
        await devnet.tick()
      }
      await devnet.mine()
      const verifier = await Verifier.start(JSON.parse(JSON.stringify(devnet.genesis())) as GenesisJson)
      const blocks = [...devnet.export()]
      for (const encoded of blocks) await verifier.accept(encoded)
      expect(blocks.length).toBeGreaterThan(1)
    },
  )
})

describe('an unlocked account', () => {
  const hashes = [`0x01${'ab'.repeat(31)}`]

  it('sends a transaction that names blobs, which need not be there', async () => {
    const devnet = await manual({ rhythm: 'instant' })
    const request = {
      from: devnet.accounts[0]!.address,
      to: devnet.accounts[1]!.address,
      blobVersionedHashes: hashes,
    }
    const hash = await ask<string>(devnet, 'eth_sendTransaction', request)
    expect(await ask(devnet, 'eth_getTransactionByHash', hash)).toMatchObject({
      type: '0x3',
      blobVersionedHashes: hashes,
      maxFeePerBlobGas: '0x2',
    })
  })

  it.each([
    ['blobs themselves', { blobs: ['0x'] }, 'params[0].blobs: expected nothing: blobs are sent signed'],
    [
      'type 3 and no hashes',
      { type: '0x3' },
      'params[0].blobVersionedHashes: expected the hashes of its blobs',
    ],
    ['no hash', { blobVersionedHashes: [] }, 'params[0].blobVersionedHashes: expected at least one hash'],
    ['no destination', { blobVersionedHashes: hashes, to: null }, 'params[0].to: expected a 20-byte address'],
  ])('is told what is wrong with %s', async (_, fields, message) => {
    const devnet = await manual()
    const request = { from: devnet.accounts[0]!.address, to: devnet.accounts[1]!.address, ...fields }
    await expect(ask(devnet, 'eth_sendTransaction', request)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    })
  })
})
