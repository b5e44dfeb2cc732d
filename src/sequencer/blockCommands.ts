/** The commands that make blocks: ticks, sealing, mining and reorgs. */

import type { ReorgOutcome } from '../chain/moment.ts'
import { userTransactions } from '../model/block/block.ts'
import { TimeLimitExceeded, Work, WorkCancelled } from '../work/work.ts'
import { yieldToEventLoop } from './clock.ts'
import type { CommandContext } from './context.ts'
import type { Progress } from './events.ts'
import { plan } from './plan.ts'
import type { ReorgRequest } from './reorg.ts'
import { GRANTED, type Steering, type TimestampOutcome } from './steering.ts'

/** If at most this many ticks are due, `advance` makes every tick. */
const MAX_TICKS_WITHOUT_SKIPS = 5_000

type Blocks = Pick<CommandContext, 'ticksPerBlock' | 'finalizedDistance' | 'derivation'>

/**
 * Selects the ticks that a long `advance` skips. It skips none before the block of the last change is finalized (beside an L1,
 * whose blocks finalize it: before the block after it), and none in the last two blocks of the `advance`.
 */
class TickSkipper {
  readonly #ticks: number
  /** Ticks are skipped after more than this number of consecutive ticks that change nothing. */
  readonly #enough: number
  #resting = 0
  #isOver: boolean

  constructor(ticks: number, { ticksPerBlock, finalizedDistance, derivation }: Blocks) {
    this.#ticks = Math.max(1, ticksPerBlock)
    this.#enough = (derivation === undefined ? finalizedDistance + 1 : 1) * this.#ticks
    this.#isOver = ticks <= MAX_TICKS_WITHOUT_SKIPS
  }

  /** Returns how many of `due` ticks to skip: whole blocks, so that the open block keeps its number of slices. */
  ticksToSkip(isAtRest: boolean, due: number): number {
    if (this.#isOver) return 0
    this.#resting = isAtRest ? this.#resting + 1 : 0
    if (this.#resting <= this.#enough) return 0
    this.#isOver = true
    const blocks = Math.floor(due / this.#ticks) - 2
    return Math.max(0, blocks) * this.#ticks
  }
}

/** A command of at most this many steps runs as a whole: no other command runs between its steps. */
const MAX_UNDIVIDED_STEPS = 256

export interface Mining {
  readonly blocks: number
  readonly intervalSeconds: number
}

const ONE_BLOCK: Mining = { blocks: 1, intervalSeconds: 0 }

export class BlockCommands {
  readonly #context: CommandContext
  readonly #steering: Steering
  #isStopped = false
  #afterReorg: (() => Promise<void>) | undefined
  #ticks = 0

  constructor(context: CommandContext, steering: Steering) {
    this.#context = context
    this.#steering = steering
  }

  get ticks(): number {
    return this.#ticks
  }

  /** Ends `mine` after its current block. */
  stop(): void {
    this.#isStopped = true
  }

  tick(): Promise<void> {
    return this.#context.queue.add(() => this.#tick())
  }

  /** Makes one tick, unless `isNeeded` returns false when the command begins. */
  tickIf(isNeeded: () => boolean): Promise<void> {
    return this.#context.queue.add(async () => {
      if (isNeeded()) await this.#tick()
    })
  }

  /** Moves time forward, and makes the ticks that fall due. Skips the ticks that `TickSkipper` selects. */
  advance(ms: number): Promise<void> {
    const { clock, derivation, sealEmptyBlocks } = this.#context
    return this.#context.queue.add(async () => {
      const target = clock.nowMs + ms
      const span = new TickSkipper(this.#ticksUntil(target), this.#context)
      for (let ticks = 1; this.#ticksUntil(target) > 0; ticks++) {
        await this.#tick()
        const isAtRest =
          this.#context.deviations.planned === 0 && this.#context.upcoming.isAtRest(sealEmptyBlocks)
        const leftOut = span.ticksToSkip(isAtRest, this.#ticksUntil(target))
        if (leftOut > 0) await clock.step(() => clock.skip(leftOut * clock.tickMs))
        if (ticks % 1_000 === 0) await yieldToEventLoop()
      }
      await clock.step(() => clock.moveTo(target))
      // Otherwise the L1 follows when a tick opens a block.
      if (clock.rhythm === 'instant') await derivation?.follow(clock.seconds)
    })
  }

  /** Seals the open block as it is; without an open block, seals an empty block. Runs no waiting transactions. */
  seal(): Promise<void> {
    const { chain } = this.#context
    return this.#context.queue.add(() =>
      this.#context.maker.do(chain.open === undefined ? ['open', 'seal'] : ['seal']),
    )
  }

