/** Requests whose answers are read before anybody keeps them. */
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'

/**
 * Sends requests together, and returns what `read` makes of the answers. A cache calls `read` before it keeps any answer; where none
 * is, it is called here. Rejects as `Upstream.send` does, and with what `read` throws.
 */
export async function sendChecked<T>(
  upstream: Upstream,
  requests: readonly UpstreamRequest[],
  read: (answers: readonly UpstreamAnswer[]) => T,
): Promise<T> {
  let found: { readonly value: T } | undefined
  const answers = await upstream.send(requests, (all) => {
    found = { value: read(all) }
  })
  return found === undefined ? read(answers) : (found as { readonly value: T }).value
}
