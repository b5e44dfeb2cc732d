/** A receipt of a devnet's own client, with the members of viem's `TransactionReceipt`. */
import { describe, expect, it } from 'vitest'
import { receiptIn } from '../../src/client/receipt.ts'
import type { Block } from '../../src/model/block/block.ts'
import { address, blockHash } from '../support/engines/scenes.ts'

const [FROM, TO, MADE] = [address(1), address(2), address(3)]
const LOG = { address: address(4), topics: [blockHash(9n)], data: Uint8Array.of(1) }

/** The receipt of the second transaction of a block, with these members of the transaction and of what became of it. */
function receipt(transaction: object = {}, result: object = {}) {
  const first = { hash: blockHash(100n), from: FROM, to: TO, type: 2 }
  const second = { hash: blockHash(101n), from: FROM, to: TO, type: 2, ...transaction }
  const done = {
    status: 'success',
    gasUsed: 30_000n,
    cumulativeGasUsed: 51_000n,
    effectiveGasPrice: 12n,
    logs: [LOG, LOG],
    firstLogIndex: 3,
    logsBloom: new Uint8Array(256),
    ...result,
  }
  const block = {
    header: { number: 7n, timestamp: 1_700n, baseFeePerGas: 5n },
    hash: blockHash(7n),
    transactions: [first, second],
    receipts: [{}, done],
  } as unknown as Block
  return receiptIn(block, 1)
}

describe('a receipt', () => {
  it('says where the transaction stands and what it used', () => {
    expect(receipt()).toMatchObject({
      status: 'success',
      transactionHash: blockHash(101n),
      transactionIndex: 1,
      blockHash: blockHash(7n),
      blockNumber: 7n,
      gasUsed: 30_000n,
      cumulativeGasUsed: 51_000n,
      effectiveGasPrice: 12n,
      logsBloom: `0x${'00'.repeat(256)}`,
    })
  })

  it('says that the transaction reverted, whatever the reason', () => {
    expect(receipt({}, { status: 'failure' }).status).toBe('reverted')
  })

  it('has no destination for a creation, and the contract that it made', () => {
    const of = (made: ReturnType<typeof receipt>) =>
      [made.to, made.contractAddress].map((one) => one?.toLowerCase())
    expect(of(receipt())).toEqual([TO, undefined])
    expect(of(receipt({ to: undefined }, { contractAddress: MADE }))).toEqual([undefined, MADE])
    expect(receipt({ to: undefined }).to).toBeNull()
    expect(receipt().contractAddress).toBeNull()
  })

  // viem (utils/formatters/transactionReceipt.ts): names by type.
  it.each([
    [0, 'legacy'],
    [1, 'eip2930'],
    [2, 'eip1559'],
    [3, 'eip4844'],
    [4, 'eip7702'],
    [126, '0x7e'],
  ])('of type %i is called %s', (type, name) => {
    expect(receipt({ type }).type).toBe(name)
  })

  it('has its logs with their places in the block', () => {
    const { logs } = receipt()
    expect(logs).toMatchObject(
      [3, 4].map((logIndex) => ({
        topics: [blockHash(9n)],
        data: '0x01',
        logIndex,
        transactionHash: blockHash(101n),
        transactionIndex: 1,
        blockHash: blockHash(7n),
        blockNumber: 7n,
        blockTimestamp: 1_700n,
        removed: false,
      })),
    )
  })

  it('has topics of its own: who changes them changes no block', () => {
    receipt().logs[0]!.topics.length = 0
    expect(receipt().logs[0]!.topics).toHaveLength(1)
  })

  it('has what blobs took where there were any, and nothing of them elsewhere', () => {
    expect(receipt({}, { blobs: { gasUsed: 131_072n, gasPrice: 3n } })).toMatchObject({
      blobGasUsed: 131_072n,
      blobGasPrice: 3n,
    })
    expect(receipt()).not.toHaveProperty('blobGasUsed')
  })
})
