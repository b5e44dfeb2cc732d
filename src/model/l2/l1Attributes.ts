/**
 * The attributes of L1 on an L2: the first deposit of each block writes them into the storage of the contract L1Block
 * (specs.optimism.io `protocol/l1-attributes.html`).
 *
 * L1 is simulated, with a block every twelve seconds and constant prices. On a fork, L1 continues from the L1 block
 * and prices of the fork block. Otherwise L1 starts in 1970.
 */
import { fromHex, type Hash, type Hex, toDigits, toWord } from '../../bytes/hex.ts'
import { keccakHash } from '../../crypto/keccak.ts'
import type { Transaction } from '../transaction/transaction.ts'
import { sourceHashOf, toTransaction } from './deposit.ts'
import type { L1Prices } from './l1Fee.ts'
import { L1_BLOCK, L1_DEPOSITOR, L2_TERMS, type L2Chain, type L2Upgrade } from './l2.ts'

/** The L1 origin of an L2 block: the L1 block from which the L2 block derives. */
export interface L1Origin {
  readonly number: bigint
  readonly timestamp: bigint
  readonly hash: Hash
  /** The number of earlier L2 blocks with the same L1 origin. */
  readonly sequenceNumber: bigint
}

const SECONDS_PER_L1_BLOCK = 12n

/** Returns the L1 origin of the L2 block at `timestamp`. `before` is the L1 origin of its parent block. */
export function nextOrigin(timestamp: bigint, before: Omit<L1Origin, 'hash'> | undefined): L1Origin {
  const from = before ?? { number: 0n, timestamp: 0n, sequenceNumber: 0n }
  const later = timestamp > from.timestamp ? (timestamp - from.timestamp) / SECONDS_PER_L1_BLOCK : 0n
  const number = from.number + later
  return {
    number,
    timestamp: from.timestamp + later * SECONDS_PER_L1_BLOCK,
    hash: keccakHash(toWord(number)),
    sequenceNumber: before?.number === number ? before.sequenceNumber + 1n : 0n,
  }
}

/** The attributes that are the same in all blocks of a chain. */
export interface L1Attributes {
  readonly prices: L1Prices
  /** The address that posts the batches of the L2 on L1, as a number. */
  readonly batcher: bigint
}

/** The attributes of an L2 block, with its L1 origin. */
export type AttributesOfBlock = L1Attributes & { readonly origin: Omit<L1Origin, 'hash'> }

const BASE_FEE = 1_000_000_000n

/** Returns the attributes for a chain that is no fork. Blob gas costs 1/16 of gas, the minimum of EIP-7918. */
export function defaultAttributes(chain: L2Chain): L1Attributes {
  const { baseFeeScalar, blobBaseFeeScalar, daFootprintGasScalar, batcher } = L2_TERMS[chain]
  const scalars = { baseFeeScalar, blobBaseFeeScalar, daFootprintGasScalar }
  return {
    prices: { baseFee: BASE_FEE, blobBaseFee: BASE_FEE / 16n, ...scalars },
    batcher: BigInt(batcher),
  }
}

/** Returns the first transaction of a block with this L1 origin: it sets the storage that `state/l1Block.ts` reads. */
export function l1AttributesDeposit(
  upgrade: L2Upgrade,
  attributes: L1Attributes,
  origin: L1Origin,
): Transaction {
  return toTransaction({
    sourceHash: sourceHashOf('l1Attributes', origin.hash, origin.sequenceNumber),
    from: L1_DEPOSITOR,
    to: L1_BLOCK,
    mint: 0n,
    value: 0n,
    gasLimit: 1_000_000n,
    data: fromHex(CALLDATA[upgrade](attributes, origin)),
  })
}

export function isL1Attributes({ deposit, from }: Pick<Transaction, 'deposit' | 'from'>): boolean {
  return deposit !== undefined && from === L1_DEPOSITOR
}

type Calldata = (attributes: L1Attributes, origin: L1Origin) => Hex

