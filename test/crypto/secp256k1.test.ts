import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { fromHex, toHex, toWord } from '../../src/bytes/hex.ts'
import {
  addressOfKey,
  addressOfPublicKey,
  HALF_ORDER,
  loadSecp256k1,
  recoverAddress,
  recoverPublicKey,
  signHash,
} from '../../src/crypto/secp256k1.ts'
import { withRandom } from '../support/random/random.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const GENERATOR_X = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n

describe('before it is loaded', () => {
  it('throws', async () => {
    vi.resetModules()
    const fresh = await import('../../src/crypto/secp256k1.ts')
    expect(() => fresh.addressOfKey(`0x${'1'.repeat(64)}`)).toThrow('load() was not awaited')
    await fresh.loadSecp256k1()
    expect(fresh.addressOfKey(`0x${'1'.repeat(64)}`)).toMatch(/^0x/)
  })
})

describe('secp256k1', () => {
  beforeAll(loadSecp256k1)

  const HASH = fromHex('0x456e9aea5e197a1f1af7a3e85a3212fa4049a3ba34c2289b4c860fc0b0c64ef3')
  const SIGNATURE = {
    r: 0x9242685bf161793cc25603c231bc2f568eb630ea16aa137d2664ac8038825608n,
    s: 0x4f8ae3bd7535248d0bd448298cc2e2071e56992d0774dc340c368ae950852adan,
    yParity: 1,
  } as const

  it('recovers the address of the precompile example of evm.codes', async () => {
    expect(recoverAddress(HASH, SIGNATURE)).toBe('0x7156526fbd7a3c72969b54f64e42c10fbb768c8a')
  })

  it('recovers high s too, with the other parity', async () => {
    const high = { r: SIGNATURE.r, s: ORDER - SIGNATURE.s, yParity: 0 } as const
    expect(high.s).toBeGreaterThan(HALF_ORDER)
    expect(recoverAddress(HASH, high)).toBe('0x7156526fbd7a3c72969b54f64e42c10fbb768c8a')
  })

  // RFC 6979 on this curve, from Trezor's vectors: key 1, sha256('Satoshi Nakamoto').
  it('signs deterministically', async () => {
    const hash = fromHex('0xa0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e')
    expect(signHash(hash, toWord(1n))).toMatchObject({
      r: 0x934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8n,
      s: 0x2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5n,
    })
  })

  it.each([
    ['r = 0', { r: 0n }],
    ['r = the order', { r: ORDER }],
    ['r above the order', { r: 2n ** 256n - 1n }],
    ['r of 257 bits', { r: 2n ** 256n + 1n }],
    ['s = 0', { s: 0n }],
    ['s = the order', { s: ORDER }],
    ['s above the order', { s: 2n ** 256n - 1n }],
    ['negative s', { s: -1n }],
    // 5 is the x of no point: 5³ + 7 has no square root in the field.
    ['an r that is the x of no point', { r: 5n }],
  ])('recovers nothing from %s', async (_, wrong) => {
    expect(recoverAddress(HASH, { ...SIGNATURE, ...wrong })).toBeUndefined()
  })

  it.each([2, 3, 27, -1, 0.5, Number.NaN])('recovers nothing with parity %d', async (yParity) => {
    expect(recoverPublicKey(HASH, SIGNATURE.r, SIGNATURE.s, yParity)).toBeUndefined()
  })

  it('recovers nothing when the public key would be the point at infinity', async () => {
    // With R = G, the key is (s·G − hash·G) / r: infinity for hash = s.
    expect(recoverPublicKey(toWord(7n), GENERATOR_X, 7n, 0)).toBeUndefined()
  })

  it(
    'makes the addresses and signatures that viem makes',
    withRandom(async (random) => {
      for (let i = 0; i < 10; i++) {
        const key = random.hex(32)
        const hash = random.hex(32)
        const account = privateKeyToAccount(key)
        const expected = await account.sign({ hash })
        const { r, s, yParity } = signHash(fromHex(hash), fromHex(key))
        expect(addressOfKey(key)).toBe(account.address.toLowerCase())
        expect(BigInt(`0x${expected.slice(2, 66)}`)).toBe(r)
        expect(BigInt(`0x${expected.slice(66, 130)}`)).toBe(s)
        expect(Number(`0x${expected.slice(130)}`)).toBe(27 + yParity)
        expect(s).toBeLessThanOrEqual(HALF_ORDER)
        expect(recoverAddress(fromHex(hash), { r, s, yParity })).toBe(addressOfKey(key))
      }
    }),
  )
})

it('derives the addresses that noble derives, from the smallest, largest and sparsest keys', () => {
  const some = Array.from({ length: 80 }, (_, i) => BigInt(i + 1))
  const powers = Array.from({ length: 256 }, (_, bit) => 2n ** BigInt(bit)).filter((key) => key < ORDER)
  const keys = [
    ...some,
    ...some.map((key) => ORDER - key),
    ...powers,
    ...powers.slice(1).map((key) => key - 1n),
  ]
  for (const key of keys) {
    const bytes = toWord(key)
    expect(addressOfKey(toHex(bytes))).toBe(addressOfPublicKey(noble.getPublicKey(bytes, false)))
  }
})

describe('recovering', () => {
  it(
    'finds the public key that noble finds, or none, for any numbers',
    withRandom(async (random) => {
      const hashes = [new Uint8Array(32), new Uint8Array(32).fill(0xff), toWord(ORDER), toWord(ORDER + 1n)]
      const cases = random.list(60, () => ({
        hash: random.chance(0.2) ? random.pick(hashes) : random.bytes(32),
        r: random.chance(0.2) ? random.bigint(256) : BigInt(random.hex(32)),
        s: random.chance(0.2) ? random.bigint(256) : BigInt(random.hex(32)),
        yParity: random.below(2),
      }))
      const recovered = cases.map(({ hash, r, s, yParity }) => {
        const key = recoverPublicKey(hash, r, s, yParity)
        return key && Buffer.from(key).toString('hex')
      })
      expect(recovered).toEqual(cases.map(theirKey))
      expect(recovered.some((key) => key === undefined)).toBe(true)
      expect(recovered.some((key) => key?.length === 130)).toBe(true)
    }),
  )
})

function theirKey({ hash, r, s, yParity }: { hash: Uint8Array; r: bigint; s: bigint; yParity: number }) {
  try {
    return new noble.Signature(r, s, yParity).recoverPublicKey(hash).toHex(false)
  } catch {
    return undefined
  }
}
