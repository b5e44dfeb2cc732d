/** The hardforks with their EIPs, parameters and precompiles. */
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
export type AnyHardfork = (typeof ALL_HARDFORKS)[number]

type ByHardfork<T> = Partial<Record<AnyHardfork, T>>

/** The EIPs in the meta EIP of each hardfork since Berlin. For older rules, the source compares hardforks. */
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

/** Protocol parameters by hardfork: gas amounts of transactions, and limits in bytes. */
export const PARAMETERS = {
  txGas: { frontier: 21_000n },
  /** Charged since Homestead (EIP-2). */
  txCreationGas: { frontier: 32_000n },
  txDataZeroGas: { frontier: 4n },
  /** Reduced by EIP-2028. */
  txDataNonZeroGas: { frontier: 68n, istanbul: 16n },
  /** Introduced by EIP-2930. */
  accessListAddressGas: { frontier: 0n, berlin: 2_400n },
  accessListStorageKeyGas: { frontier: 0n, berlin: 1_900n },
  /** A refund is at most the gas used, divided by this number (EIP-3529). */
  maxRefundQuotient: { frontier: 2n, london: 5n },
  /** Introduced by EIP-3860. */
  initCodeWordGas: { shanghai: 2n },
  maxInitCodeSize: { shanghai: 49_152n },
  /** Introduced by EIP-7623. */
  totalCostFloorPerToken: { prague: 10n },
  /** Introduced by EIP-7702. */
  perEmptyAccountCost: { prague: 25_000n },
  perAuthBaseGas: { prague: 12_500n },
} as const satisfies Readonly<Record<string, ByHardfork<bigint>>>

/** The protocol parameters, with the names that EthereumJS uses. */
export type ParameterName = keyof typeof PARAMETERS

const PRECOMPILE_TABLE = [
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

export type PrecompileName = (typeof PRECOMPILE_TABLE)[number][0]

export interface PrecompilePlace {
  readonly name: PrecompileName
  /** The name shown in call trees. */
  readonly label: string
  readonly address: Address
  readonly since: AnyHardfork
}

/** All precompiles, ordered by address. */
export const PRECOMPILES: readonly PrecompilePlace[] = PRECOMPILE_TABLE.map(
  ([name, label, number, since]) => ({
    name,
    label,
    address: `0x${number.toString(16).padStart(40, '0')}`,
    since,
  }),
)
