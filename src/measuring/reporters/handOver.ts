/** How a setup file of vitest hands what it measured to a reporter (`vitest.ts`). */
import { afterAll } from 'vitest'

/** Hands over what `make` returns as `key`, when all tests and hooks of the test file have ended. */
export function handOverAtEnd(key: string, make: () => object | Promise<object>): void {
  /** vitest calls a hook with the test file as its last argument, to which `meta` belongs. */
  async function handOver(...args: readonly unknown[]): Promise<void> {
    Object.assign((args.at(-1) as { meta: object }).meta, { [key]: await make() })
  }
  // It is the first hook, so vitest calls it last. Bound, because vitest 4.1 reads parameters in the text of a hook.
  afterAll(handOver.bind(undefined) as () => Promise<void>)
}
