/** Something that is done over and over, by the real clock. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Calls `act` so many times, `everyMs` apart, whether what it did before is over or not; what all of them answered. */
export async function pace<T>(times: number, everyMs: number, act: (i: number) => Promise<T>): Promise<T[]> {
  const start = performance.now()
  const acts: Promise<T>[] = []
  for (let i = 0; i < times; ) {
    const earlyMs = start + i * everyMs - performance.now()
    // Where several are due at once, they go out at once.
    if (earlyMs > 0) await sleep(earlyMs)
    else acts.push(act(i++))
  }
  return Promise.all(acts)
}
