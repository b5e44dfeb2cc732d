/** Why a state file cannot be loaded. */

/** What `devnet.load` rejects with: where in the file, what was expected there, and what came. The chain stays as it was. */
export class LoadFailed extends Error {
  /** Counted from 1. */
  readonly line: number
  readonly expected: string
  readonly received: string

  /** `path`: where in the line, such as `storage[3]`. */
  constructor(line: number, expected: string, received: string, path = '') {
    const where = path === '' ? `line ${line}` : `line ${line}: ${path}`
    super(`${where}: expected ${expected}, got ${received}`)
    this.name = 'LoadFailed'
    this.line = line
    this.expected = expected
    this.received = received
  }
}
