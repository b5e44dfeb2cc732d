/** A devnet as the network of others: an EIP-1193 provider that counts what it is asked. */
import type { Devnet } from '../../../src/index.ts'

/** A request that arrived. */
export interface Asked {
  readonly method: string
  readonly params: readonly unknown[]
}

/** Returns a provider of `network`, and the requests that it got. `before` is awaited before each answer. */
export function askedOf(
  network: Devnet,
  before: (asked: Asked) => Promise<void> | void = () => {},
): { readonly provider: { request(asked: object): Promise<unknown> }; readonly asked: Asked[] } {
  const asked: Asked[] = []
  const provider = {
    async request(request: object) {
      const { method, params = [] } = request as { method: string; params?: readonly unknown[] }
      asked.push({ method, params })
      await before({ method, params })
      return network.request({ method, params: [...params] } as never)
    },
  }
  return { provider, asked }
}

/** Returns the message of the error of a promise. */
export function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: Error) => error.message,
  )
}
