/**
 * The check of blobs against their commitments. It takes about half a second for each blob, and a library that is
 * loaded only for it.
 */
import type { KZG } from 'micro-eth-signer/kzg.js'
import { toHex } from '../../bytes/hex.ts'
import { G1_MONOMIAL, G2_MONOMIAL } from '../../crypto/trustedSetup.ts'
import { type BlobSidecar, CELLS_PER_BLOB } from './blobSidecar.ts'

let loading: Promise<KZG> | undefined

/** Resolves to whether the proofs of the blob at `index` verify against its commitment. */
export async function isProven(
  { proves, blobs, commitments, proofs }: BlobSidecar,
  index: number,
): Promise<boolean> {
  loading ??= load()
  const kzg = await loading
  const blob = toHex(blobs[index]!)
  const commitment = toHex(commitments[index]!)
  try {
    if (proves === 'blobs') return kzg.verifyBlobProof(blob, commitment, toHex(proofs[index]!))
    const cells = kzg.computeCells(blob)
    const own = proofs.slice(index * CELLS_PER_BLOB, (index + 1) * CELLS_PER_BLOB).map(toHex)
    return kzg.verifyCellKzgProofBatch(
      cells.map(() => commitment),
      [...cells.keys()],
      cells,
      own,
    )
  } catch {
    // The library throws for bytes that are not a point of the curve or not an element of the field.
    return false
  }
}

/** The numbers of field elements in a blob, and of points used to check its cells. */
const BLOB_NUMBERS = 4_096
const CELL_NUMBERS = 64

async function load(): Promise<KZG> {
  const { KZG } = await import('micro-eth-signer/kzg.js')
  // Entries that only the making of proofs reads are filled with the generators.
  const g2 = Array.from({ length: CELL_NUMBERS + 1 }, () => G2_MONOMIAL[0])
  g2[1] = G2_MONOMIAL[1]
  g2[CELL_NUMBERS] = G2_MONOMIAL[CELL_NUMBERS]
  return new KZG({
    encoding: 'fast_v1',
    g1_lagrange: Array.from({ length: BLOB_NUMBERS }, () => G1_MONOMIAL[0]!),
    g1_monomial: [...G1_MONOMIAL],
    g2_monomial: g2,
  })
}
