/** Blobs in the network form of transactions (EIP-4844, EIP-7594). Blocks contain only hashes of commitments. */
import { sha256 } from '@noble/hashes/sha2.js'
import type { KZG } from 'micro-eth-signer/kzg.js'
import { type Hash, toHex } from '../../bytes/hex.ts'
import { encodeRlp, type RlpInput, type RlpValue, withType } from '../../bytes/rlp.ts'
import { G1_MONOMIAL, G2_MONOMIAL } from '../../crypto/kzgProof.ts'
import { decodeIncludedTransaction, hasHighS } from './signedTransaction.ts'
import type { Transaction } from './transaction.ts'
import { listOf, MalformedTransaction } from './transactionFields.ts'

export interface BlobSidecar {
  /** `blobs`: one proof per blob. `cells`: one proof per cell of the extended blob (EIP-7594). */
  readonly proves: 'blobs' | 'cells'
  readonly blobs: readonly Uint8Array[]
  readonly commitments: readonly Uint8Array[]
  /** The proofs in the order of the blobs: one per blob, or 128 per blob if they prove cells. */
  readonly proofs: readonly Uint8Array[]
}

const BLOB_BYTES = 131_072
/** The length of a compressed point of BLS12-381. */
const POINT_BYTES = 48
const CELLS_PER_BLOB = 128
/** The version of the network form with cell proofs (EIP-7594). The form with blob proofs has no version. */
const CELL_PROOFS_VERSION = 1
/** The first byte of a versioned hash. Bytes 1 to 31 equal those of the commitment's sha256 hash. */
const KZG_VERSION = 1

/**
 * Decodes the network form of type 3: the type byte, then `rlp([transaction, blobs, commitments, proofs])` or
 * `rlp([transaction, 1, blobs, commitments, cellProofs])`. Does not verify the proofs. Throws `MalformedTransaction`.
 */
export function decodeBlobTransaction(raw: Uint8Array): {
  readonly transaction: Transaction
  readonly sidecar: BlobSidecar
} {
  const [fields, ...rest] = listOf(raw.subarray(1))
  if (!Array.isArray(fields)) {
    throw new MalformedTransaction('a transaction of type 3 must be sent with its blobs (EIP-4844), got none')
  }
  const transaction = decodeIncludedTransaction(withType(3, encodeRlp(fields as RlpInput)))
  if (hasHighS(transaction)) throw new MalformedTransaction('the signature has a high s (EIP-2)')
  const sidecar = sidecarOf(rest)
  const { commitments } = sidecar
  const hashes = transaction.blobVersionedHashes ?? []
  if (commitments.length !== hashes.length) {
    throw new MalformedTransaction(`it names ${hashes.length} blobs and comes with ${commitments.length}`)
  }
  for (const [index, commitment] of commitments.entries()) {
    if (versionedHash(commitment) !== hashes[index]) {
      throw new MalformedTransaction(
        `blob ${index} has the versioned hash ${versionedHash(commitment)}, not ${hashes[index]}`,
      )
    }
  }
  return { transaction, sidecar }
}

function sidecarOf(wrapped: readonly RlpValue[]): BlobSidecar {
  const [version] = wrapped
  const hasVersion = version instanceof Uint8Array
  if (hasVersion && (version.length !== 1 || version[0] !== CELL_PROOFS_VERSION)) {
    throw new MalformedTransaction(
      `blobs come in version ${CELL_PROOFS_VERSION} (EIP-7594), got ${toHex(version)}`,
    )
  }
  const lists = hasVersion ? wrapped.slice(1) : wrapped
  if (lists.length !== 3) {
    throw new MalformedTransaction(
      `blobs, commitments and proofs follow a transaction of type 3, got ${lists.length} fields`,
    )
  }
  const blobs = itemsOf(lists[0], BLOB_BYTES, 'blob')
  const commitments = itemsOf(lists[1], POINT_BYTES, 'commitment')
  const proofs = itemsOf(lists[2], POINT_BYTES, 'proof')
  const proofsWanted = blobs.length * (hasVersion ? CELLS_PER_BLOB : 1)
  if (commitments.length !== blobs.length || proofs.length !== proofsWanted) {
    throw new MalformedTransaction(
      `${blobs.length} blobs have ${blobs.length} commitments and ${proofsWanted} proofs, got ${commitments.length} and ${proofs.length}`,
    )
  }
  return { proves: hasVersion ? 'cells' : 'blobs', blobs, commitments, proofs }
}

function itemsOf(list: RlpValue | undefined, length: number, what: string): Uint8Array[] {
  if (!Array.isArray(list)) throw new MalformedTransaction(`expected a list of ${what}s`)
  return list.map((item, index) => {
    if (item instanceof Uint8Array && item.length === length) return item
    throw new MalformedTransaction(`${what} ${index}: expected ${length} bytes`)
  })
}

function versionedHash(commitment: Uint8Array): Hash {
  const hash = sha256(commitment)
  hash[0] = KZG_VERSION
  return toHex(hash)
}

/** The KZG library, loaded only when blobs are verified. Verification takes about half a second per blob. */
let loading: Promise<KZG> | undefined

/** Resolves to whether the proofs of the blob at `index` are valid for its commitment. */
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
    // The library throws for invalid points and field elements.
    return false
  }
}

/** The number of field elements in a blob, and the index of the G2 point with which cell proofs are verified. */
const BLOB_NUMBERS = 4_096
const CELL_NUMBERS = 64

async function load(): Promise<KZG> {
  const { KZG } = await import('micro-eth-signer/kzg.js')
  // Points that would be used only to create proofs are replaced by the generators.
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
