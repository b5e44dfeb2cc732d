/** Which methods a client asks. */
import type { Transport } from 'viem'

/** The same transport, and whether a method was asked and answered over it. */
export function overhear(transport: Transport) {
  const methods = new Set<string>()
  const overheard = ((config) => {
    const inner = transport(config)
    const request = async (...args: Parameters<typeof inner.request>) => {
      const answer = await inner.request(...args)
      methods.add((args[0] as { method: string }).method)
      return answer
    }
    return { ...inner, request }
  }) as Transport
  return { overheard, asked: (method: string) => methods.has(method) }
}
