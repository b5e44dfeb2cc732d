/**
 * Selects the ticks of a long span of time that are made. Each tick makes a slice, and most make a block that is
 * kept, so that a year of ticks takes hours; but nearly all of these blocks would be empty, and differ in number and
 * time only.
 */

/** The most ticks of a span that are all made. */
export const EACH_TICK = 5_000

interface Blocks {
  readonly ticksPerBlock: number
  readonly finalizedDistance: number
}

/**
 * A span of time to advance. If it has more than `EACH_TICK` ticks, they are made until nothing has happened for as
 * long as it takes to finalize a block; of the rest, those of the last two blocks are made, so that the newest has
 * the time of the span's end.
 */
export class LongSpan {
  /** Ticks of each block. */
  readonly #ticks: number
  /** Number of ticks at rest that are made before others are left out. */
  readonly #enough: number
  #resting = 0
  #isOver: boolean

  /** `ticks`: the number of ticks that fall due in the span. */
  constructor(ticks: number, { ticksPerBlock, finalizedDistance }: Blocks) {
    this.#ticks = Math.max(1, ticksPerBlock)
    this.#enough = (finalizedDistance + 1) * this.#ticks
    this.#isOver = ticks <= EACH_TICK
  }

  /**
   * Returns how many of the `due` ticks are left out now, if the chain `isAtRest`. These are whole blocks, so that
   * the open block has the same number of slices at the end as with all ticks.
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
