/** Waiting for what comes of itself, by polling or over a socket. */
import { vi } from 'vitest'

/** For `vi.waitUntil`, whose own second is little on a busy machine: what does not come within a minute does not come. */
export const SOON = { timeout: 60_000, interval: 5 }

/** What `promise` resolves to, while `push` is done again and again: for clients that may be too late for one block. */
export async function until<T>(promise: PromiseLike<T>, push: () => Promise<void>): Promise<T> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  promise.then(over, over)
  await vi.waitUntil(async () => {
    await push()
    return isOver
  }, SOON)
  return promise
}
