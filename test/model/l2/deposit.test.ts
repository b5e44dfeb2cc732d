import type { OpStackTransactionSerialized } from 'viem/chains'
import { getSourceHash, parseTransaction, serializeTransaction } from 'viem/op-stack'
import { describe, expect, it } from 'vitest'
import { type Address, fromHex, type Hex, toHex } from '../../../src/bytes/hex.ts'
import { encodeBlock } from '../../../src/model/block/block.ts'
import { decodeBlock } from '../../../src/model/block/decodeBlock.ts'
import { decodeDeposit, sourceHashOf, toTransaction } from '../../../src/model/l2/deposit.ts'
import { EMPTY_BLOOM } from '../../../src/model/receipt/log.ts'
import { encodeReceipt, type Receipt } from '../../../src/model/receipt/receipt.ts'
import {
  decodeIncludedTransaction,
  decodeTransaction,
} from '../../../src/model/transaction/signedTransaction.ts'
import { MalformedTransaction } from '../../../src/model/transaction/transactionFields.ts'
import { listRoot } from '../../../src/state/roots.ts'
import { randomHeader } from '../../support/chains/headers.ts'
import { ALICE } from '../../support/chains/sequencers.ts'
import { sign } from '../../support/chains/signing.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
const L1_BLOCK = '0x4200000000000000000000000000000000000015'

/** Deposits of Base Sepolia and Base, as base/base and others test with them. */
const REAL: readonly { readonly hash: Hex; readonly raw: Hex }[] = [
  {
    hash: '0xba56c8b0deb460ff070f8fca8e2ee01e51a3db27841cc862fdd94cc1a47662b6',
    raw: '0x7ef90104a06c0c775b6b492bab9d7e81abdf27f77cafb698551226455a82f559e0f93fea3794deaddeaddeaddeaddeaddeaddeaddeaddead00019442000000000000000000000000000000000000158080830f424080b8b0098999be000008dd00101c1200000000000000020000000068869d6300000000015f277f000000000000000000000000000000000000000000000000000000000d42ac290000000000000000000000000000000000000000000000000000000000000001abf52777e63959936b1bf633a2a643f0da38d63deffe49452fed1bf8a44975d50000000000000000000000005050f69a9786f081509234f1a7f4684b5e5b76c9000000000000000000000000',
  },
  {
    hash: '0x2be2e6f8b01b03b87ae9f0ebca8bbd420f174bef0fbcc18c7802c5378b78f548',
    raw: '0x7ef8f8a042a8ae5ec231af3d0f90f68543ec8bca1da4f7edd712d5b51b490688355a6db794deaddeaddeaddeaddeaddeaddeaddeaddead00019442000000000000000000000000000000000000158080830f424080b8a4440a5e200000044d000a118b00000000000000040000000067cb7cb0000000000077dbd4000000000000000000000000000000000000000000000000000000000000000a00000000000000000000000000000000000000000000000000000000000000014edd27304108914dd6503b19b9eeb9956982ef197febbeeed8a9eac3dbaaabdf000000000000000000000000fc56e7272eebbba5bc6c544e159483c4a38f8ba3',
  },
]

/** What a user has deposited, of OP Mainnet. */
const USER_DEPOSIT = {
  hash: '0x3f44a72b1faf70be7295183f1f30cfb51ede92d7c44441ca80c9437a6a22e5a5',
  sourceHash: '0x26eb0df3ebdb8eb11892a336b798948ec846c28200862a67aa32cfd57ca7da4f',
  from: '0x977f82a600a1414e583f7f13623f1ac5d58b1c0b',
  to: '0x4200000000000000000000000000000000000007',
  mint: 0x1c6bf52634000n,
  value: 0x1c6bf52634000n,
  gasLimit: 0x77f2en,
  data: fromHex(
    '0xd764ad0b000100000000000000000000000000000000000000000000000000000005dacf0000000000000000000000003154cf16ccdb4c6d922629664174b904d80f2c3500000000000000000000000042000000000000000000000000000000000000100000000000000000000000000000000000000000000000000001c6bf526340000000000000000000000000000000000000000000000000000000000000030d4000000000000000000000000000000000000000000000000000000000000000c000000000000000000000000000000000000000000000000000000000000000c41635f5fd000000000000000000000000212241ad6a6a0a7553c4290f7bc517c1041df0be000000000000000000000000d153f571d0a5a07133114bfe623d4d71e03ea5d70000000000000000000000000000000000000000000000000001c6bf5263400000000000000000000000000000000000000000000000000000000000000000800000000000000000000000000000000000000000000000000000000000000018307837333735373036353732363237323639363436373635000000000000000000000000000000000000000000000000000000000000000000000000',
  ),
} as const

function randomDeposit(random: Random) {
  return {
    sourceHash: random.hex(32),
    from: random.hex(20) as Address,
    to: random.chance(0.2) ? undefined : (random.hex(20) as Address),
    mint: random.bigint(256),
    value: random.bigint(256),
    gasLimit: random.bigint(64),
    data: random.bytes(random.below(80)),
  }
}

