/** Deposits of portal events, with the vectors of op-alloy (`crates/protocol/src/deposits.rs`: `test_decode_deposit_…`). */
import { encodeAbiParameters, type Hex, pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { userDeposits } from '../../src/bridge/userDeposits.ts'
import { fromHex, toHex, ZERO_HASH } from '../../src/bytes/hex.ts'
import type { Block } from '../../src/model/block/block.ts'

const PORTAL: Hex = '0xbeb5fc579115071764c7423a4f12edde41f106ed'
const OTHER: Hex = `0x${'33'.repeat(20)}`
const DEPOSITED: Hex = '0xb3813568d9991fc951961fcb4c784893574240a28925604d09fc577c55bb7c32'

/** An L1 block with the hash zero, whose only log is an event with these topics and 128 bytes of opaque data. */
function blockWith(topics: readonly Hex[], opaque: string, address = PORTAL): Block {
  const data = fromHex(encodeAbiParameters([{ type: 'bytes' }], [`0x${opaque.padEnd(256, '0')}`]))
  return {
    hash: ZERO_HASH,
    receipts: [{ firstLogIndex: 0, logs: [{ address, topics, data }] }],
  } as unknown as Block
}

const depositsIn = (block: Block) => userDeposits(block, PORTAL).map(({ raw }) => toHex(raw))
const SOURCE = 'a0ed428e1c45e1d9561b62834e1a2d3015a0caae3bfdc16b4da059ac885b01a145'

describe('a TransactionDeposited event is the deposit of op-alloy', () => {
  it('with all values zero', () => {
    const deposits = depositsIn(blockWith([DEPOSITED, ZERO_HASH, ZERO_HASH, ZERO_HASH], ''))
    const zero = `94${'00'.repeat(20)}`
    expect(deposits).toEqual([`0x7ef887${SOURCE}${zero}${zero}80808080b7${'00'.repeat(55)}`])
  })

  it('with mint, value, gas limit and the creation of a contract', () => {
    const words = [10, 100].map((value) => value.toString(16).padStart(64, '0')).join('')
    const [from, to] = [pad(`0x${'11'.repeat(20)}`), pad(`0x${'22'.repeat(20)}`)]
    const block = blockWith([DEPOSITED, from, to, ZERO_HASH], `${words}00000000000003e801`)
    expect(depositsIn(block)).toEqual([
      `0x7ef875${SOURCE}94${'11'.repeat(20)}800a648203e880b7${'00'.repeat(55)}`,
    ])
  })
})

describe('no deposit is', () => {
  it.each([
    ['an event of another contract', [DEPOSITED, ZERO_HASH, ZERO_HASH, ZERO_HASH], OTHER],
    ['another event', [ZERO_HASH, ZERO_HASH, ZERO_HASH, ZERO_HASH], PORTAL],
    ['an event of another version', [DEPOSITED, ZERO_HASH, ZERO_HASH, pad('0x01')], PORTAL],
  ] as const)('%s', (_, topics, address) => {
    expect(depositsIn(blockWith(topics, '', address))).toEqual([])
  })
})
