/**
 * Writes a state file: JSON lines with one record each. The last line has the number of lines before it and the SHA-256
 * of their bytes (`head -n -1 FILE | sha256sum`), so that a truncated or changed file is detected.
 */

import type { SavedRecord } from '../../chain/savedChain.ts'
import { createSha256 } from '../../crypto/sha256.ts'
import { encodeRecord } from './encodeRecord.ts'

/** The number of characters in a piece, large enough that writing it costs little compared to making it. */
const PIECE = 65_536

/** Yields the bytes of the file in pieces. Each is made when it is requested. */
export function* writeStateFile(records: Iterable<SavedRecord>): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  const hash = createSha256()
  let lines = 0
  let text = ''
  for (const record of records) {
    text += `${JSON.stringify(encodeRecord(record))}\n`
    lines++
    if (text.length < PIECE) continue
    const piece = encoder.encode(text)
    hash.update(piece)
    yield piece
    text = ''
  }
  hash.update(encoder.encode(text))
  const end = { end: lines, sha256: hash.end() }
  yield encoder.encode(`${text}${JSON.stringify(end)}\n`)
}