describe('a deposit', () => {
  it.each(REAL)('of a real chain has the hash that it has there: $hash', ({ hash, raw }) => {
    const decoded = decodeDeposit(fromHex(raw))
    expect(decoded).toMatchObject({
      type: 0x7e,
      hash,
      from: DEPOSITOR,
      to: L1_BLOCK,
      gasLimit: 1_000_000n,
      value: 0n,
      deposit: { mint: 0n },
    })
    const { from, to, gasLimit, value, data, deposit } = decoded
    expect(toTransaction({ from, to, gasLimit, value, data, ...deposit! })).toEqual(decoded)
  })

  it('with ether has the hash that it has on OP Mainnet', () => {
    expect(toTransaction(USER_DEPOSIT).hash).toBe(USER_DEPOSIT.hash)
  })

  it(
    'has the bytes that viem gives it, and is read back from them',
    withRandom((random) => {
      for (let i = 0; i < 50; i++) {
        const deposit = randomDeposit(random)
        const { sourceHash, from, to, mint, value, gasLimit, data } = deposit
        const transaction = toTransaction(deposit)
        expect(toHex(transaction.raw)).toBe(
          serializeTransaction({
            ...{ type: 'deposit', sourceHash, from, mint, value, gas: gasLimit, data: toHex(data) },
            ...(to === undefined ? {} : { to }),
          }),
        )
        expect(decodeDeposit(transaction.raw)).toEqual(transaction)
        const parsed = parseTransaction(toHex(transaction.raw) as OpStackTransactionSerialized)
        expect(parsed).toMatchObject({ sourceHash, from, ...(to === undefined ? {} : { to }) })
      }
    }),
  )

  it(
    'has the source hash that viem finds, of a user and of L1 itself',
    withRandom((random) => {
      const l1BlockHash = random.hex(32)
      const index = random.below(2 ** 31)
      expect(sourceHashOf('user', l1BlockHash, BigInt(index))).toBe(
        getSourceHash({ domain: 'userDeposit', l1BlockHash, l1LogIndex: index }),
      )
      expect(sourceHashOf('l1Attributes', l1BlockHash, BigInt(index))).toBe(
        getSourceHash({ domain: 'l1InfoDeposit', l1BlockHash, sequenceNumber: index }),
      )
    }),
  )

  it('of Base has the source hash of the L1 block that it tells of', () => {
    const { data, deposit } = decodeDeposit(fromHex(REAL[0]!.raw))
    const l1BlockHash = toHex(data.subarray(100, 132))
    expect(sourceHashOf('l1Attributes', l1BlockHash, 2n)).toBe(deposit!.sourceHash)
  })

  it(
    'is read back from the block that it stands in',
    withRandom((random) => {
      const header = randomHeader(random, 'osaka')
      const transactions = [toTransaction(randomDeposit(random)), sign(ALICE)]
      const encoded = encodeBlock({ header, transactions, ommers: [], withdrawals: [] })
      expect(decodeBlock(encoded).transactions).toEqual(transactions)
    }),
  )

  it('has a receipt that says which nonce it had', () => {
    const prices = { baseFee: 0n, blobBaseFee: 0n, baseFeeScalar: 0n, blobBaseFeeScalar: 0n }
    const receipt: Receipt = {
      type: 0x7e,
      status: 'success',
      root: undefined,
      gasUsed: 157_773n,
      cumulativeGasUsed: 157_773n,
      effectiveGasPrice: 0n,
      logs: [],
      firstLogIndex: 0,
      logsBloom: EMPTY_BLOOM,
      failure: undefined,
      contractAddress: undefined,
      l2: { l1: { fee: 0n, gasUsed: 0n, prices }, depositNonce: 1n },
    }
    // The receipts root of a block of anvil 1.7.1 that has this one.
    const root = '0xdba7864cc6d96a0d01e594f13e8b6be4ed123ad8f69ec456bbdcf8dacde54550'
    expect(listRoot([encodeReceipt(receipt)])).toBe(root)
  })

  it('is nothing that can be sent', () => {
    const deposit = toTransaction(USER_DEPOSIT)
    expect(() => decodeTransaction(deposit.raw)).toThrow(MalformedTransaction)
    expect(() => decodeIncludedTransaction(deposit.raw)).toThrow(/type 126 is not supported/)
  })

  it.each<[what: string, raw: Hex, reason: RegExp]>([
    ['has another type', '0x02c0', /type 126, got 2/],
    ['is no list', '0x7e80', /expected a list/],
    ['lacks fields', '0x7ec0', /8 fields, got 0/],
    ['is cut off', '0x7ef8f8a042', /not canonical RLP/],
  ])('is refused that %s', (_, raw, reason) => {
    expect(() => decodeDeposit(fromHex(raw))).toThrow(reason)
  })

  it('is refused that says it is a system transaction, which there are none of since Regolith', () => {
    const raw = serializeTransaction({
      ...{ type: 'deposit', sourceHash: USER_DEPOSIT.sourceHash, from: DEPOSITOR, isSystemTx: true },
    })
    expect(() => decodeDeposit(fromHex(raw))).toThrow(/isSystemTx is false since Regolith/)
  })
})
