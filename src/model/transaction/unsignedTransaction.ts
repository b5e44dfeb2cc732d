/** Transactions without a signature, as simulated blocks contain them. */
import { type Address, EMPTY_BYTES, fromHex, toMinimalBytes } from '../../bytes/hex.ts'
import { encodeRlp } from '../../bytes/rlp.ts'
import { keccakHash } from '../../crypto/keccak.ts'
import type { Signature } from '../../crypto/secp256k1.ts'
import { withSignature } from './signedTransaction.ts'
import type { Transaction, UnsignedTransaction } from './transaction.ts'

const NO_SIGNATURE: Signature = { yParity: 0, r: 0n, s: 0n }

/**
 * Returns the transaction as `from` would send it, with zeros in place of the signature. Its hash is that of these
 * bytes.
 */
export function withoutSignature(unsigned: UnsignedTransaction, from: Address): Transaction {
  if (unsigned.type !== 0) return withSignature(unsigned, NO_SIGNATURE, { kind: 'signed', from })
  const { nonce, maxFeePerGas, gasLimit, to, value, data } = unsigned
  const raw = encodeRlp([
    toMinimalBytes(nonce),
    toMinimalBytes(maxFeePerGas),
    toMinimalBytes(gasLimit),
    to === undefined ? EMPTY_BYTES : fromHex(to),
    toMinimalBytes(value),
    data,
    // `v` (without parity and chain id), `r` and `s`.
    EMPTY_BYTES,
    EMPTY_BYTES,
    EMPTY_BYTES,
  ])
  return { ...unsigned, chainId: undefined, hash: keccakHash(raw), from, signature: NO_SIGNATURE, raw }
}
