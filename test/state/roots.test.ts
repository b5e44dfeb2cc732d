import { MerklePatriciaTrie } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import { EMPTY_ROOT, listRoot } from '../../src/state/roots.ts'
import { withRandom } from '../support/random/random.ts'

describe('listRoot', () => {
  // The sizes of transactions and receipts, and tiny ones that fit into their parents.
  it.each([
    ['usual', [100, 110, 250, 600]],
    ['tiny', [1, 2, 3, 30]],
  ])('is the root of the trie with rlp(index) as keys, for 0 to 300 items of %s size', (_, sizes) =>
    withRandom(async (random) => {
      const theirs = new MerklePatriciaTrie()
      const items: Uint8Array[] = []
      expect(listRoot(items)).toBe(toHex(theirs.root()))
      while (items.length < 300) {
        const item = random.bytes(random.pick(sizes))
        await theirs.put(RLP.encode(items.length), item)
        items.push(item)
        // Each length while keys are one byte and where they become two and three (0x80, 0x0100), then each tenth.
        const { length } = items
        const isEdge = length < 20 || (length > 125 && length < 132) || (length > 254 && length < 259)
        if (isEdge || length % 10 === 0) expect(listRoot(items)).toBe(toHex(theirs.root()))
      }
    })(),
  )

  it('holds items longer than 64 kB', async () => {
    const items = [new Uint8Array(70_000).fill(1), new Uint8Array(131_072).fill(2)]
    const theirs = new MerklePatriciaTrie()
    for (const [index, item] of items.entries()) await theirs.put(RLP.encode(index), item)
    expect(listRoot(items)).toBe(toHex(theirs.root()))
  })

  it('is the root of the empty trie without items', () => {
    expect(EMPTY_ROOT).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
    expect(listRoot([])).toBe(EMPTY_ROOT)
  })

  // The transactions root of mainnet block 46147, whose one transaction was the first ever.
  it('is the transactions root of a real block', () => {
    const raw =
      'f86780862d79883d2000825208945df9b87991262f6ba471f09758cde1c0fc1de734827a69801ca088ff6cf0fefd94db46111149ae4bfc179e9b94721fffd821d38d16464b3f71d0a045e0aff800961cfce805daef7016b9b675c137a6a41a548f7b60a3484c06a33a'
    expect(listRoot([Buffer.from(raw, 'hex')])).toBe(
      '0x4513310fcb9f6f616972a3b948dc5d547f280849a87ebb5af0191f98b87be598',
    )
  })
})
