/** The commands that replace the whole chain: reverting to a snapshot, loading a state file, resetting. */

import { type ChainState, initialChainState } from '../chain/chain.ts'
import { History } from '../chain/history.ts'
import { hasState, type Moment, type UnknownState } from '../chain/moment.ts'
import type { PoolContents } from '../pool/pool.ts'
import type { Outages } from './block/deviations.ts'
import { type Cheats, firstCheats } from './cheats.ts'
import type { ClockMark } from './clock.ts'
import type { CommandContext } from './context.ts'

/** All data that commands change, as an immutable value. Snapshots are marks. */
export interface Mark {
  readonly chain: ChainState
  readonly pool: PoolContents
  readonly clock: ClockMark
  readonly cheats: Cheats
  /** The mark of the L1, if one exists (`Derivation`). */
  readonly l1?: L1Mark | undefined
}

export interface L1Mark extends Mark {
  readonly outages: Outages
}

export class Marks {
  readonly #context: CommandContext
  readonly #snapshots = new Map<bigint, Mark>()
  #lastSnapshot = 0n
  /** The block to which `reset` returns. `undefined`: the first block. */
  start: Moment | undefined

  constructor(context: CommandContext) {
    this.#context = context
  }

  get now(): Mark {
    const { chain, pool, clock, derivation } = this.#context
    return {
      chain: chain.state,
      pool: pool.contents,
      clock: clock.mark,
      cheats: this.#context.upcoming.cheats,
      ...(derivation === undefined ? {} : { l1: derivation.mark as L1Mark }),
    }
  }

  get snapshots(): ReadonlyMap<bigint, Mark> {
    return this.#snapshots
  }

  /** Takes a snapshot. Returns its id, which is never reused. */
  snapshot(): Promise<bigint> {
    return this.#context.queue.add(async () => {
      const id = ++this.#lastSnapshot
      this.#snapshots.set(id, this.now)
      return id
    })
  }

  /** Restores a snapshot. Removes this and all later snapshots. Returns whether the snapshot existed. */
  revert(id: bigint): Promise<boolean> {
    return this.#context.queue.add(async () => {
      const mark = this.#snapshots.get(id)
      if (mark === undefined) return false
      for (const other of this.#snapshots.keys()) if (other >= id) this.#snapshots.delete(other)
      await this.#restore(mark)
      return true
    })
  }

  restore(mark: Mark): Promise<void> {
    return this.#context.queue.add(() => this.#restore(mark))
  }

  /**
   * Continues from the mark of another devnet. A manual clock takes the mark's time. Any other clock takes the latest
   * of its own time, the mark's time and the newest block's time.
   */
  load(mark: Mark): Promise<void> {
    const { clock, autoImpersonates } = this.#context
    return this.#context.queue.add(async () => {
      const { timestamp } = mark.chain.history.latest.block.header
      const impersonatesAll = mark.cheats.impersonatesAll || autoImpersonates === true
      const cheats = { ...mark.cheats, impersonatesAll }
      await this.#restore({ ...mark, cheats, clock: clock.continuing(mark.clock, Number(timestamp) * 1_000) })
    })
  }

  /**
   * Resets the chain to `start`, or replaces it by a chain that begins with `first`. Removes all transactions and
   * snapshots, and keeps the rhythm. Returns `UnknownState` if the first block's state is unknown.
   */
  reset(first?: Moment): Promise<UnknownState | undefined> {
    const { chain, pool, clock, listeners } = this.#context
    return this.#context.queue.add(async () => {
      const origin = first ?? this.start ?? chain.state.history.origin
      if (!hasState(origin)) return origin
      await this.#context.derivation?.restore()
      chain.restore(initialChainState(History.of(origin)))
      pool.clear()
      this.#context.upcoming.cheats = firstCheats(this.#context)
      this.#snapshots.clear()
      clock.rewind(Number(origin.block.header.timestamp) * 1_000)
      listeners.emit('restored')
      return undefined
    })
  }

  async #restore(mark: Mark): Promise<void> {
    const { chain, pool, clock, listeners, derivation } = this.#context
    if (derivation !== undefined) await derivation.restore(mark.l1)
    chain.restore(mark.chain)
    pool.restore(mark.pool)
    clock.restore(mark.clock)
    this.#context.upcoming.cheats = mark.cheats
    listeners.emit('restored')
  }
}
