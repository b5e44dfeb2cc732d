/** The verdicts of the soak tests: broken promises, and the lateness of ticks with the processor time of each. */
import type { Devnet } from '../../src/index.ts'
import { watchLateness } from '../bench/watching.ts'

/** A promise that does not hold; the message says which. */
export class Broken extends Error {
  override readonly name = 'Broken'
}

/** Whether other programs run on the machine. */
export type Machine = 'own' | 'shared'

export class Ticks {
  readonly stop: () => void
  readonly #devnet: Devnet
  readonly #seen: { readonly lateMs: number; readonly busyMs: number }[] = []

  constructor(devnet: Devnet) {
    this.#devnet = devnet
    let before = process.cpuUsage()
    this.stop = watchLateness(devnet, (lateMs) => {
      const { user, system } = process.cpuUsage(before)
      before = process.cpuUsage()
      this.#seen.push({ lateMs, busyMs: Math.round((user + system) / 1_000) })
    })
  }

  /**
   * Throws if a tick was late by more than a tick. Not to be called on a `shared` machine, where a tick waits for a
   * processor and finds its caches emptied.
   */
  judge(): void {
    const { tickMs } = this.#devnet.settings
    const worst = this.#seen.toSorted((a, b) => b.lateMs - a.lateMs)[0]!
    if (worst.lateMs <= tickMs) return
    // A process that was busy for less time than it was late had to wait for a processor.
    throw new Broken(
      `a tick was ${worst.lateMs} ms late, it should be at most ${tickMs}; ` +
        `its process was busy for ${worst.busyMs} ms since the one before (all ticks: ${this})`,
    )
  }

  toString(): string {
    const sorted = this.#seen.map(({ lateMs }) => lateMs).sort((a, b) => a - b)
    const [median, nearly, most] = [0.5, 0.99, 1].map((part) => sorted[Math.ceil(sorted.length * part) - 1])
    return `${median} ms at the median, ${nearly} ms for 99 % of them, ${most} ms at most`
  }
}
