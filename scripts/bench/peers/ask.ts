/** One JSON-RPC question over HTTP, for setting up a peer: convenient, and not to be timed. */
export async function ask(
  url: string,
  { method, params = [] }: { method: string; params?: unknown },
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}
