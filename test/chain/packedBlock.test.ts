import { createBlockFromRLP } from '@ethereumjs/block'
import { describe, expect, it } from 'vitest'
import { ByteArena } from '../../src/bytes/bytes.ts'
import { toHex, ZERO_HASH } from '../../src/bytes/hex.ts'
import { hashIn, packBlock, UnpackedBlock } from '../../src/chain/packed/packedBlock.ts'
import {
  type Block,
  briefOf,
  encodeBlock,
  encodedSize,
  logAt,
  logsAt,
  logsOf,
  partiesAt,
  paymentAt,
  receiptAt,
  transactionAt,
  transactionCount,
  transactionHashAt,
} from '../../src/model/block/block.ts'
import { hashHeader } from '../../src/model/block/header.ts'
import { toTransaction } from '../../src/model/l2/deposit.ts'
import type { Log } from '../../src/model/receipt/log.ts'
import { bloomOf } from '../../src/model/receipt/log.ts'
import type { ExecutionFailure, L2Receipt, Receipt } from '../../src/model/receipt/receipt.ts'
import { impersonate } from '../../src/model/transaction/signedTransaction.ts'
import type { Transaction } from '../../src/model/transaction/transaction.ts'
import { MalformedTransaction } from '../../src/model/transaction/transactionFields.ts'
import { BLOCK_SHAPES, randomBlock } from '../support/chains/blocks.ts'
import { theirCommon } from '../support/chains/headers.ts'
import { type Random, withRandom } from '../support/random/random.ts'

describe.each(BLOCK_SHAPES)('a block of %s that is packed', (hardfork) => {
  it(
    'unpacks to the same header, transactions, receipts, logs, ommers and withdrawals',
    withRandom(async (random) => {
      for (let i = 0; i < 2; i++) {
        const body = await randomBlock(random, hardfork)
        const block = executed(random, {
          ...body,
          transactions: [...body.transactions, randomDeposit(random), randomImpersonated(random)],
        })
        expectSame(new UnpackedBlock(packBlock(block, new ByteArena())), block)
      }
    }),
  )

  it(
    'has the bytes and the hash that @ethereumjs/block gives it',
    withRandom(async (random) => {
      const body = await randomBlock(random, hardfork)
      const bytes = encodeBlock(body)
      const common = theirCommon(hardfork)
      const theirs = createBlockFromRLP(bytes, { common, skipConsensusFormatValidation: true })
      const unpacked = new UnpackedBlock(packBlock(executed(random, body), new ByteArena()))
      expect(toHex(encodeBlock(unpacked))).toBe(toHex(theirs.serialize()))
      expect(toHex(theirs.hash())).toBe(unpacked.hash)
      expect(encodedSize(unpacked)).toBe(theirs.serialize().length)
      expect(encodedSize(body)).toBe(theirs.serialize().length)
    }),
  )
})

it(
  'packs a block without transactions, and one that has no hash yet',
  withRandom(async (random) => {
    const body = await randomBlock(random, 'osaka')
    const empty = { ...executed(random, { ...body, transactions: [], ommers: [], withdrawals: [] }) }
    expectSame(new UnpackedBlock(packBlock(empty, new ByteArena())), empty)
    const unsealed = { ...empty, hash: ZERO_HASH }
    expect(hashIn(packBlock(unsealed, new ByteArena()))).toBe(ZERO_HASH)
  }),
)

it(
  'reads the first transactions of a body that a longer block shares',
  withRandom(async (random) => {
    const whole = executed(random, await randomBlock(random, 'prague'))
    const memory = new ByteArena()
    const { body } = packBlock(whole, memory)
    for (let length = 0; length <= whole.transactions.length; length++) {
      const slice = {
        ...whole,
        hash: ZERO_HASH,
        transactions: whole.transactions.slice(0, length),
        receipts: whole.receipts.slice(0, length),
      }
      expectSame(new UnpackedBlock(packBlock(slice, memory, body)), slice)
    }
  }),
)

it(
  'returns the payments and the size of its transactions without decoding one of them',
  withRandom(async (random) => {
    const valid = executed(random, await randomBlock(random, 'prague'))
    // Bytes that are no transaction: decoding them throws.
    const transactions = valid.transactions.map((each) => ({ ...each, raw: random.bytes(40).fill(9, 0, 1) }))
    const block = { ...valid, transactions }
    const unpacked = new UnpackedBlock(packBlock(block, new ByteArena()))
    expect(encodedSize(unpacked)).toBe(encodedSize(block))
    expect(block.receipts.map((_, index) => paymentAt(unpacked, index).gasUsed)).toEqual(
      block.receipts.map(({ gasUsed }) => gasUsed),
    )
    if (transactions.length > 0) expect(() => unpacked.transactions).toThrow(MalformedTransaction)
  }),
)

