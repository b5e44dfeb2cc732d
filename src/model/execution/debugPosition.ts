/** Where in the sources a step of a run is: the same in the library and in JSON. */

/** A range of a source file. */
export interface DebugPosition {
  /** The path of the file, relative to the project's folder. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units, as editors count. */
  readonly column: number
  /** The place behind the last letter. */
  readonly endLine: number
  readonly endColumn: number
  /** The text of the range up to the end of its first line. */
  readonly text: string
}
