/** Proposals of output roots: each L2 block with a withdrawal gets a dispute game on L1, whose claim is the block's output root. */
import { concatenate } from '../bytes/bytes.ts'
import { type Address, fromHex, type Hash, toHex, toWord, ZERO_HASH } from '../bytes/hex.ts'
import type { Moment } from '../chain/moment.ts'
import { keccakHash } from '../crypto/keccak.ts'
import { type Block, logsOf } from '../model/block/block.ts'
import { L2_TO_L1_MESSAGE_PASSER } from '../model/l2/l2.ts'
import type { UnsignedTransaction } from '../model/transaction/transaction.ts'

/** Returns whether a withdrawal was initiated in the block. */
export function hasWithdrawal(block: Block): boolean {
  for (const { log } of logsOf(block)) if (log.address === L2_TO_L1_MESSAGE_PASSER) return true
  return false
}

interface Output {
  readonly version: Hash
  readonly stateRoot: Hash
  /** The storage root of L2ToL1MessagePasser. */
  readonly withdrawalStorageRoot: Hash
  readonly outputRoot: Hash
}

/** Returns the output of an L2 block (specs.optimism.io `protocol/proposals.html`, version 0). */
export function outputOf({ block: { header, hash }, state }: Moment): Output {
  const { stateRoot } = header
  const withdrawalStorageRoot = toHex(state.storageRoot(state.record(L2_TO_L1_MESSAGE_PASSER)!))
  const parts = [ZERO_HASH, stateRoot, withdrawalStorageRoot, hash]
  const outputRoot = keccakHash(concatenate(parts.map(fromHex)))
  return { version: ZERO_HASH, stateRoot, withdrawalStorageRoot, outputRoot }
}

/** The game type of permissioned games, PERMISSIONED_CANNON. */
const GAME_TYPE = 1n
/** More than a game needs, and more than a gas unit costs on an L1 without congestion. */
const GAS_LIMIT = 500_000n
const MAX_FEE_PER_GAS = 1_000_000_000_000n

/** Returns the call `create(uint32 gameType, bytes32 rootClaim, bytes extraData)` of `factory` for an L2 block. */
export function proposalOf(
  l2: Moment,
  { factory, chainId, nonce }: { factory: Address; chainId: bigint; nonce: bigint },
): UnsignedTransaction {
  const words = [
    toWord(GAME_TYPE),
    fromHex(outputOf(l2).outputRoot),
    toWord(96n),
    toWord(32n),
    toWord(l2.block.header.number),
  ]
  return {
    type: 2,
    chainId,
    nonce,
    gasLimit: GAS_LIMIT,
    to: factory,
    value: 0n,
    data: concatenate([fromHex('0x82ecf2f6'), ...words]),
    maxFeePerGas: MAX_FEE_PER_GAS,
    maxPriorityFeePerGas: 0n,
    accessList: [],
    authorizationList: [],
  }
}
