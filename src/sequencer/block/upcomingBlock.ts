/** The block that will include the next transaction: its position, rules, prices and overrides. */
import type { Address } from '../../bytes/hex.ts'
import type { Chain } from '../../chain/chain.ts'
import type { Evms } from '../../engine/evm.ts'
import { isEmpty } from '../../model/block/block.ts'
import { type BlockFees, feesAfter, feesOf, nextBaseFee, nextExcessBlobGas } from '../../model/block/fees.ts'
import { type Header, prevRandao } from '../../model/block/header.ts'
import type { Listeners } from '../../model/collections/listeners.ts'
import type { BlockPosition } from '../../model/hardfork/forkSchedule.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { type GasPrices, inOrder } from '../../pool/order.ts'
import type { Pool } from '../../pool/pool.ts'
import { readTogether } from '../../state/fetchingView.ts'
import { blockSeconds, type Cheats, withOverrides } from '../cheats.ts'
import type { Clock } from '../clock.ts'
import type { Events } from '../events.ts'
import { type BlockSettings, nextHeader, nextPosition } from './openBlock.ts'

export interface UpcomingBlockOptions {
  readonly evms: Evms
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
  readonly listeners: Listeners<Events>
  readonly block: BlockSettings
  readonly minBlockSeconds?: bigint
}

/** Greater than any block number. After a reorg, `prevRandao` is derived from this number plus the count of reorgs. */
const BRANCHES = 2n ** 128n

export class UpcomingBlock {
  readonly #options: UpcomingBlockOptions
  #cheats: Cheats

  constructor(options: UpcomingBlockOptions, cheats: Cheats) {
    this.#options = options
    this.#cheats = cheats
  }

  get cheats(): Cheats {
    return this.#cheats
  }

  set cheats(cheats: Cheats) {
    this.#cheats = cheats
    this.tellChange()
  }

  get coinbase(): Address {
    return this.#cheats.coinbase ?? this.#options.block.coinbase
  }

  tellChange(): void {
    this.#options.listeners.emit('cheatsChanged')
  }

  get evms(): Evms {
    return this.#options.evms.withChainId(this.#cheats.chainId)
  }

  /** Number, timestamp and difficulty of the open block or, if there is none, of a block that would be opened now. */
  get position(): BlockPosition {
    const { open } = this.#options.chain
    return open?.block.header ?? this.#positionAfterLatest
  }

  get rules(): Rules {
    return this.evms.at(this.position).rules
  }

  get gasLimit(): bigint {
    return this.#cheats.next.gasLimit ?? this.#options.chain.tip.block.header.gasLimit
  }

  /** The fees of the open block, or of a block that would be opened now. Computing a header would take longer. */
  get fees(): BlockFees {
    const { open, latest } = this.#options.chain
    const { rules } = this
    if (open !== undefined) return feesOf(rules, open.block.header)
    const fees = feesAfter(rules, latest.block.header)
    const { baseFeePerGas } = this.#cheats.next
    return baseFeePerGas === undefined ? fees : { ...fees, baseFeePerGas }
  }

  /** The fees of the block; 0 for a fee that its hardfork does not have. */
  get prices(): GasPrices {
    const { baseFeePerGas = 0n, blobBaseFee = 0n } = this.fees
    return { baseFeePerGas, blobBaseFee }
  }

  /** Returns whether any waiting transaction can run in the block. On a fork, may throw `NotFetched`. */
  hasReady(): boolean {
    const { pool, chain } = this.#options
    const order = readTogether(chain.tip.state, (view) => inOrder(pool.contents, view, this.prices))
    return order.next() !== undefined
  }

  /**
   * Returns whether all future blocks will be empty and have the same fees, unless a command changes something. On an L2
   * the base fee may still fall: by a percent per block or less, it would take thousands of blocks to settle.
   */
  isAtRest(sealsEmptyBlocks: boolean): boolean {
    const { open, latest } = this.#options.chain
    if ((open !== undefined && !isEmpty(open.block)) || this.hasReady()) return false
    if (!sealsEmptyBlocks) return true
    const { header } = latest.block
    const { rules } = this
    const [baseFee = 0n, before = 0n] = [nextBaseFee(rules, header), header.baseFeePerGas]
    const isSettled = baseFee === before || (rules.l2 !== undefined && baseFee < before)
    return isSettled && nextExcessBlobGas(rules, header) === header.excessBlobGas
  }

  /** The header of a block opened now after the newest sealed block, with the overrides of the next block. */
  get header(): Header {
    return withOverrides(this.#headerAt(this.#positionAfterLatest), this.#cheats)
  }

  /** Returns the header of a block after the newest sealed block, without the overrides of the next block. */
  plainHeader(timestamp: bigint | undefined): Header {
    const plain = this.#headerAt(
      timestamp === undefined ? this.#positionAfterLatest : this.#positionAt(timestamp),
    )
    return { ...plain, coinbase: this.#cheats.coinbase ?? plain.coinbase }
  }

  #headerAt(position: BlockPosition): Header {
    const { block } = this.#options.chain.latest
    const { rules } = this.evms.at(position)
    return nextHeader(rules, block.header, block.hash, position, this.#settings)
  }

  get #positionAfterLatest(): BlockPosition {
    const { chain, clock } = this.#options
    return this.#positionAt(blockSeconds(this.#cheats, chain.latest.block.header, clock.seconds))
  }

  #positionAt(seconds: bigint): BlockPosition {
    const { chain, minBlockSeconds } = this.#options
    return nextPosition(chain.latest.block.header, seconds, minBlockSeconds)
  }

  /** The settings of new blocks. Each reorg changes the randomness, so that new blocks differ from removed ones. */
  get #settings(): BlockSettings {
    const { block } = this.#options
    const { branch } = this.#cheats
    if (branch === 0) return block
    return { ...block, randaoSeed: prevRandao(block.randaoSeed, BRANCHES + BigInt(branch)) }
  }
}
