/** Asks whoever listens at a URL over HTTP. */

/** Resolves to the result of a request; `undefined` where the response is an error. */
export async function askAt<T = unknown>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: T }).result
}
