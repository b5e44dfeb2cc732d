import { describe, expect, it } from 'vitest'
import { type Hash, type Hex, toHex } from '../../../src/bytes/hex.ts'
import { type L1Attributes, l1AttributesDeposit } from '../../../src/model/l2/l1Attributes.ts'
import { chargedDaFootprint, depositL1Charge } from '../../../src/model/l2/l1Fee.ts'

describe('the L1 attributes deposit of Jovian', () => {
  it('is that of block 52,158,111 of Base, with the same receipt', () => {
    const attributes: L1Attributes = {
      prices: {
        baseFee: 0xbe3256bn,
        blobBaseFee: 0x8b9262n,
        baseFeeScalar: 0x8ddn,
        blobBaseFeeScalar: 0x101c12n,
        daFootprintGasScalar: 0x94n,
      },
      batcher: 0x5050f69a9786f081509234f1a7f4684b5e5b76c9n,
    }
    const deposit = l1AttributesDeposit('jovian', attributes, {
      number: 0x18e8792n,
      timestamp: 0x6ac21967n,
      hash: '0xae74035a834ae8863310574c2213838e9de36478c4f8c048cf3ea5d3ffcec401',
      sequenceNumber: 5n,
    })
    expect(deposit.hash).toBe('0x233ace96f255608781596edfe1520000bd25b69b122cc101be3abb6689a85322')
    expect(deposit.deposit!.sourceHash).toBe(
      '0x391329aebfee79dbb200b510b04d8795c891055a887433c20a7392b77b0f2fec',
    )
    const charge = depositL1Charge('jovian', deposit.raw, attributes.prices)
    // `l1GasUsed` and `blobGasUsed` of the receipt
    expect([charge.gasUsed, chargedDaFootprint(charge)]).toEqual([0x71dn, 0x4154n])
  })

  it('has the operator fee and the DA footprint gas scalar at the end', () => {
    // op-geth `receipt_opstack_test.go`: TestDeriveOptimismJovianTxReceipts
    const word = (value: string) => value.padStart(64, '0')
    const payload: Hex = `0x3db6be2b0000000200000003${'00000000000004d2'.repeat(3)}${word('3b9aca00')}${word('989680')}${word('4d2').repeat(2)}55c6fb7c116fb15b44847d040190`
    const attributes: L1Attributes = {
      prices: {
        baseFee: 1_000_000_000n,
        blobBaseFee: 10_000_000n,
        baseFeeScalar: 2n,
        blobBaseFeeScalar: 3n,
        operator: { scalar: 1_439_103_868n, constant: 1_256_417_826_609_331_460n },
        daFootprintGasScalar: 400n,
      },
      batcher: 1_234n,
    }
    const hash: Hash = `0x${word('4d2')}`
    const origin = { number: 1_234n, timestamp: 1_234n, hash, sequenceNumber: 1_234n }
    expect(toHex(l1AttributesDeposit('jovian', attributes, origin).data)).toBe(payload)
  })
})
