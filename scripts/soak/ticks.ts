/** How late the ticks came, and for how long this process was busy with each. */
import type { Devnet } from '../../src/index.ts'
import { watchLateness } from '../bench/lateness.ts'
import { Broken } from './broken.ts'

/** Whether anything else runs on it. */
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
   * Throws for one that was late by more than a tick: on a machine of its own. On one that is `shared` a tick waits for a
   * processor, and takes as long as others leave of its caches: how late they were is told only.
   */
  judge(): void {
    const { tickMs } = this.#devnet.settings
    const worst = this.#seen.toSorted((a, b) => b.lateMs - a.lateMs)[0]!
    if (worst.lateMs <= tickMs) return
    // A process that was busy for less than it was late had to wait for a processor: the machine had more to do.
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
