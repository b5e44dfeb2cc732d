import { withoutUrls } from './secrets.ts'
import { failed, type Reply, type RpcCall, type Transport, unreachable } from './transport.ts'

export interface UpstreamProvider {
  request(args: { method: string; params?: unknown }): Promise<unknown>
}

/** Returns a transport that sends requests concurrently, because an EIP-1193 provider takes no batches. */
export function providerTransport(provider: UpstreamProvider): Transport {
  return {
    name: 'provider',
    takesBatches: false,
    scrub: withoutUrls,
    exchange: (payload, signal) =>
      new Promise((resolve) => {
        const call = payload as RpcCall
        const stop = () => resolve(unreachable('no answer'))
        signal.addEventListener('abort', stop)
        const settle = (reply: Reply) => {
          signal.removeEventListener('abort', stop)
          resolve(reply)
        }
        callProvider(provider, call).then(
          (result) => settle(json({ id: call.id, result: result ?? null })),
          (error: unknown) => settle(replyOf(error, call)),
        )
      }),
    close() {},
  }
}

/** Calls the provider. A synchronous exception becomes a rejection. */
async function callProvider(provider: UpstreamProvider, { method, params }: RpcCall): Promise<unknown> {
  return await provider.request({ method, params })
}

function json(value: unknown): Reply {
  return { kind: 'json', value }
}

/** Returns the innermost cause that has a code, if any, as the node's error, because clients wrap the node's errors. */
function replyOf(error: unknown, { id }: RpcCall): Reply {
  let innermost: { code: number; message: string; data?: unknown } | undefined
  let status: number | undefined
  for (let at = error, depth = 0; depth < 8 && typeof at === 'object' && at !== null; depth++) {
    const found = at as Record<string, unknown>
    if (typeof found.status === 'number') status = found.status
    // These codes mean a disconnected provider (EIP-1193), or an unknown error in viem.
    if (typeof found.code === 'number' && ![-1, 4900, 4901].includes(found.code)) {
      const message = [found.details, found.shortMessage, found.message].find(
        (text) => typeof text === 'string',
      )
      const data = found.data ?? innermost?.data
      innermost = {
        code: found.code,
        message: String(message ?? ''),
        ...(data === undefined ? {} : { data }),
      }
    }
    at = found.cause
  }
  if (innermost !== undefined) return json({ id, error: innermost })
  if (status === undefined) return unreachable('an error without a code')
  const isTransient = status === 429 || status === 408 || status >= 500
  return failed({ kind: status === 429 ? 'rateLimited' : 'httpStatus', came: `HTTP ${status}`, isTransient })
}
