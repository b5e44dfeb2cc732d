/** Blobs with commitments and proofs that c-kzg made (as kzg-wasm 1.0.0), and transactions that carry them. */
import { readFileSync } from 'node:fs'
import { commitmentToVersionedHash, fromRlp, type Hex, toRlp } from 'viem'
import type { Transaction, UnsignedTransaction } from '../../../src/model/transaction/transaction.ts'
import { type Signer, sign } from './signing.ts'

interface Vector {
  readonly seed: number
  readonly commitment: Hex
  readonly blobProof: Hex
  readonly cellProofs: readonly Hex[]
}

export interface SentBlob extends Omit<Vector, 'seed'> {
  readonly blob: Hex
}

const VECTORS = JSON.parse(
  readFileSync(new URL('../../../fixtures/blobs/proofs.json', import.meta.url), 'utf8'),
) as Vector[]

/** 4,096 numbers of 31 bytes that follow from `seed`. */
function blobOf(seed: number): Hex {
  const numbers = Array.from({ length: 4096 }, (_, i) => {
    const value = (BigInt(i) ** 2n * 7919n + BigInt(seed)) * (2n ** 200n + 12_345n)
    return value.toString(16).padStart(64, '0')
  })
  return `0x${numbers.join('')}`
}

/** Two blobs that are not the same. */
export const BLOBS: readonly SentBlob[] = VECTORS.map(({ seed, ...proofs }) => ({
  blob: blobOf(seed),
  ...proofs,
}))

/** A transfer of nothing by `signer` that names `blobs`: as it stands in a block. */
export function signNaming(
  signer: Signer,
  blobs: readonly SentBlob[],
  fields: Partial<UnsignedTransaction> = {},
): Transaction {
  const blobVersionedHashes = blobs.map(({ commitment }) => commitmentToVersionedHash({ commitment }))
  return sign(signer, { type: 3, blobVersionedHashes, maxFeePerBlobGas: 1_000_000_000n, ...fields })
}

/** Those of `BLOBS` whose hashes stand in a transaction. */
export function blobsNamedBy({ blobVersionedHashes = [] }: Transaction): SentBlob[] {
  return blobVersionedHashes.map(
    (hash) => BLOBS.find(({ commitment }) => commitmentToVersionedHash({ commitment }) === hash)!,
  )
}

/** What is put on the wire: the transaction and, by the version of the wrapper, its blobs. */
export function withBlobs({ raw }: Transaction, blobs: readonly SentBlob[], version: 0 | 1): Hex {
  const proofs = blobs.flatMap(({ blobProof, cellProofs }) => (version === 0 ? [blobProof] : cellProofs))
  const lists = [blobs.map(({ blob }) => blob), blobs.map(({ commitment }) => commitment), proofs]
  const wrapped = [fromRlp(raw.subarray(1), 'hex'), ...(version === 0 ? [] : ['0x01']), ...lists]
  return `0x03${toRlp(wrapped as Hex[], 'hex').slice(2)}`
}
