import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { type Address, EMPTY_BYTES, toQuantity } from '../../bytes/hex.ts'
import { bn254, p256 } from '../../crypto/curves/curves.ts'
import type { PausableSteps } from '../../crypto/curves/pairingCurve.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { recoverPublicKey } from '../../crypto/secp256k1.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { PRECOMPILES, type PrecompileName } from '../../model/hardfork/ruleTables.ts'
import { blake2f } from './blake2f.ts'
import {
  bls12381AddG1,
  bls12381AddG2,
  bls12381MapToG1,
  bls12381MapToG2,
  bls12381MultiplyG1,
  bls12381MultiplyG2,
  bls12381Pairing,
  kzgPointEvaluation,
} from './bls12381.ts'
import { inputLimit, limited } from './inputLimit.ts'
import { modexp } from './modexp.ts'
import { type Computation, inParts, type Precompile, padded, truth, wordsOf } from './precompile.ts'

// BN254: EIP-196 defines addition and multiplication, EIP-197 pairings, and EIP-1108 their gas prices.
const G1_BYTES = 64
const PAIR_BYTES = 192

const load = () => bn254.load()
const isCheap = (rules: Rules) => rules.has(1108) || rules.since('istanbul')

/** Adds two points. Short inputs are padded with zeros; excess bytes are ignored. */
const bn254Add: Computation = {
  gas: (rules) => (isCheap(rules) ? 150n : 500n),
  run: (input) => bn254.current.add('g1', padded(input, 0, 2 * G1_BYTES)),
  load,
}

/** Multiplies a point by a scalar. Short inputs are padded with zeros; excess bytes are ignored. */
const bn254Multiply: Computation = inParts(
  (rules) => (isCheap(rules) ? 6_000n : 40_000n),
  (input) => bn254.current.multiply('g1', padded(input, 0, G1_BYTES + 32)),
  load,
)

const bn254Pairing: Computation = inParts(
  (rules, input) => {
    const pairs = BigInt(Math.floor(input.length / PAIR_BYTES))
    return isCheap(rules) ? 45_000n + 34_000n * pairs : 100_000n + 80_000n * pairs
  },
  function* (input): PausableSteps<Uint8Array> {
    if (input.length % PAIR_BYTES !== 0) return undefined
    const isOne = yield* bn254.current.pairing(input)
    return isOne === undefined ? undefined : truth(isOne)
  },
  load,
)

/** Bytes hashed between two pauses. Hashing this many takes a few milliseconds. */
const BYTES_OF_A_PART = 512 * 1024

const identity: Computation = {
  gas: (_, input) => 15n + 3n * wordsOf(input),
  run: (input) => input.slice(),
}

const sha256Hash: Computation = inParts(
  (_, input) => 60n + 12n * wordsOf(input),
  (input) => hashed(sha256, input),
)

const ripemd160Hash: Computation = inParts(
  (_, input) => 600n + 120n * wordsOf(input),
  function* (input): PausableSteps<Uint8Array> {
    const hash = yield* hashed(ripemd160, input)
    const word = new Uint8Array(32)
    word.set(hash!, 12)
    return word
  },
)

function* hashed(hash: typeof sha256 | typeof ripemd160, input: Uint8Array): PausableSteps<Uint8Array> {
  if (input.length <= BYTES_OF_A_PART) return hash(input)
  const hashing = hash.create()
  for (let from = 0; from < input.length; from += BYTES_OF_A_PART) {
    if (from > 0) yield
    hashing.update(input.subarray(from, from + BYTES_OF_A_PART))
  }
  return hashing.digest()
}

/** Input: a hash, v (27 or 28), r and s. The output is empty if the signature is invalid. */
const ecrecover: Computation = {
  gas: () => 3_000n,
  run(input) {
    const [hash, v, r, s] = [0, 32, 64, 96].map((at) => padded(input, at, 32)) as Four
    const parity = toQuantity(v) - 27n
    if (parity !== 0n && parity !== 1n) return EMPTY_BYTES
    const publicKey = recoverPublicKey(hash, toQuantity(r), toQuantity(s), Number(parity))
    if (publicKey === undefined) return EMPTY_BYTES
    const word = new Uint8Array(32)
    word.set(keccak256(publicKey.subarray(1)).subarray(12), 12)
    return word
  },
}

type Four = [Uint8Array, Uint8Array, Uint8Array, Uint8Array]

const INPUT_BYTES = 160

/** P256VERIFY (EIP-7951; on L2s RIP-7212 before Osaka). Input: a hash, r, s, x and y. Output: empty if invalid. */
const p256Verify: Computation = {
  gas: (rules) => (rules.since('osaka') ? 6_900n : 3_450n),
  run: (input) => (input.length === INPUT_BYTES && p256.current(input) ? truth(true) : EMPTY_BYTES),
  load: () => p256.load(),
}

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

/** Results of `precompilesUnder`: an L2 may have an additional precompile, and limits of inputs. */
const known = new Map<string, ReadonlyMap<Address, Precompile>>()

/** Returns the active precompiles by address. Returns the same map for the same precompiles. */
export function precompilesUnder(rules: Rules): ReadonlyMap<Address, Precompile> {
  const key = `${rules.hardfork} ${rules.precompiles.size} ${rules.l2 && rules.l2Upgrade}`
  let precompiles = known.get(key)
  if (precompiles === undefined) {
    const active = PRECOMPILES.filter(({ address }) => rules.precompiles.has(address))
    precompiles = new Map(
      active.map(({ name, address }) => {
        const limit = inputLimit(rules, name)
        const computation = COMPUTATIONS[name]
        return [address, { name, ...(limit === undefined ? computation : limited(computation, limit)) }]
      }),
    )
    known.set(key, precompiles)
  }
  return precompiles
}