/** Functions that return the calldata of the L1 attributes deposit: ABI-encoded before Ecotone, packed since then. */
const CALLDATA: Readonly<Record<L2Upgrade, Calldata>> = {
  /** setL1BlockValues(uint64,uint64,uint256,bytes32,uint64,bytes32,uint256,uint256) */
  bedrock({ prices: { baseFee, bedrock }, batcher }, { number, timestamp, hash, sequenceNumber }) {
    const { overhead, scalar } = bedrock ?? { overhead: 0n, scalar: 0n }
    const words = [number, timestamp, baseFee, BigInt(hash), sequenceNumber, batcher, overhead, scalar]
    return `0x015d8eb9${words.map((word) => bits(256, word)).join('')}`
  },
  /** setL1BlockValuesEcotone() */
  ecotone: (attributes, origin) => `0x440a5e20${packed(attributes, origin)}`,
  fjord: (attributes, origin) => `0x440a5e20${packed(attributes, origin)}`,
  /** setL1BlockValuesIsthmus() */
  isthmus: (attributes, origin) => `0x098999be${packed(attributes, origin)}${packedOperator(attributes)}`,
  /** setL1BlockValuesJovian() */
  jovian(attributes, origin) {
    const { daFootprintGasScalar = 0n } = attributes.prices
    return `0x3db6be2b${packed(attributes, origin)}${packedOperator(attributes)}${bits(16, daFootprintGasScalar)}`
  },
}

function packed({ prices, batcher }: L1Attributes, origin: L1Origin): string {
  const digits = [
    bits(32, prices.baseFeeScalar),
    bits(32, prices.blobBaseFeeScalar),
    bits(64, origin.sequenceNumber),
    bits(64, origin.timestamp),
    bits(64, origin.number),
    bits(256, prices.baseFee),
    bits(256, prices.blobBaseFee),
    origin.hash.slice(2),
    bits(256, batcher),
  ]
  return digits.join('')
}

function packedOperator({ prices: { operator } }: L1Attributes): string {
  return bits(32, operator?.scalar ?? 0n) + bits(64, operator?.constant ?? 0n)
}

function bits(width: number, value: bigint): string {
  return toDigits(toWord(value)).slice(-width / 4)
}

export const L1_BLOCK_SLOTS = {
  /** The number and timestamp of the L1 block (64 bits each), lowest bits first, as in the slots below. */
  position: 0n,
  baseFee: 1n,
  hash: 2n,
  /** The sequence number (64 bits), blob base fee scalar (32 bits) and base fee scalar (32 bits). */
  sequence: 3n,
  batcher: 4n,
  /** The slots of `overhead` and `scalar` are used only before Ecotone. */
  overhead: 5n,
  scalar: 6n,
  blobBaseFee: 7n,
  /** The operator fee constant (64 bits), operator fee scalar (32 bits) and DA footprint gas scalar (16 bits). */
  operator: 8n,
} as const

export function l1BlockStorage(
  chain: L2Chain,
  upgrade: L2Upgrade,
  origin: L1Origin,
): readonly (readonly [bigint, bigint])[] {
  const { prices, batcher } = defaultAttributes(chain)
  const { baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar, daFootprintGasScalar = 0n } = prices
  return [
    [L1_BLOCK_SLOTS.position, origin.number | (origin.timestamp << 64n)],
    [L1_BLOCK_SLOTS.baseFee, baseFee],
    [L1_BLOCK_SLOTS.hash, BigInt(origin.hash)],
    [L1_BLOCK_SLOTS.sequence, origin.sequenceNumber | (blobBaseFeeScalar << 64n) | (baseFeeScalar << 96n)],
    [L1_BLOCK_SLOTS.batcher, batcher],
    [L1_BLOCK_SLOTS.blobBaseFee, blobBaseFee],
    [L1_BLOCK_SLOTS.operator, upgrade === 'jovian' ? daFootprintGasScalar << 96n : 0n],
  ]
}
