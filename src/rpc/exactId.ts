/**
 * The id of a request exactly as it was written.
 *
 * An id is echoed (JSON-RPC 2.0, seed 4.1), and a client in another language may use a number that JavaScript cannot
 * represent exactly: `18446744073709551615` would become another number. `JSON.parse` of Node 20 does not give access
 * to the source text of a number, so that the text is read again if an id is affected.
 */

/** Returns whether serialising `id` may give a different text than the received one. */
export function isInexact(id: unknown): boolean {
  if (typeof id !== 'number') return false
  return !Number.isFinite(id) || (Number.isInteger(id) && !Number.isSafeInteger(id))
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g

/**
 * Returns the numbers at `id` in the objects of `text` on one level: 1, the message itself, or 2, the calls of a
 * batch, by index. `text` must be valid JSON.
 */
export function exactIds(text: string, wantedLevel: 1 | 2): readonly (string | undefined)[] {
  const found: (string | undefined)[] = []
  let level = 0
  let item = 0
  for (const { 0: token, index: at } of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') level++
    else if (token === ']' || token === '}') level--
    else if (token === ',') item += level === wantedLevel - 1 ? 1 : 0
    else if (level === wantedLevel) {
      const number = numberAfter(text, at + token.length)
      // Of several members with this name the last one counts, as in JSON.parse.
      if (number !== undefined && JSON.parse(token) === 'id') found[item] = number
    }
  }
  return found
}

const VALUE = /\s*:\s*(-?[\d.eE+-]+)/y

/** Returns the number after the colon at `at`; `undefined` if there is none. */
function numberAfter(text: string, at: number): string | undefined {
  VALUE.lastIndex = at
  return VALUE.exec(text)?.[1]
}