/** Everything, and each part alone, as it was packed. */
function expectSame(unpacked: Block, block: Block): void {
  expect(transactionCount(unpacked)).toBe(block.transactions.length)
  // Parts first: nothing of the whole is decoded then.
  const { number, timestamp, baseFeePerGas } = block.header
  expect(briefOf(unpacked)).toEqual({ number, timestamp, baseFeePerGas })
  for (const placed of logsOf(block)) {
    const { block: _, ...found } = logAt(unpacked, placed.logIndex)
    const { block: __, ...wanted } = placed
    expect(found).toEqual(wanted)
  }
  for (const [index, transaction] of block.transactions.entries()) {
    expect(transactionHashAt(unpacked, index)).toBe(transaction.hash)
    expect(partiesAt(unpacked, index)).toMatchObject({ from: transaction.from, to: transaction.to })
    expect(transactionAt(unpacked, index)).toEqual(transaction)
    const { logs, firstLogIndex } = block.receipts[index]!
    expect(logsAt(unpacked, index)).toEqual({ logs, firstLogIndex })
    const { gasUsed, effectiveGasPrice } = block.receipts[index]!
    expect(paymentAt(unpacked, index)).toEqual({ gasUsed, effectiveGasPrice })
    expect(receiptAt(unpacked, index)).toEqual(block.receipts[index])
  }
  expect(unpacked.hash).toBe(block.hash)
  expect(unpacked.header).toEqual(block.header)
  expect(unpacked.transactions).toEqual(block.transactions)
  expect(unpacked.receipts).toEqual(block.receipts)
  expect(unpacked.ommers).toEqual(block.ommers)
  expect(unpacked.withdrawals).toEqual(block.withdrawals)
  expect(
    block.transactions.map((_, index) =>
      new UnpackedBlock(packBlock(block, new ByteArena())).transactionHashAt(index),
    ),
  ).toEqual(block.transactions.map(({ hash }) => hash))
}

/** The block with random receipts, as different as receipts can be. */
function executed(
  random: Random,
  body: Pick<Block, 'header' | 'transactions' | 'ommers' | 'withdrawals'>,
): Block {
  const addresses = random.list(4, () => random.hex(20))
  const topics = [
    ...random.list(4, () => random.hex(32)),
    ...addresses.map((address) => `0x${'00'.repeat(12)}${address.slice(2)}` as const),
    ZERO_HASH,
  ]
  let firstLogIndex = 0
  const receipts = body.transactions.map(({ type }): Receipt => {
    const logs = random.list(random.pick([0, 0, 1, 3, 40]), () => randomLog(random, addresses, topics))
    const receipt: Receipt = {
      type,
      status: random.chance(0.5) ? 'success' : 'failure',
      root: random.chance(0.2) ? random.hex(32) : undefined,
      gasUsed: random.bigint(40),
      cumulativeGasUsed: random.bigint(64),
      effectiveGasPrice: random.bigint(256),
      logs,
      firstLogIndex,
      logsBloom: random.chance(0.2) ? random.bytes(256) : bloomOf(logs),
      failure: randomFailure(random),
      contractAddress: random.chance(0.3) ? random.hex(20) : undefined,
      ...(random.chance(0.3) ? { blobs: { gasUsed: random.bigint(30), gasPrice: random.bigint(80) } } : {}),
      ...(random.chance(0.3) ? { l2: randomL2(random) } : {}),
    }
    firstLogIndex += logs.length
    return receipt
  })
  return { ...body, hash: hashHeader(body.header), receipts }
}

function randomLog(random: Random, addresses: readonly Log['address'][], topics: Log['topics']): Log {
  return {
    address: random.pick(addresses),
    topics: random.list(random.below(5), () => (random.chance(0.3) ? random.hex(32) : random.pick(topics))),
    data: random.bytes(random.pick([0, 1, 32, 191, 192, 500])),
  }
}

function randomFailure(random: Random): ExecutionFailure | undefined {
  if (random.chance(0.4)) return undefined
  return random.chance(0.5)
    ? { kind: 'revert', data: random.bytes(random.below(80)) }
    : { kind: 'halt', reason: 'outOfGas' }
}

function randomL2(random: Random): L2Receipt {
  const prices = {
    baseFee: random.bigint(80),
    blobBaseFee: random.bigint(80),
    baseFeeScalar: random.bigint(32),
    blobBaseFeeScalar: random.bigint(32),
    ...(random.chance(0.3) ? { bedrock: { overhead: random.bigint(60), scalar: random.bigint(60) } } : {}),
    ...(random.chance(0.3) ? { operator: { scalar: random.bigint(32), constant: random.bigint(64) } } : {}),
    ...(random.chance(0.3) ? { daFootprintGasScalar: random.bigint(16) } : {}),
  }
  const l1 = { fee: random.bigint(90), gasUsed: random.bigint(40), prices }
  return random.chance(0.5) ? { l1 } : { l1, depositNonce: random.bigint(64) }
}

function randomDeposit(random: Random): Transaction {
  return toTransaction({
    sourceHash: random.hex(32),
    from: random.hex(20),
    to: random.chance(0.3) ? undefined : random.hex(20),
    mint: random.bigint(100),
    value: random.bigint(100),
    gasLimit: random.bigint(40),
    data: random.bytes(random.below(300)),
  })
}

function randomImpersonated(random: Random): Transaction {
  return impersonate(
    {
      type: 2,
      chainId: 31_337n,
      nonce: random.bigint(40),
      gasLimit: random.bigint(30),
      to: random.hex(20),
      value: random.bigint(256),
      data: random.bytes(4),
      maxFeePerGas: random.bigint(60),
      maxPriorityFeePerGas: random.bigint(60),
      accessList: [],
      authorizationList: [],
    },
    random.hex(20),
  )
}
