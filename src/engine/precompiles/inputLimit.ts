import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { PrecompileName } from '../../model/hardfork/ruleTables.ts'
import type { L2Upgrade } from '../../model/l2/l2.ts'
import { type Computation, inParts } from './precompile.ts'

type Limits = Partial<Record<PrecompileName, number>>

/** The limits in bytes (op-geth `params/protocol_params.go`). The limit of Isthmus for BN254 is that of Granite. */
const LIMITS: Partial<Record<L2Upgrade, Limits>> = {
  isthmus: {
    BN254_PAIRING: 112_687,
    BLS12_G1MSM: 513_760,
    BLS12_G2MSM: 488_448,
    BLS12_PAIRING_CHECK: 235_008,
  },
  jovian: {
    BN254_PAIRING: 81_984,
    BLS12_G1MSM: 288_960,
    BLS12_G2MSM: 278_784,
    BLS12_PAIRING_CHECK: 156_672,
  },
}

/** Returns the size in bytes above which an input makes a precompile fail on an L2; `undefined`: there is no limit. */
export function inputLimit({ l2, l2Upgrade }: Rules, name: PrecompileName): number | undefined {
  return l2 === undefined ? undefined : LIMITS[l2Upgrade]?.[name]
}

/** Returns a computation that fails if its input has more than `limit` bytes. */
export function limited({ gas, runInParts, load }: Computation, limit: number): Computation {
  return inParts(
    gas,
    function* (input, rules) {
      return input.length > limit ? undefined : yield* runInParts!(input, rules)
    },
    load,
  )
}
