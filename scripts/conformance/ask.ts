/** Asking over HTTP as hive does: whatever the status is, the body counts. */
import type { Ask } from './play.ts'

/** How long hive waits for a response. */
const PATIENCE_MS = 5_000

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
