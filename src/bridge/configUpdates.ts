/** Updates of the contract SystemConfig on L1, which change the blocks of the L2 (specs.optimism.io `protocol/system-config.html`). */
import { type Address, toQuantity, ZERO_HASH } from '../bytes/hex.ts'
import { type Block, logsOf } from '../model/block/block.ts'
import { PARAMETERS_SINCE_CANYON, withFeeParameters } from '../model/block/fees.ts'
import type { Header } from '../model/block/header.ts'
import type { L1Attributes } from '../model/l2/l1Attributes.ts'
import { DEFAULT_DA_FOOTPRINT_GAS_SCALAR } from '../model/l2/l2.ts'

/** The topic of `ConfigUpdate(uint256 indexed version, uint8 indexed updateType, bytes data)`. */
const CONFIG_UPDATE = '0x1d2b0bda21d56b8bd12d4f94ebacffdfb35f5e226f84b461103bb8beab6353be'

/** The values that SystemConfig sets: L1 attributes, and fields of the header. */
export type Config = L1Attributes & Pick<Header, 'gasLimit' | 'extraData'>

/** Returns the changed config; `undefined` for a malformed update, which has no effect. `words`: the words of `data`. */
type Update = (config: Config, ...words: readonly bigint[]) => Config | undefined

const BATCHER: Update = (config, batcher = 0n) => (fits(160, batcher) ? { ...config, batcher } : undefined)

/** The first word, the overhead, has no effect since Ecotone. The version is the first byte of the second. */
const FEE_SCALARS: Update = (config, _, word = 0n) => {
  const version = word >> 248n
  const scalars = BigInt.asUintN(248, word)
  if (version > 1n || !fits(version === 0n ? 32 : 64, scalars)) return undefined
  const [baseFeeScalar, blobBaseFeeScalar] = [BigInt.asUintN(32, scalars), scalars >> 32n]
  return { ...config, prices: { ...config.prices, baseFeeScalar, blobBaseFeeScalar } }
}

const GAS_LIMIT: Update = (config, gasLimit = 0n) =>
  fits(64, gasLimit) ? { ...config, gasLimit } : undefined

/** Both parameters may be zero, which stands for those before Holocene. */
const EIP_1559_PARAMS: Update = (config, word = 0n) => {
  const [denominator, elasticity] = [BigInt.asUintN(32, word >> 32n), BigInt.asUintN(32, word)]
  if ((denominator === 0n) !== (elasticity === 0n)) return undefined
  const parameters = denominator === 0n ? PARAMETERS_SINCE_CANYON : { denominator, elasticity }
  return { ...config, extraData: withFeeParameters(config.extraData, parameters) }
}

const OPERATOR_FEE_PARAMS: Update = ({ prices, ...rest }, word = 0n) => {
  const [scalar, constant] = [BigInt.asUintN(32, word >> 64n), BigInt.asUintN(64, word)]
  return { ...rest, prices: { ...prices, operator: { scalar, constant } } }
}

const MIN_BASE_FEE: Update = (config, minBaseFee = 0n) =>
  fits(64, minBaseFee)
    ? { ...config, extraData: withFeeParameters(config.extraData, { minBaseFee }) }
    : undefined

const DA_FOOTPRINT_GAS_SCALAR: Update = (config, word = 0n) => {
  if (!fits(16, word)) return undefined
  return {
    ...config,
    prices: { ...config.prices, daFootprintGasScalar: word || DEFAULT_DA_FOOTPRINT_GAS_SCALAR },
  }
}

/** The updates by their type. The unsafe block signer (3) concerns no block. */
const UPDATES: readonly (Update | undefined)[] = [
  ...[BATCHER, FEE_SCALARS, GAS_LIMIT, undefined],
  ...[EIP_1559_PARAMS, OPERATOR_FEE_PARAMS, MIN_BASE_FEE, DA_FOOTPRINT_GAS_SCALAR],
]

/** Returns the config after the updates in an L1 block: the same object if there are none. */
export function updated(config: Config, block: Block, systemConfig: Address): Config {
  let now = config
  for (const { log } of logsOf(block)) {
    const [event, version, type] = log.topics
    if (log.address !== systemConfig || event !== CONFIG_UPDATE || version !== ZERO_HASH) continue
    const update = UPDATES[Number(type)]
    const words = wordsIn(log.data, update === FEE_SCALARS ? 2 : 1)
    if (update !== undefined && words !== undefined) now = update(now, ...words) ?? now
  }
  return now
}

/** Returns the `count` words of the ABI's `bytes`, after its offset and length; `undefined` if it has another form. */
function wordsIn(data: Uint8Array, count: number): readonly bigint[] | undefined {
  const [offset, length, ...words] = Array.from({ length: data.length / 32 }, (_, i) =>
    toQuantity(data.subarray(32 * i, 32 * (i + 1))),
  )
  const isWellFormed = offset === 32n && length === BigInt(32 * count) && data.length === 32 * (count + 2)
  return isWellFormed ? words : undefined
}

function fits(bits: number, value: bigint): boolean {
  return value === BigInt.asUintN(bits, value)
}
