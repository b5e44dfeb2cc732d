/** One JSON-RPC request over HTTP: convenient, and not to be timed. Rejects with the method and the message of an error. */
export async function ask(url: string, method: string, params: unknown = []): Promise<unknown> {
  const answer = await answerOf(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  const { result, error } = JSON.parse(answer) as { result?: unknown; error?: { message: string } }
  if (error !== undefined) throw new Error(`${method}: ${error.message}`)
  return result
}

export async function answerOf(url: string, body: string, patienceMs = 300_000): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(patienceMs)
  const response = await fetch(url, { method: 'POST', headers, body, signal })
  return response.text()
}
