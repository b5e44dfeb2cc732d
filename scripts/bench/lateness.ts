/** How late ticks come. */
import type { Devnet } from '../../src/index.ts'

/**
 * Calls `tell` with the milliseconds by which each slice came after its time, until the answered function is called. Of a
 * devnet whose rhythm is `interval`.
 */
export function watchLateness(devnet: Devnet, tell: (lateMs: number) => void): () => void {
  let before: number | undefined
  return devnet.on('preconfirmed', () => {
    const { nowMs, lastTickMs } = devnet.snapshot().mark.clock
    // Some chains open a block with a slice of its own, in the tick of the first.
    if (lastTickMs === before) return
    // The tick that was due after the one before: one that is very late begins a new count.
    // Timers may come a millisecond early: they and the clock are rounded to whole ones.
    if (before !== undefined) tell(Math.max(0, nowMs - before - devnet.settings.tickMs))
    before = lastTickMs
  })
}
