/** Bytes as text. */
import { fromHex } from '../../bytes/hex.ts'
import type { Hex } from '../source/answers.ts'

/** Bytes that are read at most. */
const MOST = 4_096

/** Returns the text that `bytes` are in UTF-8; `undefined` where they are none, or have control characters. */
export function textIn(bytes: Hex): string | undefined {
  if (bytes.length <= 2 || bytes.length > 2 + 2 * MOST) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(fromHex(bytes))
    return /[^\P{Cc}\n\r\t]/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
