/** Stack traces as a test reads them. */

/** The frames of an error's stack trace, innermost first: `file:line` of each. */
export function framesOf(error: unknown): string[] {
  const { stack = '' } = error as Error
  return [...stack.matchAll(/\n {4}at .*?([^/\s(]+):(\d+):\d+\)?/g)].map(
    ([, file, line]) => `${file}:${line}`,
  )
}

/** Where the code stands that calls this, as `file:line`. */
export function here(): string {
  return framesOf(new Error('here'))[1]!
}

/** What `call` rejects with. */
export async function rejection(call: () => Promise<unknown>): Promise<Error> {
  try {
    await call()
  } catch (error) {
    return error as Error
  }
  throw new Error(`expected a rejection of ${call}`)
}

/** The Solidity frames of an error's stack trace, innermost first, without `at`. */
export function solidityLines({ stack = '' }: Error): string[] {
  return [...stack.matchAll(/\n {4}at (.*\.sol:\d+:\d+\))/g)].map(([, line]) => line!)
}
