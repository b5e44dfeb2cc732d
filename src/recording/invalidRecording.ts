/** Why a recording cannot be played. */
import { type InvalidValue, shown } from '../wire/parser.ts'

/** What `replay` rejects with: where in the file, what was expected there, and what came. */
export class InvalidRecording extends Error {
  /** Counted from 1. */
  readonly line: number

  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`)
    this.name = 'InvalidRecording'
    this.line = line
  }
}

/** What is wrong with a value, in a line, as an error of the recording. */
export function toInvalidRecording(line: number, { path, expected, value }: InvalidValue): InvalidRecording {
  const where = path === '' ? '' : `${path}: `
  return new InvalidRecording(line, `${where}expected ${expected}, got ${shown(value)}`)
}
