/** Proposals of output roots: each L2 block with a withdrawal gets a dispute game on L1, whose claim is the block's output root. */
import { concatenate } from '../bytes/bytes.ts'
import { fromHex, type Hash, toHex, toWord, ZERO_HASH } from '../bytes/hex.ts'
import { type Chain, isMoment } from '../chain/chain.ts'
import type { Moment } from '../chain/moment.ts'
import { keccakHash } from '../crypto/keccak.ts'
import { type Block, logsOf } from '../model/block/block.ts'
import { PROPOSER } from '../model/l2/l1Addresses.ts'
import { L2_TO_L1_MESSAGE_PASSER } from '../model/l2/l2.ts'
import { impersonate } from '../model/transaction/signedTransaction.ts'
import type { Transaction, UnsignedTransaction } from '../model/transaction/transaction.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import { whenFetched } from '../state/whenFetched.ts'
import type { Bridge } from './bridge.ts'
import { wordAt } from './messageContent.ts'

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

/** The claim of a game. */
interface Claim {
  /** The number of the L2 block. */
  readonly number: bigint
  readonly outputRoot: Hash
}

/** Returns the claim of a transaction that `proposalOf` made. */
export function claimOf({ data }: Pick<Transaction, 'data'>): Claim {
  const args = data.subarray(4)
  return { number: wordAt(args, 4), outputRoot: toHex(args.subarray(32, 64)) }
}

/** More than a game needs, and more than a gas unit costs on an L1 without congestion. */
const GAS_LIMIT = 500_000n
const MAX_FEE_PER_GAS = 1_000_000_000_000n

/** Returns the call `create(uint32 gameType, bytes32 rootClaim, bytes extraData)` of the factory for an L2 block. */
function proposalOf(
  { number, outputRoot }: Claim,
  { disputeGameFactory, gameType, bond }: Bridge,
  { chainId, nonce }: { readonly chainId: bigint; readonly nonce: bigint },
): UnsignedTransaction {
  const words = [toWord(gameType), fromHex(outputRoot), toWord(96n), toWord(32n), toWord(number)]
  return {
    type: 2,
    chainId,
    nonce,
    gasLimit: GAS_LIMIT,
    to: disputeGameFactory,
    value: bond,
    data: concatenate([fromHex('0x82ecf2f6'), ...words]),
    maxFeePerGas: MAX_FEE_PER_GAS,
    maxPriorityFeePerGas: 0n,
    accessList: [],
    authorizationList: [],
  }
}

/** Sends the proposals to the L1. */
export class Proposer {
  readonly #l1: Sequencer
  readonly #bridge: Bridge

  constructor(l1: Sequencer, bridge: Bridge) {
    this.#l1 = l1
    this.#bridge = bridge
  }

  async propose(l2: Moment): Promise<void> {
    const { outputRoot } = await whenFetched(() => outputOf(l2))
    const claim = { number: l2.block.header.number, outputRoot }
    const { submissions, schedule } = this.#l1
    await submissions.submitNext(PROPOSER, (nonce) =>
      impersonate(proposalOf(claim, this.#bridge, { chainId: schedule.chainId, nonce }), PROPOSER),
    )
  }

  /** Proposes an output root again whose game a reorg of the L1 removed, unless the L2 block has changed. */
  async proposeAgain(proposal: Transaction, l2: Chain): Promise<void> {
    const { number, outputRoot } = claimOf(proposal)
    const moment = l2.at({ kind: 'number', number })
    if (!isMoment(moment)) return
    const now = await whenFetched(() => outputOf(moment))
    if (now.outputRoot === outputRoot) await this.propose(moment)
  }
}
