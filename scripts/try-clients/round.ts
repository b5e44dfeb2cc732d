/** One round of a client: who asks whom. */

export interface Round {
  readonly url: string
  readonly account: { readonly address: `0x${string}`; readonly privateKey: `0x${string}` }
  /** A folder of the round's own. */
  readonly folder: string
}

/** Throws unless `received` is `expected`. */
export function expectEqual(what: string, received: unknown, expected: unknown): void {
  if (received !== expected) throw new Error(`${what}: expected ${expected}, got ${received}`)
}
