/** The commands that put another chain in the place of this one: snapshots, state files, and the beginning. */

import { beginningWith, type ChainState } from '../chain/chain.ts'
import { History } from '../chain/history.ts'
import { hasState, type Moment, type UnknownState } from '../chain/moment.ts'
import type { PoolContents } from '../pool/pool.ts'
import { type Cheats, firstCheats } from './cheats.ts'
import type { ClockMark } from './clock.ts'
import type { CommandContext } from './context.ts'

/** Snapshots by number, as of `evm_snapshot`: reverting to one removes it. */
class Snapshots<T> {
  readonly #marks = new Map<bigint, T>()
  #last = 0n

  get all(): ReadonlyMap<bigint, T> {
    return this.#marks
  }

  /** Stores `mark`. Returns its id, which is never used again. */
  add(mark: T): bigint {
    const id = ++this.#last
    this.#marks.set(id, mark)
    return id
  }

  /** Returns the mark with this id, or `undefined` if there is none. Removes it and all later ones. */
  take(id: bigint): T | undefined {
    const mark = this.#marks.get(id)
    if (mark === undefined) return undefined
    for (const other of this.#marks.keys()) if (other >= id) this.#marks.delete(other)
    return mark
  }

  clear(): void {
    this.#marks.clear()
  }
}

/** All data that commands change, as a value: the content of a snapshot. */
export interface Mark {
  readonly chain: ChainState
  readonly pool: PoolContents
  readonly clock: ClockMark
  readonly cheats: Cheats
}

export class Marks {
  readonly #context: CommandContext
  readonly #snapshots = new Snapshots<Mark>()

  constructor(context: CommandContext) {
    this.#context = context
  }

  /** The current chain, pool, clock and cheats. */
  get now(): Mark {
    const { chain, pool, clock } = this.#context
    return {
      chain: chain.state,
      pool: pool.contents,
      clock: clock.mark,
      cheats: this.#context.upcoming.cheats,
    }
  }

  /** The snapshots that can be reverted to, by id. */
  get snapshots(): ReadonlyMap<bigint, Mark> {
    return this.#snapshots.all
  }

  /** Keeps a mark of now. Returns its id. */
  snapshot(): Promise<bigint> {
    return this.#context.queue.add(async () => this.#snapshots.add(this.now))
  }

  /** Goes back to a snapshot, which is thereby used up, as are all that were taken after it. Returns whether there was one. */
  revert(id: bigint): Promise<boolean> {
    return this.#context.queue.add(async () => {
      const mark = this.#snapshots.take(id)
      if (mark === undefined) return false
      this.#restore(mark)
      return true
    })
  }

  /** Restores the state of `mark`, earlier or later. */
  restore(mark: Mark): Promise<void> {
    return this.#context.queue.add(async () => this.#restore(mark))
  }

  /** Goes on from where another devnet was. Time that runs here goes on, but is not behind the newest block there. */
  load(mark: Mark): Promise<void> {
    const { clock, autoImpersonates } = this.#context
    return this.#context.queue.add(async () => {
      const { timestamp } = mark.chain.history.latest.block.header
      const impersonatesAll = mark.cheats.impersonatesAll || autoImpersonates === true
      const cheats = { ...mark.cheats, impersonatesAll }
      this.#restore({ ...mark, cheats, clock: clock.continuing(mark.clock, Number(timestamp) * 1_000) })
    })
  }

  /**
   * Goes back to the first block, or to `first` in its place, without any transaction or snapshot; the rhythm stays. Returns
   * why that is impossible, if so.
   */
  reset(first?: Moment): Promise<UnknownState | undefined> {
    const { chain, pool, clock, listeners } = this.#context
    return this.#context.queue.add(async () => {
      const origin = first ?? chain.state.history.origin
      if (!hasState(origin)) return origin
      chain.restore(beginningWith(History.of(origin)))
      pool.clear()
      this.#context.upcoming.cheats = firstCheats(this.#context)
      this.#snapshots.clear()
      clock.rewind(Number(origin.block.header.timestamp) * 1_000)
      listeners.emit('restored')
      return undefined
    })
  }

  #restore(mark: Mark): void {
    const { chain, pool, clock, listeners } = this.#context
    chain.restore(mark.chain)
    pool.restore(mark.pool)
    clock.restore(mark.clock)
    this.#context.upcoming.cheats = mark.cheats
    listeners.emit('restored')
  }
}
