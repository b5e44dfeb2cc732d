/**
 * Which ticks of a long span of time are made. Each tick makes a slice and most make a block that is kept, so that a year of
 * them takes hours; but nearly all of those blocks would be empty, and differ in nothing but number and time.
 */

/** The ticks of a span up to here are all made. */
export const EACH_TICK = 5_000

interface Blocks {
  readonly ticksPerBlock: number
  readonly finalizedDistance: number
}

/**
 * A span that time is moved by. Where it has more than `EACH_TICK` ticks, they are made until nothing has happened for as long as
 * it takes to finalize a block; of the rest the last two blocks' are made, so that the newest has the time of the span's end.
 */
export class LongSpan {
  /** Of each block. */
  readonly #ticks: number
  /** How many ticks at rest are made before some are left out. */
  readonly #enough: number
  #resting = 0
  #isOver: boolean

  /** `ticks` fall due in it. */
  constructor(ticks: number, { ticksPerBlock, finalizedDistance }: Blocks) {
    this.#ticks = Math.max(1, ticksPerBlock)
    this.#enough = (finalizedDistance + 1) * this.#ticks
    this.#isOver = ticks <= EACH_TICK
  }

  /**
   * How many of the `due` ticks are left out now, where the chain `isAtRest`. It is whole blocks, so that the open block has
   * as many slices at the end as it would have with all of them.
   */
  leftOut(isAtRest: boolean, due: number): number {
    if (this.#isOver) return 0
    this.#resting = isAtRest ? this.#resting + 1 : 0
    if (this.#resting <= this.#enough) return 0
    this.#isOver = true
    const blocks = Math.floor(due / this.#ticks) - 2
    return Math.max(0, blocks) * this.#ticks
  }
}
