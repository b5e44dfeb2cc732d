/**
 * A state file: JSON lines, one record in each. The last line says how many came before it and the SHA-256 of their bytes
 * (`head -n -1 FILE | sha256sum`), so that a file which was cut off or changed is found out.
 */

import { createSha256 } from '../../model/crypto/sha256.ts'
import type { SavedRecord } from '../../model/savedChain.ts'
import { encodeRecord } from './encodeRecord.ts'

/** Characters that make a piece: enough that writing it costs little beside making it. */
const PIECE = 65_536

/** The bytes of the file, piece by piece, each made when it is asked for. */
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
