/**
 * A request's id as it was written.
 *
 * An id is echoed (JSON-RPC 2.0, seed 4.1), and a client in another language may choose a number that JavaScript does not
 * hold exactly: `18446744073709551615` would come back as another number. `JSON.parse` of Node 20 does not tell how a
 * number was written, so where an id is affected the text is read once more.
 */

/** Whether `id`, written again, may differ from what came. */
export function isInexact(id: unknown): boolean {
  if (typeof id !== 'number') return false
  return !Number.isFinite(id) || (Number.isInteger(id) && !Number.isSafeInteger(id))
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g

/**
 * The numbers that stand at `id` in the objects of `text` on one level: 1, the message itself, or 2, the calls of a batch, by
 * their indices. `text` must be known to be JSON.
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
      // Of members with the same name the last one counts, as for JSON.parse.
      if (number !== undefined && JSON.parse(token) === 'id') found[item] = number
    }
  }
  return found
}

const VALUE = /\s*:\s*(-?[\d.eE+-]+)/y

/** The number that stands behind the colon at `at`; `undefined` if there is none. */
function numberAfter(text: string, at: number): string | undefined {
  VALUE.lastIndex = at
  return VALUE.exec(text)?.[1]
}
