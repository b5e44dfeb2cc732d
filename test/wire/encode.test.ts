/** What we write must be readable by others: viem and @ethereumjs/block rebuild the same transaction, receipt, header. */
import { createBlockFromRPC, createBlockHeaderFromRPC, type JSONRPCBlock } from '@ethereumjs/block'
import {
  formatLog,
  formatTransaction,
  formatTransactionReceipt,
  type RpcTransaction,
  serializeTransaction,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { toHex, ZERO_HASH } from '../../src/bytes/hex.ts'
import { type Block, encodeBlock as encodeBlockRlp } from '../../src/model/block/block.ts'
import { EMPTY_OMMERS_HASH, type Header, hashHeader } from '../../src/model/block/header.ts'
import { type AnyHardfork, HARDFORKS, isSince } from '../../src/model/hardfork/hardfork.ts'
import type { Receipt } from '../../src/model/receipt/receipt.ts'
import { decodeIncludedTransaction } from '../../src/model/transaction/signedTransaction.ts'
import type { Transaction } from '../../src/model/transaction/transaction.ts'
import {
  encodeBlock,
  encodeIncludedTransaction,
  encodeLog,
  encodePooledTransaction,
  encodeReceipt,
} from '../../src/wire/encode.ts'
import { BLOCK_SHAPES, randomBlock as randomBlockOf, randomWithdrawal } from '../support/chains/blocks.ts'
import { randomHeader, theirCommon } from '../support/chains/headers.ts'
import { KINDS, randomSigned } from '../support/chains/transactions.ts'
import { Random, withRandom } from '../support/random/random.ts'

function randomReceipt(random: Random, transaction: Transaction, firstLogIndex: number): Receipt {
  return {
    type: transaction.type,
    status: random.pick(['success', 'failure']),
    root: undefined,
    gasUsed: random.bigint(30),
    cumulativeGasUsed: random.bigint(40),
    effectiveGasPrice: random.bigint(80),
    logs: random.list(random.below(4), () => ({
      address: random.hex(20),
      topics: random.list(random.between(0, 4), () => random.hex(32)),
      data: random.bytes(random.below(40)),
    })),
    firstLogIndex,
    logsBloom: random.bytes(256),
    failure: undefined,
    contractAddress: transaction.to === undefined ? random.hex(20) : undefined,
    ...(transaction.type === 3 ? { blobs: { gasUsed: random.bigint(30), gasPrice: random.bigint(60) } } : {}),
  }
}

/** A sealed block with a transaction of each kind, and receipts. */
async function randomBlock(random: Random): Promise<Block> {
  const header = { ...randomHeader(random, 'osaka'), baseFeePerGas: random.bigint(40) }
  const raws = await Promise.all(KINDS.map(([, type, chainId]) => randomSigned(random, type, chainId)))
  const transactions = raws.map(({ raw }) => decodeIncludedTransaction(Buffer.from(raw.slice(2), 'hex')))
  const receipts: Receipt[] = []
  let logs = 0
  for (const transaction of transactions) {
    const receipt = randomReceipt(random, transaction, logs)
    receipts.push(receipt)
    logs += receipt.logs.length
  }
  const withdrawals = random.list(random.below(3), () => randomWithdrawal(random))
  return { header, hash: hashHeader(header), transactions, ommers: [], withdrawals, receipts }
}

/** What is written, as it is after a journey through JSON. */
function sent<T>(value: unknown): T {
  return JSON.parse(JSON.stringify(value)) as T
}

/** The signed bytes that viem makes of a transaction as we write it. */
function rebuilt(json: unknown): string {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, typeHex, input, authorizationList, ...tx } =
    formatTransaction(sent<RpcTransaction>(json))
  const isOnePrice = tx.type === 'legacy' || tx.type === 'eip2930'
  const parity = Number(BigInt((json as { v: string }).v) % 2n)
  return serializeTransaction(
    {
      ...tx,
      data: input,
      ...(isOnePrice ? { gasPrice } : { maxFeePerGas, maxPriorityFeePerGas }),
      ...(authorizationList === undefined ? {} : { authorizationList }),
    } as never,
    tx.type === 'legacy' ? { r: tx.r, s: tx.s, v: tx.v } : { r: tx.r, s: tx.s, yParity: parity },
  )
}

