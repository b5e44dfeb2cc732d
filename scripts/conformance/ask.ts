/** Asking over HTTP as hive does: whatever the status is, the body counts. */
import type { Ask } from './play.ts'

/** hive waits for 5 s, on a machine that has nothing else to do. */
const PATIENCE_MS = 60_000

export function askOverHttp(url: string): Ask {
  return async (body) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return response.text()
  }
}
