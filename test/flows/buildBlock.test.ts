/** testing_buildBlockV1: payloads that EthereumJS takes for blocks, and that another devnet imports as its own. */
import { createBlockFromExecutionPayload } from '@ethereumjs/block'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { sha256 } from '@noble/hashes/sha2.js'
import { type Hex, hexToBytes, numberToHex, parseGwei, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import type { UnsignedTransaction } from '../../src/model/transaction/transaction.ts'
import { BLOBS, signNaming, withBlobs } from '../support/chains/blobs.ts'
import { sign } from '../support/chains/signing.ts'
import { ask, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'

interface Payload extends Record<string, unknown> {
  readonly blockHash: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly baseFeePerGas: Hex
  readonly transactions: readonly Hex[]
}

interface Built {
  readonly executionPayload: Payload
  readonly blockValue: Hex
  readonly blobsBundle: { readonly commitments: Hex[]; readonly proofs: Hex[]; readonly blobs: Hex[] }
  readonly shouldOverrideBuilder: boolean
  readonly executionRequests: readonly Hex[]
}

const RANDAO: Hex = `0x${'11'.repeat(32)}`
const RECIPIENT: Hex = `0x${'22'.repeat(20)}`
const BEACON_ROOT: Hex = `0x${'33'.repeat(32)}`
const SECONDS = 12

const manual = (options: DevnetOptions = {}) => started({ rhythm: 'manual', ...options })

/** With the contracts that a block which is imported must find since Prague. */
const importing = () => manual({ systemContracts: true })

async function head(devnet: Devnet): Promise<{ hash: Hex; timestamp: Hex }> {
  return ask(devnet, 'eth_getBlockByNumber', 'latest', false)
}

async function build(
  devnet: Devnet,
  transactions: readonly Hex[] | null = [],
  attributes: object = {},
  extraData: Hex | null = null,
): Promise<Built> {
  const { hash, timestamp } = await head(devnet)
  const all = {
    timestamp: numberToHex(Number(timestamp) + SECONDS),
    prevRandao: RANDAO,
    suggestedFeeRecipient: RECIPIENT,
    withdrawals: [],
    parentBeaconBlockRoot: BEACON_ROOT,
    ...attributes,
  }
  return ask(devnet, 'testing_buildBlockV1', hash, all, transactions, extraData)
}

/** EIP-7685: what the header says of the requests. */
function requestsHash(requests: readonly Hex[]): Hex {
  const hash = sha256.create()
  for (const request of requests) hash.update(sha256(hexToBytes(request)))
  return toHex(hash.digest())
}

/** The payload's block in RLP, as EthereumJS makes it; it throws where the hash is that of another block. */
async function rlpOf({ executionPayload, executionRequests }: Built): Promise<Uint8Array> {
  const common = new Common({ chain: { ...Mainnet, chainId: 31337 }, hardfork: Hardfork.Osaka })
  const payload = {
    ...executionPayload,
    parentBeaconBlockRoot: BEACON_ROOT,
    requestsHash: requestsHash(executionRequests),
  }
  const block = await createBlockFromExecutionPayload(
    payload as unknown as Parameters<typeof createBlockFromExecutionPayload>[0],
    { common },
  )
  return block.serialize()
}

const transfer = (devnet: Devnet, fields: Partial<UnsignedTransaction> = {}, sender = 0) =>
  sign(devnet.accounts[sender]!, { to: STRANGER, value: 5n, ...fields })

describe('testing_buildBlockV1', () => {
  it('builds a block of the given transactions, which another devnet imports with the same state', async () => {
    const [one, other] = [await importing(), await importing()]
    const transactions = [
      transfer(one, { nonce: 0n }),
      transfer(one, { nonce: 0n }, 1),
      transfer(one, {
        nonce: 1n,
        to: undefined,
        gasLimit: 100_000n,
        data: Uint8Array.of(0x60, 0, 0x60, 0, 0xf3),
      }),
    ]
    const built = await build(
      one,
      transactions.map(({ raw }) => toHex(raw)),
    )
    expect(built.executionPayload.transactions).toEqual(transactions.map(({ raw }) => toHex(raw)))
    await other.import([await rlpOf(built)])
    expect((await head(other)).hash).toBe(built.executionPayload.blockHash)
    expect(await ask(other, 'eth_getBalance', STRANGER)).toBe('0xa')
  })

  it('takes what the attributes and the extra data say', async () => {
    const devnet = await importing()
    const { hash, timestamp } = await head(devnet)
    const withdrawal = { index: '0x7', validatorIndex: '0x8', address: STRANGER, amount: '0x9' }
    const built = await build(devnet, [], { withdrawals: [withdrawal] }, '0xc0de')
    expect(built).toMatchObject({
      blockValue: '0x0',
      blobsBundle: { commitments: [], proofs: [], blobs: [] },
      shouldOverrideBuilder: false,
      executionRequests: [],
      executionPayload: {
        parentHash: hash,
        blockNumber: '0x1',
        timestamp: numberToHex(Number(timestamp) + SECONDS),
        prevRandao: RANDAO,
        feeRecipient: RECIPIENT,
        withdrawals: [withdrawal],
        extraData: '0xc0de',
        transactions: [],
        gasUsed: '0x0',
      },
    })
    const other = await importing()
    await other.import([await rlpOf(built)])
    // Gwei.
    expect(await ask(other, 'eth_getBalance', STRANGER)).toBe(numberToHex(9_000_000_000n))
  })

  it('leaves chain and pool as they are', async () => {
    const devnet = await manual()
    await ask(devnet, 'eth_sendRawTransaction', toHex(transfer(devnet, { nonce: 0n }).raw))
    const before = await head(devnet)
    await build(devnet, null)
    await build(devnet, [toHex(transfer(devnet, { nonce: 0n, value: 6n }).raw)])
    expect(await head(devnet)).toEqual(before)
    expect(await ask(devnet, 'txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
    expect(await ask(devnet, 'eth_getBlockByNumber', 'pending', false)).toMatchObject({ number: '0x0' })
  })

  it('builds of the pool, the higher tip first, where null is given for the transactions', async () => {
    const devnet = await manual()
    const fees = (tip: string) => ({
      type: 2 as const,
      maxFeePerGas: parseGwei('5'),
      maxPriorityFeePerGas: parseGwei(tip),
    })
    const low = transfer(devnet, { nonce: 0n, ...fees('1') })
    const high = transfer(devnet, { nonce: 0n, ...fees('2') }, 1)
    const afterGap = transfer(devnet, { nonce: 5n, ...fees('3') }, 2)
    for (const { raw } of [low, high, afterGap]) await ask(devnet, 'eth_sendRawTransaction', toHex(raw))
    const { executionPayload, blockValue } = await build(devnet, null)
    expect(executionPayload.transactions).toEqual([high, low].map(({ raw }) => toHex(raw)))
    // What the recipient gets: 21,000 gas at a tip of 2 gwei, as much at 1 gwei.
    expect(BigInt(blockValue)).toBe(21_000n * parseGwei('3'))
    expect((await build(devnet, [])).executionPayload.transactions).toEqual([])
  })

  it('bundles what blobs came with', async () => {
    const devnet = await manual()
    const raw = withBlobs(signNaming(devnet.accounts[0]!, BLOBS), BLOBS, 1)
    const { executionPayload, blobsBundle } = await build(devnet, [raw])
    expect(executionPayload).toMatchObject({ blobGasUsed: numberToHex(2 * 131_072), excessBlobGas: '0x0' })
    expect(blobsBundle).toEqual({
      commitments: BLOBS.map(({ commitment }) => commitment.toLowerCase()),
      proofs: BLOBS.flatMap(({ cellProofs }) => cellProofs.map((proof) => proof.toLowerCase())),
      blobs: BLOBS.map(({ blob }) => blob),
    })
  })

  it('tells the requests to the beacon chain', async () => {
    const [one, other] = [await importing(), await importing()]
    // EIP-7002: a public key of a validator and an amount, for a fee of at least one wei.
    const data = new Uint8Array(56).fill(0xab)
    const to = '0x00000961ef480eb55e80d19ad83579a64c007002'
    const asking = transfer(one, { nonce: 0n, to, data, value: 1n, gasLimit: 200_000n })
    const built = await build(one, [toHex(asking.raw)])
    const sender = one.accounts[0]!.address.toLowerCase()
    expect(built.executionRequests).toEqual([`0x01${sender.slice(2)}${'ab'.repeat(56)}`])
    await other.import([await rlpOf(built)])
    expect((await head(other)).hash).toBe(built.executionPayload.blockHash)
  })

  it('moves the gas limit towards 60 million by less than a 1024th', async () => {
    const limitAfter = async (gasLimit: number) =>
      Number((await build(await manual({ gasLimit }))).executionPayload.gasLimit)
    expect(await limitAfter(30_000_000)).toBe(30_000_000 + 29_295)
    expect(await limitAfter(200_000_000)).toBe(200_000_000 - 195_311)
    expect(await limitAfter(60_000_000)).toBe(60_000_000)
    expect(await limitAfter(59_999_990)).toBe(60_000_000)
  })

  it('builds on a block that is not the newest', async () => {
    const devnet = await manual()
    const { hash } = await head(devnet)
    await devnet.mine()
    const attributes = { timestamp: '0xffffffff', prevRandao: RANDAO, suggestedFeeRecipient: RECIPIENT }
    const built = await ask<Built>(devnet, 'testing_buildBlockV1', hash, attributes, [], null)
    expect(built.executionPayload).toMatchObject({ parentHash: hash, blockNumber: '0x1', withdrawals: [] })
  })

  describe.each(['base', 'geth'] as const)('refuses (dialect %s)', (dialect) => {
    const invalid = dialect === 'geth' ? -32000 : -32602

    it('a time that is not after that of the parent', async () => {
      const devnet = await manual({ dialect })
      const { timestamp } = await head(devnet)
      await expect(build(devnet, [], { timestamp })).rejects.toMatchObject({
        code: invalid,
        message: `invalid timestamp: ${Number(timestamp)} is not after the parent's timestamp, ${Number(timestamp)}`,
      })
    })

    it('a transaction that cannot be included, and says why', async () => {
      const devnet = await manual({ dialect })
      const [first, third] = [transfer(devnet, { nonce: 0n }), transfer(devnet, { nonce: 2n })]
      await expect(build(devnet, [toHex(first.raw), toHex(third.raw)])).rejects.toMatchObject({
        code: invalid,
        message: `transaction 1 (${third.hash}) cannot be included: nonce too high: next nonce 1, tx nonce 2`,
      })
    })

    it('a parent that is not there', async () => {
      const devnet = await manual({ dialect })
      const attributes = { timestamp: '0x1', prevRandao: RANDAO, suggestedFeeRecipient: RECIPIENT }
      const asking = ask(devnet, 'testing_buildBlockV1', ZERO_HASH, attributes, [], null)
      await expect(asking).rejects.toMatchObject({ code: dialect === 'geth' ? -32000 : -32001 })
    })

    it('what is no transaction, and attributes that lack something', async () => {
      const devnet = await manual({ dialect })
      await expect(build(devnet, ['0x01'])).rejects.toMatchObject({ code: -32602 })
      await expect(build(devnet, [], { prevRandao: null })).rejects.toMatchObject({ code: -32602 })
      await expect(build(devnet, [], {}, `0x${'00'.repeat(33)}`)).rejects.toMatchObject({ code: -32602 })
    })
  })
})
