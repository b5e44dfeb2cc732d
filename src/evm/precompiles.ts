/** The precompiles: which address has which, since which hardfork. */
import type { Address } from '../model/bytes/hex.ts'
import type { AnyHardfork, Rules } from '../model/hardfork/hardfork.ts'
import { blake2f } from './precompiles/blake2f.ts'
import {
  bls12381AddG1,
  bls12381AddG2,
  bls12381MapToG1,
  bls12381MapToG2,
  bls12381MultiplyG1,
  bls12381MultiplyG2,
  bls12381Pairing,
} from './precompiles/bls12381.ts'
import { bn254Add, bn254Multiply, bn254Pairing } from './precompiles/bn254.ts'
import { ecrecover } from './precompiles/ecrecover.ts'
import { identity, ripemd160Hash, sha256Hash } from './precompiles/hashes.ts'
import { kzgPointEvaluation } from './precompiles/kzgPointEvaluation.ts'
import { modexp } from './precompiles/modexp.ts'
import { p256Verify } from './precompiles/p256Verify.ts'
import type { Computation, Precompile } from './precompiles/precompile.ts'

export type { Precompile } from './precompiles/precompile.ts'

const TABLE: readonly (readonly [number: number, since: AnyHardfork, Computation])[] = [
  [0x01, 'frontier', ecrecover],
  [0x02, 'frontier', sha256Hash],
  [0x03, 'frontier', ripemd160Hash],
  [0x04, 'frontier', identity],
  [0x05, 'byzantium', modexp],
  [0x06, 'byzantium', bn254Add],
  [0x07, 'byzantium', bn254Multiply],
  [0x08, 'byzantium', bn254Pairing],
  [0x09, 'istanbul', blake2f],
  [0x0a, 'cancun', kzgPointEvaluation],
  [0x0b, 'prague', bls12381AddG1],
  [0x0c, 'prague', bls12381MultiplyG1],
  [0x0d, 'prague', bls12381AddG2],
  [0x0e, 'prague', bls12381MultiplyG2],
  [0x0f, 'prague', bls12381Pairing],
  [0x10, 'prague', bls12381MapToG1],
  [0x11, 'prague', bls12381MapToG2],
  [0x100, 'osaka', p256Verify],
]

const ALL = TABLE.map(([number, since, computation]): { since: AnyHardfork; precompile: Precompile } => ({
  since,
  precompile: { address: `0x${number.toString(16).padStart(40, '0')}`, ...computation },
}))

const underHardfork = new Map<AnyHardfork, ReadonlyMap<Address, Precompile>>()

/** Returns the precompiles of a chain under `rules` by their addresses; the same map for the same hardfork. */
export function precompilesUnder(rules: Rules): ReadonlyMap<Address, Precompile> {
  let precompiles = underHardfork.get(rules.hardfork)
  if (precompiles === undefined) {
    const active = ALL.filter(({ since }) => rules.since(since))
    precompiles = new Map(active.map(({ precompile }) => [precompile.address, precompile]))
    underHardfork.set(rules.hardfork, precompiles)
  }
  return precompiles
}