describe('a transaction', () => {
  it.each(KINDS)('can be serialized again from what is written: %s', (_, type, chainId) =>
    withRandom(async (random) => {
      for (let i = 0; i < 10; i++) {
        const { raw } = await randomSigned(random, type, chainId)
        const transaction = decodeIncludedTransaction(Buffer.from(raw.slice(2), 'hex'))
        expect(rebuilt(encodePooledTransaction(transaction))).toBe(raw)
      }
    })(),
  )

  it(
    'has no place while it waits, and a place without a hash while its block is under construction',
    withRandom(async (random) => {
      const block = await randomBlock(random)
      const [transaction] = block.transactions
      expect(encodePooledTransaction(transaction!)).toMatchObject({
        blockHash: null,
        blockNumber: null,
        transactionIndex: null,
      })
      const place = { blockNumber: `0x${block.header.number.toString(16)}`, transactionIndex: '0x2' }
      expect(encodeIncludedTransaction(block, 2)).toMatchObject({ blockHash: block.hash, ...place })
      expect(encodeIncludedTransaction({ ...block, hash: ZERO_HASH }, 2)).toMatchObject({
        blockHash: null,
        ...place,
      })
    }),
  )
})

describe('a log', () => {
  it(
    'has the ten fields of seed 2.3 and no other',
    withRandom(async (random) => {
      const block = await randomBlock(random)
      const log = { address: random.hex(20), topics: [random.hex(32)], data: Uint8Array.of(0, 255) }
      expect(sent(encodeLog({ log, block, transactionIndex: 1, logIndex: 16 }))).toEqual({
        address: log.address,
        topics: log.topics,
        data: '0x00ff',
        blockNumber: `0x${block.header.number.toString(16)}`,
        blockTimestamp: `0x${block.header.timestamp.toString(16)}`,
        transactionHash: block.transactions[1]?.hash,
        transactionIndex: '0x1',
        blockHash: block.hash,
        logIndex: '0x10',
        removed: false,
      })
    }),
  )
})

describe('a receipt', () => {
  it(
    'says to viem what it was',
    withRandom(async (random) => {
      const block = await randomBlock(random)
      for (const [index, receipt] of block.receipts.entries()) {
        const transaction = block.transactions[index]!
        const read = formatTransactionReceipt(sent(encodeReceipt(block, index)))
        expect(read).toMatchObject({
          status: receipt.status === 'success' ? 'success' : 'reverted',
          gasUsed: receipt.gasUsed,
          cumulativeGasUsed: receipt.cumulativeGasUsed,
          effectiveGasPrice: receipt.effectiveGasPrice,
          transactionHash: transaction.hash,
          transactionIndex: index,
          blockHash: block.hash,
          blockNumber: block.header.number,
          from: transaction.from,
          to: transaction.to ?? null,
          contractAddress: receipt.contractAddress ?? null,
          logsBloom: toHex(receipt.logsBloom),
          type: ['legacy', 'eip2930', 'eip1559', 'eip4844', 'eip7702'][receipt.type],
          ...(receipt.blobs && {
            blobGasUsed: receipt.blobs.gasUsed,
            blobGasPrice: receipt.blobs.gasPrice,
          }),
        })
        expect(read.logs).toEqual(
          receipt.logs.map((log, i) =>
            formatLog(
              sent(encodeLog({ log, block, transactionIndex: index, logIndex: receipt.firstLogIndex + i })),
            ),
          ),
        )
      }
    }),
  )
})

