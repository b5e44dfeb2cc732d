import { describe, expect, it } from 'vitest'
import { Pool } from '../../src/pool/pool.ts'
import { type Signer, sign, signerOf } from '../support/chains/signing.ts'
import { withRandom } from '../support/random/random.ts'

const ALICE: Signer = signerOf(`0x${'a1'.repeat(32)}`)
const BOB: Signer = signerOf(`0x${'b0'.repeat(32)}`)

/** A pool with Alice's transactions of these nonces, added in this order. */
function poolOf(...nonces: number[]): Pool {
  const pool = new Pool()
  for (const nonce of nonces) pool.add(sign(ALICE, { nonce: BigInt(nonce) }))
  return pool
}

function noncesIn(pool: Pool, { address }: Signer): bigint[] {
  return pool.of(address).map(({ transaction }) => transaction.nonce)
}

describe('a pool', () => {
  it('holds each sender’s transactions in the order of their nonces, with gaps', () => {
    const pool = poolOf(5, 1, 3, 2)
    pool.add(sign(BOB, { nonce: 4n }))
    expect(noncesIn(pool, ALICE)).toEqual([1n, 2n, 3n, 5n])
    expect(noncesIn(pool, BOB)).toEqual([4n])
    expect(pool.size).toBe(5)
  })

  it('finds what waits by its hash, and nothing else', () => {
    const pool = poolOf(0, 1)
    expect(pool.get(sign(ALICE, { nonce: 1n }).hash)?.nonce).toBe(1n)
    expect(pool.get(sign(ALICE, { nonce: 2n }).hash)).toBeUndefined()
  })

  it('holds one transaction for each nonce: the latest', () => {
    const pool = poolOf(0, 1, 2)
    const before = pool.rivalOf(sign(ALICE, { nonce: 1n, value: 9n }))!
    expect(before.value).toBe(0n)
    const replacement = sign(ALICE, { nonce: 1n, value: 9n })
    pool.add(replacement)
    expect(noncesIn(pool, ALICE)).toEqual([0n, 1n, 2n])
    expect(pool.get(before.hash)).toBeUndefined()
    expect(pool.get(replacement.hash)).toBe(replacement)
    expect(pool.size).toBe(3)
  })

  it('forgets a sender with its last transaction', () => {
    const pool = poolOf(0)
    pool.remove(sign(ALICE))
    expect([pool.size, pool.contents.bySender.size]).toEqual([0, 0])
  })

  it('does not mind the removal of what it does not hold', () => {
    const pool = poolOf(0)
    pool.remove(sign(ALICE, { nonce: 7n }))
    pool.remove(sign(BOB))
    expect(noncesIn(pool, ALICE)).toEqual([0n])
    expect(pool.size).toBe(1)
  })

  it('says the nonce that comes after those which wait without a gap', () => {
    const pool = poolOf(1, 2, 4)
    expect(pool.nextNonce(ALICE.address, 0n)).toBe(0n)
    expect(pool.nextNonce(ALICE.address, 1n)).toBe(3n)
    expect(pool.nextNonce(ALICE.address, 3n)).toBe(3n)
    expect(pool.nextNonce(ALICE.address, 4n)).toBe(5n)
    expect(pool.nextNonce(ALICE.address, 9n)).toBe(9n)
    expect(pool.nextNonce(BOB.address, 2n)).toBe(2n)
  })

  it('notes in which order transactions came, across senders', () => {
    const pool = poolOf(1)
    pool.add(sign(BOB))
    pool.add(sign(ALICE))
    const arrivals = [...pool.of(ALICE.address), ...pool.of(BOB.address)]
    expect(
      arrivals.map(({ transaction, arrival }) => [transaction.from, transaction.nonce, arrival]),
    ).toEqual([
      [ALICE.address, 0n, 2],
      [ALICE.address, 1n, 0],
      [BOB.address, 0n, 1],
    ])
  })
})

describe('the contents of a pool', () => {
  it(
    'are values: later changes leave them alone, and each can be restored in any order',
    withRandom((random) => {
      const pool = new Pool()
      const marks: { contents: Pool['contents']; seen: unknown }[] = []
      const look = () => [pool.size, noncesIn(pool, ALICE), noncesIn(pool, BOB)]
      for (let i = 0; i < 60; i++) {
        const transaction = sign(random.pick([ALICE, BOB]), { nonce: BigInt(random.below(8)) })
        if (random.chance(0.6)) pool.add(transaction)
        else pool.remove(transaction)
        marks.push({ contents: pool.contents, seen: look() })
      }
      for (let i = 0; i < 60; i++) {
        const { contents, seen } = random.pick(marks)
        pool.restore(contents)
        expect(look()).toEqual(seen)
        if (random.chance(0.3)) pool.add(sign(ALICE, { nonce: 20n }))
      }
    }),
  )

  it('are not shared by two pools that began with the same', () => {
    const first = poolOf(0, 1)
    const second = new Pool(first.contents)
    second.remove(sign(ALICE))
    first.add(sign(BOB))
    expect(noncesIn(first, ALICE)).toEqual([0n, 1n])
    expect(noncesIn(second, ALICE)).toEqual([1n])
    expect(noncesIn(second, BOB)).toEqual([])
  })
})
