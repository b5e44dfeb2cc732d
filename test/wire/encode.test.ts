/** What we write must be readable by others: viem and @ethereumjs/block rebuild the same transaction, receipt, header. */
import { createBlockHeaderFromRPC, type JSONRPCBlock } from '@ethereumjs/block'
import { Common, Mainnet } from '@ethereumjs/common'
import {
  formatLog,
  formatTransaction,
  formatTransactionReceipt,
  type RpcTransaction,
  serializeTransaction,
} from 'viem'
import { describe, expect, it } from 'vitest'
import type { Block } from '../../src/model/block.ts'
import { HARDFORKS } from '../../src/model/hardfork.ts'
import { hashHeader } from '../../src/model/header.ts'
import { toHex, ZERO_HASH } from '../../src/model/hex.ts'
import type { Receipt } from '../../src/model/receipt.ts'
import { decodeTransaction } from '../../src/model/signedTransaction.ts'
import type { Transaction } from '../../src/model/transaction.ts'
import {
  encodeBlock,
  encodeIncludedTransaction,
  encodeLog,
  encodePooledTransaction,
  encodeReceipt,
} from '../../src/wire/encode.ts'
import { randomHeader } from '../support/headers.ts'
import { type Random, withRandom } from '../support/random.ts'
import { KINDS, randomSigned } from '../support/transactions.ts'

function randomReceipt(random: Random, transaction: Transaction, firstLogIndex: number): Receipt {
  return {
    type: transaction.type,
    status: random.pick(['success', 'failure']),
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
  }
}

/** A sealed block with a transaction of each kind, and receipts. */
async function randomBlock(random: Random): Promise<Block> {
  const header = { ...randomHeader(random, 'osaka'), baseFeePerGas: random.bigint(40) }
  const raws = await Promise.all(KINDS.map(([, type, chainId]) => randomSigned(random, type, chainId)))
  const transactions = raws.map(({ raw }) => decodeTransaction(Buffer.from(raw.slice(2), 'hex')))
  const receipts: Receipt[] = []
  let logs = 0
  for (const transaction of transactions) {
    const receipt = randomReceipt(random, transaction, logs)
    receipts.push(receipt)
    logs += receipt.logs.length
  }
  return { header, hash: hashHeader(header), transactions, receipts }
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
        const transaction = decodeTransaction(Buffer.from(raw.slice(2), 'hex'))
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
          type: ['legacy', 'eip2930', 'eip1559', undefined, 'eip7702'][receipt.type],
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

describe('a block', () => {
  it.each(HARDFORKS)('can be hashed again from what is written: %s', (hardfork) =>
    withRandom((random) => {
      for (let i = 0; i < 20; i++) {
        const header = randomHeader(random, hardfork)
        const block = { header, hash: hashHeader(header), transactions: [], receipts: [] }
        const json = sent<JSONRPCBlock>(encodeBlock(block, 'hashes'))
        const common = new Common({ chain: Mainnet, hardfork })
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
})
