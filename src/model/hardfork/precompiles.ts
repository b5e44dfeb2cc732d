/** The precompiles: their addresses, and the hardforks that add them. */
import type { Address } from '../../bytes/hex.ts'
import type { AnyHardfork } from './ruleTables.ts'

const TABLE = [
  ['ECREC', 'ecrecover', 0x01, 'frontier'],
  ['SHA256', 'sha256', 0x02, 'frontier'],
  ['RIPEMD160', 'ripemd160', 0x03, 'frontier'],
  ['ID', 'identity', 0x04, 'frontier'],
  ['MODEXP', 'modexp', 0x05, 'byzantium'],
  ['BN254_ADD', 'ecAdd', 0x06, 'byzantium'],
  ['BN254_MUL', 'ecMul', 0x07, 'byzantium'],
  ['BN254_PAIRING', 'ecPairing', 0x08, 'byzantium'],
  ['BLAKE2F', 'blake2f', 0x09, 'istanbul'],
  ['KZG_POINT_EVALUATION', 'pointEvaluation', 0x0a, 'cancun'],
  ['BLS12_G1ADD', 'bls12G1Add', 0x0b, 'prague'],
  ['BLS12_G1MSM', 'bls12G1Msm', 0x0c, 'prague'],
  ['BLS12_G2ADD', 'bls12G2Add', 0x0d, 'prague'],
  ['BLS12_G2MSM', 'bls12G2Msm', 0x0e, 'prague'],
  ['BLS12_PAIRING_CHECK', 'bls12PairingCheck', 0x0f, 'prague'],
  ['BLS12_MAP_FP_TO_G1', 'bls12MapFpToG1', 0x10, 'prague'],
  ['BLS12_MAP_FP2_TO_G2', 'bls12MapFp2ToG2', 0x11, 'prague'],
  ['P256VERIFY', 'p256Verify', 0x100, 'osaka'],
] as const satisfies readonly (readonly [name: string, label: string, number: number, since: AnyHardfork])[]

/** The name of a precompile in EIP-7910. */
export type PrecompileName = (typeof TABLE)[number][0]

export interface PrecompilePlace {
  readonly name: PrecompileName
  /** The name that a call tree shows. */
  readonly label: string
  readonly address: Address
  /** The hardfork that adds it. */
  readonly since: AnyHardfork
}

/** All precompiles, by ascending addresses. */
export const PRECOMPILES: readonly PrecompilePlace[] = TABLE.map(([name, label, number, since]) => ({
  name,
  label,
  address: `0x${number.toString(16).padStart(40, '0')}`,
  since,
}))
