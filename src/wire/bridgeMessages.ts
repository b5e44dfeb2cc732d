/** Parameters and results of the methods of a bridge: `preseal_getBridge`, `preseal_getBridgeMessages`, `preseal_listEpochs`. */
import type { Address, Hash, Hex } from '../bytes/hex.ts'
import { type Block, briefOf, transactionCount } from '../model/block/block.ts'
import type { BridgeMessage, BridgeStep } from '../model/l2/bridgeMessage.ts'
import { encodeQuantity } from './hex.ts'
import { parseCount, withDefault } from './parser.ts'
import { limitOf, partOf } from './parts.ts'

/** The two chains of a bridge. `chain` is the one that answers. */
export interface RpcBridge {
  readonly chain: 'l1' | 'l2'
  readonly l1: RpcBridgeChain
  readonly l2: RpcBridgeChain
  /** The contract on L1 that takes deposits and pays withdrawals. */
  readonly portal: Address
}

interface RpcBridgeChain {
  readonly chainId: Hex
  readonly pageUrl: string | null
}

/** The newest L1 blocks, each with the L2 blocks that have it as their L1 origin. */
export interface RpcEpochs {
  readonly l1: RpcHeads
  readonly l2: RpcHeads
  readonly epochs: readonly RpcEpoch[]
}

type RpcHeads = Readonly<Record<'latest' | 'safe' | 'finalized', Hex>>

export interface RpcEpoch extends RpcEpochBlock {
  /** The number of L2 blocks of the epoch, of which `blocks` has the newest, newest first. */
  readonly blockCount: Hex
  readonly blocks: readonly RpcEpochBlock[]
}

export interface RpcEpochBlock {
  readonly number: Hex
  readonly timestamp: Hex
  readonly transactionCount: Hex
}

export function encodeEpochBlock(block: Block): RpcEpochBlock {
  const { number, timestamp } = briefOf(block)
  return {
    number: encodeQuantity(number),
    timestamp: encodeQuantity(timestamp),
    transactionCount: encodeQuantity(transactionCount(block)),
  }
}

export const parseEpochPart = partOf({ limit: limitOf(10, 100) })

export const parseMessagePart = partOf({ limit: limitOf(100, 1_000), offset: withDefault(parseCount, 0) })

export interface RpcBridgeMessage {
  readonly kind: BridgeMessage['kind']
  readonly status: BridgeMessage['status']
  readonly nextStepAt: Hex | null
  readonly id: Hash
  readonly from: Address
  readonly to: Address | null
  readonly value: Hex
  readonly mint: Hex | null
  readonly token: { readonly l1: Address; readonly l2: Address; readonly amount: Hex } | null
  readonly steps: readonly RpcBridgeStep[]
}

interface RpcBridgeStep extends Pick<BridgeStep, 'name' | 'chain' | 'transactionHash' | 'state'> {
  readonly blockNumber: Hex
  readonly timestamp: Hex
  readonly status: 'success' | 'failed'
}

export function encodeBridgeMessage(message: BridgeMessage): RpcBridgeMessage {
  const { kind, status, nextStepAt, id, content, mint, steps } = message
  const { from, to = null, value, token } = content
  return {
    kind,
    status,
    nextStepAt: nextStepAt === undefined ? null : encodeQuantity(nextStepAt),
    id,
    from,
    to,
    value: encodeQuantity(value),
    mint: mint === undefined ? null : encodeQuantity(mint),
    token: token === undefined ? null : { ...token, amount: encodeQuantity(token.amount) },
    steps: steps.map(({ name, chain, transactionHash, blockNumber, timestamp, state, hasFailed }) => ({
      name,
      chain,
      transactionHash,
      blockNumber: encodeQuantity(blockNumber),
      timestamp: encodeQuantity(timestamp),
      state,
      status: hasFailed ? 'failed' : 'success',
    })),
  }
}