describe('the fields of a receipt', () => {
  /** The receipt of a block's one transaction of `type`, as it is written. */
  async function written(random: Random, type: 0 | 2 | 3, change: Partial<Receipt> = {}): Promise<object> {
    const block = await randomBlock(random)
    const index = block.transactions.findIndex((transaction) => transaction.type === type)
    const receipts = block.receipts.map((receipt) => ({ ...receipt, ...change }))
    return sent(encodeReceipt({ ...block, receipts }, index))
  }

  // EIP-658: before Byzantium a receipt had the state after its transaction where it has a status since.
  it(
    'are a status, or before Byzantium a root, never both',
    withRandom(async (random) => {
      for (const status of ['success', 'failure'] as const) {
        const since = await written(random, 0, { status, root: undefined })
        expect(since).toMatchObject({ status: status === 'success' ? '0x1' : '0x0' })
        expect(since).not.toHaveProperty('root')
        const root = random.hex(32)
        const before = await written(random, 0, { status, root })
        expect(before).toMatchObject({ root })
        expect(before).not.toHaveProperty('status')
      }
    }),
  )

  it(
    'are those of blobs where there are blobs alone (EIP-4844)',
    withRandom(async (random) => {
      const blobs = { gasUsed: 131_072n, gasPrice: 1_000n }
      expect(await written(random, 3, { blobs })).toMatchObject({
        blobGasUsed: '0x20000',
        blobGasPrice: '0x3e8',
      })
      for (const type of [0, 2] as const) {
        const without = await written(random, type)
        expect(without).not.toHaveProperty('blobGasUsed')
        expect(without).not.toHaveProperty('blobGasPrice')
      }
    }),
  )
})

describe('the fields of a transaction', () => {
  // execution-apis `src/schemas/transaction.yaml`.
  const COMMON = [
    ...['blockHash', 'blockNumber', 'blockTimestamp', 'transactionIndex', 'hash', 'from', 'type'],
    ...['nonce', 'to', 'gas', 'gasPrice', 'value', 'input', 'v', 'r', 's'],
  ]
  const TYPED = [...COMMON, 'chainId', 'accessList', 'yParity']
  const MARKET = [...TYPED, 'maxFeePerGas', 'maxPriorityFeePerGas']
  const FIELDS = [
    COMMON,
    [...COMMON, 'chainId'],
    [...COMMON, 'chainId'],
    TYPED,
    MARKET,
    [...MARKET, 'maxFeePerBlobGas', 'blobVersionedHashes'],
    [...MARKET, 'authorizationList'],
  ]

  it.each(KINDS.map(([name, type, chainId], index) => [name, type, chainId, FIELDS[index]!] as const))(
    'are those of its type: %s',
    (_, type, chainId, fields) =>
      withRandom(async (random) => {
        const { raw } = await randomSigned(random, type, chainId)
        const transaction = decodeIncludedTransaction(Buffer.from(raw.slice(2), 'hex'))
        const block = { ...(await randomBlock(random)), transactions: [transaction] }
        expect(Object.keys(encodeIncludedTransaction(block, 0)).sort()).toEqual([...fields].sort())
        expect(Object.keys(encodePooledTransaction(transaction)).sort()).toEqual([...fields].sort())
      })(),
  )
})

