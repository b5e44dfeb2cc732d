export const FIRST_FIXTURE = 'the first devnet, and a fixture built on it'

/** What a file of tests waits for before and in its first tests, in their order. */
export const STEPS = [
  'import viem',
  'import preseal/testing',
  FIRST_FIXTURE,
  'the first test',
  'the second test',
] as const

/** Milliseconds of each. */
export type Steps = Readonly<Record<(typeof STEPS)[number], number>>