  /**
   * Mines `blocks` blocks: runs the waiting transactions into the open block and seals the block. `timestamp` sets the
   * time of the next block as `setNextTimestamp` does; if refused, no block is mined. While more than 256 blocks
   * are mined, ticks and other commands may run between blocks. Closing the devnet ends the mining early, and so does
   * the time limit of `work`: the promise then rejects with `TimeLimitExceeded`, and the mined blocks stay.
   */
  async mine(
    { blocks, intervalSeconds }: Mining = ONE_BLOCK,
    timestamp?: bigint,
    work?: Work,
  ): Promise<TimestampOutcome> {
    const { clock } = this.#context
    let outcome: TimestampOutcome = GRANTED
    let mined = 0
    const step = async () => {
      if (mined === 0 && timestamp !== undefined) {
        outcome = await this.#steering.tryTime(timestamp)
        if (outcome.kind !== 'granted') return blocks
      }
      if (mined > 0 && intervalSeconds > 0) await clock.step(() => clock.shift(intervalSeconds * 1_000))
      await this.#context.maker.mine()
      return ++mined
    }
    try {
      await this.#inParts('mine', blocks, step, work)
    } catch (error) {
      if (error instanceof TimeLimitExceeded) error.done = `${mined} of ${blocks} blocks`
      if (!(error instanceof WorkCancelled)) throw error
    }
    return outcome
  }

  /** Mines one block, unless `isNeeded` returns false when the command begins. */
  mineIf(isNeeded: () => boolean): Promise<void> {
    return this.#context.queue.add(async () => {
      if (isNeeded()) await this.#context.maker.mine()
    })
  }

  /** Replaces the newest `depth` sealed blocks by `request.blocks` new blocks, by default by `depth` blocks. */
  async reorg(request: ReorgRequest): Promise<ReorgOutcome> {
    const { queue, maker, chain } = this.#context
    const outcome = await queue.add<ReorgOutcome>(async () => {
      const { removable, forkBlock } = chain
      if (request.depth > removable) return { kind: 'tooDeep', room: { removable, forkBlock } }
      return { kind: 'reorged', removed: await maker.reorg(request) }
    })
    await this.#afterReorg?.()
    return outcome
  }

  /** Makes `reorg` also wait for the L2 beside this chain. */
  afterReorg(wait: () => Promise<void>): void {
    this.#afterReorg = wait
  }

  /** Replaces the blocks to which the L1 no longer leads. */
  rederive(): Promise<void> {
    const { queue, maker, derivation } = this.#context
    return queue.add(async () => {
      await derivation!.idle()
      await maker.rederive()
    })
  }

  /**
   * Runs a command of `total` steps. `step` runs one step, and returns how many are finished. The command pauses after
   * a time slice of the event loop, so that reads are answered. With more than `MAX_UNDIVIDED_STEPS` steps, ticks and
   * other commands run in the pauses, too. A recording or replay that watches the queue needs whole commands: then
   * nothing runs in the pauses, and the time limit of `limited` does not apply.
   */
  async #inParts(
    name: Progress['work'],
    total: number,
    step: () => Promise<number>,
    limited?: Work,
  ): Promise<void> {
    const { listeners } = this.#context
    const work = (this.#context.queue.isWatched ? undefined : limited) ?? new Work()
    let done = 0
    let isLong = false
    let pause: Promise<void> | undefined
    const part = async () => {
      pause = undefined
      while (done < total && !this.#isStopped) {
        done = await step()
        pause = done < total ? work.pause() : undefined
        if (pause === undefined) continue
        isLong = true
        listeners.emit('progress', { work: name, done, total })
        if (total > MAX_UNDIVIDED_STEPS && !this.#context.queue.isWatched) return
        await pause
      }
    }
    do {
      await this.#context.queue.add(part)
      await pause
    } while (done < total && !this.#isStopped)
    if (isLong) listeners.emit('progress', { work: name, done: total, total })
  }

  #ticksUntil(targetMs: number): number {
    const { rhythm, nextTickMs, tickMs } = this.#context.clock
    if (rhythm === 'instant' || nextTickMs > targetMs) return 0
    return Math.floor((targetMs - nextTickMs) / tickMs) + 1
  }

  async #tick(): Promise<void> {
    const { chain, clock, queue, ticksPerBlock, sealEmptyBlocks } = this.#context
    await clock.step(() => clock.tick())
    this.#ticks++
    const { open } = chain
    const planned = queue.prepare(() =>
      plan({
        open: open && { slices: open.slices, transactions: userTransactions(open.block).length },
        ticksPerBlock,
        sealEmptyBlocks,
        hasReady: () => this.#context.upcoming.hasReady(),
      }),
    )
    const steps = planned instanceof Promise ? await planned : planned
    await this.#context.maker.do(steps, sealEmptyBlocks ? 'seal' : 'leave')
  }
}
