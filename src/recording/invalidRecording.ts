/** The error for an invalid recording. */
import { type InvalidValue, shown } from '../wire/parser.ts'

/** The error with which `replay` rejects. It has the line, the expected and the received value. */
export class InvalidRecording extends Error {
  /** The number of the line, counted from 1. */
  readonly line: number

  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`)
    this.name = 'InvalidRecording'
    this.line = line
  }
}

/** Returns the error of the recording for an invalid value in a line. */
export function toInvalidRecording(line: number, { path, expected, value }: InvalidValue): InvalidRecording {
  const where = path === '' ? '' : `${path}: `
  return new InvalidRecording(line, `${where}expected ${expected}, got ${shown(value)}`)
}
