/** The hardforks, and what each of them changes. */
import type { Address } from '../../bytes/hex.ts'

/** All hardforks, oldest first. */
export const ALL_HARDFORKS = [
  'frontier',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'muirGlacier',
  'berlin',
  'london',
  'arrowGlacier',
  'grayGlacier',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
  // "Blob parameter only" (EIP-7892): the rules of Osaka with another blob schedule.
  'bpo1',
  'bpo2',
  'bpo3',
  'bpo4',
  'bpo5',
] as const
/** A hardfork of Ethereum, from Frontier on. */
export type AnyHardfork = (typeof ALL_HARDFORKS)[number]

type ByHardfork<T> = Partial<Record<AnyHardfork, T>>

/**
 * The EIPs of each hardfork (its "meta EIP"). Of hardforks before Berlin none are named: where they differ, code asks for
 * the hardfork itself.
 */
export const EIPS: ByHardfork<readonly number[]> = {
  berlin: [2565, 2718, 2929, 2930],
  london: [1559, 3198, 3529, 3541],
  arrowGlacier: [4345],
  grayGlacier: [5133],
  paris: [3675, 4399],
  shanghai: [3651, 3855, 3860, 4895],
  cancun: [1153, 4788, 4844, 5656, 6780, 7516],
  prague: [2537, 2935, 6110, 7002, 7251, 7623, 7685, 7691, 7702],
  osaka: [7594, 7823, 7825, 7883, 7892, 7918, 7939, 7951],
}

/** Protocol parameters: the gas of transactions, in gas, and limits, in bytes. */
export const PARAMETERS = {
  txGas: { frontier: 21_000n },
  /** EIP-2; before Homestead a creation costs no more than a call. */
  txCreationGas: { frontier: 32_000n },
  txDataZeroGas: { frontier: 4n },
  /** EIP-2028. */
  txDataNonZeroGas: { frontier: 68n, istanbul: 16n },
  /** EIP-2930. */
  accessListAddressGas: { frontier: 0n, berlin: 2_400n },
  accessListStorageKeyGas: { frontier: 0n, berlin: 1_900n },
  /** The part of the used gas that refunds may be: one in … (EIP-3529). */
  maxRefundQuotient: { frontier: 2n, london: 5n },
  /** EIP-3860. */
  initCodeWordGas: { shanghai: 2n },
  maxInitCodeSize: { shanghai: 49_152n },
  /** EIP-7623. */
  totalCostFloorPerToken: { prague: 10n },
  /** EIP-7702. */
  perEmptyAccountCost: { prague: 25_000n },
  perAuthBaseGas: { prague: 12_500n },
} as const satisfies Readonly<Record<string, ByHardfork<bigint>>>

/** A protocol parameter, by the name that EthereumJS gives it. */
export type ParameterName = keyof typeof PARAMETERS

/** The precompiles: their names in EIP-7910, their addresses, and the hardforks that add them. */
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
