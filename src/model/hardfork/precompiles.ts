/** The precompiles: their names in EIP-7910, their addresses, and the hardforks that add them. */
import type { Address } from '../../bytes/hex.ts'
import type { AnyHardfork } from './ruleTables.ts'

const TABLE = [
  ['ECREC', 0x01, 'frontier'],
  ['SHA256', 0x02, 'frontier'],
  ['RIPEMD160', 0x03, 'frontier'],
  ['ID', 0x04, 'frontier'],
  ['MODEXP', 0x05, 'byzantium'],
  ['BN254_ADD', 0x06, 'byzantium'],
  ['BN254_MUL', 0x07, 'byzantium'],
  ['BN254_PAIRING', 0x08, 'byzantium'],
  ['BLAKE2F', 0x09, 'istanbul'],
  ['KZG_POINT_EVALUATION', 0x0a, 'cancun'],
  ['BLS12_G1ADD', 0x0b, 'prague'],
  ['BLS12_G1MSM', 0x0c, 'prague'],
  ['BLS12_G2ADD', 0x0d, 'prague'],
  ['BLS12_G2MSM', 0x0e, 'prague'],
  ['BLS12_PAIRING_CHECK', 0x0f, 'prague'],
  ['BLS12_MAP_FP_TO_G1', 0x10, 'prague'],
  ['BLS12_MAP_FP2_TO_G2', 0x11, 'prague'],
  ['P256VERIFY', 0x100, 'osaka'],
] as const satisfies readonly (readonly [name: string, number: number, since: AnyHardfork])[]

/** The name of a precompile in EIP-7910. */
export type PrecompileName = (typeof TABLE)[number][0]

/** The place of a precompile, and the first hardfork that has it. */
export interface PrecompilePlace {
  readonly name: PrecompileName
  readonly address: Address
  readonly since: AnyHardfork
}

/** All precompiles, by ascending addresses. */
export const PRECOMPILES: readonly PrecompilePlace[] = TABLE.map(([name, number, since]) => ({
  name,
  address: `0x${number.toString(16).padStart(40, '0')}`,
  since,
}))
