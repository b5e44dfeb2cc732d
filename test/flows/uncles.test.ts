/** Uncles, which only imported chains have, beside what EthereumJS mined. */
import { toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { chain, hash, standingAt } from '../support/chains/imports.ts'
import { ask } from '../support/clients/clients.ts'

/** The first block with uncles. */
const nephew = chain.blocks.findIndex(({ block }) => block.uncleHeaders.length > 0) + 1

describe('an uncle', () => {
  it('is counted and shown with the hash and fields that its miner gave it', async () => {
    const devnet = await standingAt(nephew)
    const { uncleHeaders } = chain.blocks[nephew - 1]!.block
    for (const [by, key] of [
      ['Number', toHex(nephew)],
      ['Hash', hash(nephew)],
    ]) {
      expect(await ask(devnet, `eth_getUncleCountByBlock${by}`, key)).toBe(toHex(uncleHeaders.length))
      for (const [index, header] of uncleHeaders.entries()) {
        const uncle = await ask(devnet, `eth_getUncleByBlock${by}AndIndex`, key, toHex(index))
        const { number, timestamp, difficulty } = header
        expect(uncle).toMatchObject({
          hash: toHex(header.hash()),
          number: toHex(number),
          timestamp: toHex(timestamp),
          difficulty: toHex(difficulty),
          miner: header.coinbase.toString(),
          uncles: [],
        })
        expect(uncle).not.toHaveProperty('transactions')
      }
      expect(await ask(devnet, `eth_getUncleByBlock${by}AndIndex`, key, '0x9')).toBeNull()
    }
  })

  it('stands in its nephew by its hash', async () => {
    const devnet = await standingAt(nephew)
    const { uncles } = await ask<{ uncles: string[] }>(devnet, 'eth_getBlockByNumber', toHex(nephew), false)
    expect(uncles).toEqual(chain.blocks[nephew - 1]!.block.uncleHeaders.map((header) => toHex(header.hash())))
  })
})
