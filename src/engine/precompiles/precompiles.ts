/** The computations of the precompiles. */
import type { Address } from '../../bytes/hex.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { PRECOMPILES, type PrecompileName } from '../../model/hardfork/precompiles.ts'
import { blake2f } from './blake2f.ts'
import {
  bls12381AddG1,
  bls12381AddG2,
  bls12381MapToG1,
  bls12381MapToG2,
  bls12381MultiplyG1,
  bls12381MultiplyG2,
  bls12381Pairing,
} from './bls12381.ts'
import { bn254Add, bn254Multiply, bn254Pairing } from './bn254.ts'
import { ecrecover } from './ecrecover.ts'
import { identity, ripemd160Hash, sha256Hash } from './hashes.ts'
import { kzgPointEvaluation } from './kzgPointEvaluation.ts'
import { modexp } from './modexp.ts'
import { p256Verify } from './p256Verify.ts'
import type { Computation, Precompile } from './precompile.ts'

export type { Precompile } from './precompile.ts'

const COMPUTATIONS: Readonly<Record<PrecompileName, Computation>> = {
  ECREC: ecrecover,
  SHA256: sha256Hash,
  RIPEMD160: ripemd160Hash,
  ID: identity,
  MODEXP: modexp,
  BN254_ADD: bn254Add,
  BN254_MUL: bn254Multiply,
  BN254_PAIRING: bn254Pairing,
  BLAKE2F: blake2f,
  KZG_POINT_EVALUATION: kzgPointEvaluation,
  BLS12_G1ADD: bls12381AddG1,
  BLS12_G1MSM: bls12381MultiplyG1,
  BLS12_G2ADD: bls12381AddG2,
  BLS12_G2MSM: bls12381MultiplyG2,
  BLS12_PAIRING_CHECK: bls12381Pairing,
  BLS12_MAP_FP_TO_G1: bls12381MapToG1,
  BLS12_MAP_FP2_TO_G2: bls12381MapToG2,
  P256VERIFY: p256Verify,
}

/** By hardfork and number: an L2 may have one more. */
const known = new Map<string, ReadonlyMap<Address, Precompile>>()

/** Returns the precompiles of a chain under `rules` by their addresses; the same map for the same ones. */
export function precompilesUnder(rules: Rules): ReadonlyMap<Address, Precompile> {
  const key = `${rules.hardfork} ${rules.precompiles.size}`
  let precompiles = known.get(key)
  if (precompiles === undefined) {
    const active = PRECOMPILES.filter(({ address }) => rules.precompiles.has(address))
    precompiles = new Map(active.map(({ name, address }) => [address, { name, ...COMPUTATIONS[name] }]))
    known.set(key, precompiles)
  }
  return precompiles
}