describe('a block', () => {
  it.each(HARDFORKS)('can be hashed again from what is written: %s', (hardfork) =>
    withRandom((random) => {
      for (let i = 0; i < 20; i++) {
        const header = randomHeader(random, hardfork)
        const body = { transactions: [], ommers: [], withdrawals: undefined, receipts: [] }
        const block = { header, hash: hashHeader(header), ...body }
        const json = sent<JSONRPCBlock>(encodeBlock(block, 'hashes'))
        const common = theirCommon(hardfork)
        const read = createBlockHeaderFromRPC(json, { common, skipConsensusFormatValidation: true })
        expect(toHex(read.hash())).toBe(block.hash)
        expect(json.hash).toBe(block.hash)
      }
    })(),
  )

  it(
    'has its transactions as hashes or as objects',
    withRandom(async (random) => {
      const block = await randomBlock(random)
      expect(encodeBlock(block, 'hashes').transactions).toEqual(block.transactions.map(({ hash }) => hash))
      const full = encodeBlock(block, 'full').transactions as unknown[]
      expect(full).toEqual(block.transactions.map((_, index) => encodeIncludedTransaction(block, index)))
    }),
  )

  it.each(BLOCK_SHAPES)('can be made again from what is written, ommers aside: %s', (hardfork) =>
    withRandom(async (random) => {
      const body = { ...(await randomBlockOf(random, hardfork)), ommers: [], receipts: [] }
      const header = { ...body.header, ommersHash: EMPTY_OMMERS_HASH }
      const block: Block = { ...body, header, hash: hashHeader(header) }
      const json = sent<JSONRPCBlock>(encodeBlock(block, 'full'))
      const common = theirCommon(hardfork)
      const theirs = createBlockFromRPC(json, [], { common, skipConsensusFormatValidation: true })
      const bytes = encodeBlockRlp(block)
      expect(toHex(theirs.serialize())).toBe(toHex(bytes))
      expect(json.size).toBe(`0x${bytes.length.toString(16)}`)
    })(),
  )

  it(
    'names its ommers by their hashes, as @ethereumjs/block has them',
    withRandom(async (random) => {
      const ommers = [randomHeader(random, 'berlin'), randomHeader(random, 'berlin')]
      const block = await randomBlock(random)
      const read = ommers.map((ommer) => {
        const json = encodeBlock({ ...block, header: ommer, hash: hashHeader(ommer) }, 'hashes')
        const common = theirCommon('berlin')
        return createBlockHeaderFromRPC(sent(json), { common, skipConsensusFormatValidation: true })
      })
      expect(encodeBlock({ ...block, ommers }, 'hashes').uncles).toEqual(read.map((one) => toHex(one.hash())))
      expect(encodeBlock({ ...block, ommers: [] }, 'hashes').uncles).toEqual([])
    }),
  )

  it('has its withdrawals with the amount in gwei (EIP-4895), and before Shanghai none at all', () => {
    const header = randomHeader(new Random(1), 'shanghai')
    const body = { header, hash: hashHeader(header), transactions: [], ommers: [], receipts: [] }
    const address = `0x${'ad'.repeat(20)}` as const
    const withdrawals = [{ index: 0n, validatorIndex: 300n, address, amountGwei: 32n * 10n ** 9n }]
    expect(encodeBlock({ ...body, withdrawals }, 'hashes').withdrawals).toEqual([
      { index: '0x0', validatorIndex: '0x12c', address, amount: '0x773594000' },
    ])
    expect(encodeBlock({ ...body, withdrawals: [] }, 'hashes').withdrawals).toEqual([])
    expect(encodeBlock({ ...body, withdrawals: undefined }, 'hashes')).not.toHaveProperty('withdrawals')
  })

  // execution-apis `src/schemas/block.yaml`, and which hardfork brought which.
  const LATER: readonly (readonly [keyof Header, AnyHardfork])[] = [
    ['baseFeePerGas', 'london'],
    ['withdrawalsRoot', 'shanghai'],
    ['blobGasUsed', 'cancun'],
    ['excessBlobGas', 'cancun'],
    ['parentBeaconBlockRoot', 'cancun'],
    ['requestsHash', 'prague'],
  ]

  it.each(BLOCK_SHAPES)('has the fields of its hardfork and no other: %s', (hardfork) =>
    withRandom(async (random) => {
      const body = await randomBlockOf(random, hardfork)
      const json = encodeBlock({ ...body, hash: hashHeader(body.header), receipts: [] }, 'hashes')
      const later = LATER.filter(([, first]) => isSince(hardfork, first)).map(([name]) => name)
      const fields = [
        ...['hash', 'parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot'],
        ...['logsBloom', 'difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash'],
        ...['nonce', 'size', 'transactions', 'uncles'],
        ...later,
        ...(isSince(hardfork, 'shanghai') ? ['withdrawals'] : []),
      ]
      expect(Object.keys(json).sort()).toEqual(fields.sort())
    })(),
  )
})
