/** The error for a state file that cannot be loaded. */

/**
 * Rejection of `devnet.load`: the line and path in the file, what was expected there, and what was found. The chain
 * does not change.
 */
export class LoadFailed extends Error {
  /** The line in the file, counted from 1. */
  readonly line: number
  /** The form that was expected there. */
  readonly expected: string
  /** The text or value that was found. */
  readonly received: string

  /** `path` is the place within the line, such as `storage[3]`. */
  constructor(line: number, expected: string, received: string, path = '') {
    const where = path === '' ? `line ${line}` : `line ${line}: ${path}`
    super(`${where}: expected ${expected}, got ${received}`)
    this.name = 'LoadFailed'
    this.line = line
    this.expected = expected
    this.received = received
  }
}
