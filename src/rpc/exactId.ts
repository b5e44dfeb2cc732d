/**
 * A request's id as it was written.
 *
 * An id is echoed (JSON-RPC 2.0, seed 4.1), and a client in another language may choose a number that JavaScript does not
 * hold exactly: `18446744073709551615` would come back as another number. `JSON.parse` of Node 20 does not tell how a
 * number was written, so the rare id that is affected is read from the text once more.
 */

/** Whether `id`, written again, may differ from what came. */
export function isInexact(id: unknown): boolean {
  if (typeof id !== 'number') return false
  return !Number.isFinite(id) || (Number.isInteger(id) && !Number.isSafeInteger(id))
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g

/**
 * What stands at `id` in a message, or in call `index` of a batch. `text` must be known to be JSON, and the id to be
 * a number.
 */
export function exactId(text: string, index: number | undefined): string | undefined {
  const wantedLevel = index === undefined ? 1 : 2
  let level = 0
  let item = 0
  let found: string | undefined
  for (const { 0: token, index: at } of text.matchAll(TOKENS)) {
    if (token === '[' || token === '{') level++
    else if (token === ']' || token === '}') level--
    else if (token === ',') item += level === 1 ? 1 : 0
    else if (level === wantedLevel && (index === undefined || item === index)) {
      const number = numberAfter(text, at + token.length)
      // Of members with the same name the last one counts, as for JSON.parse.
      if (number !== undefined && JSON.parse(token) === 'id') found = number
    }
  }
  return found
}

/** The number that stands behind the colon at `at`; `undefined` if there is none. */
function numberAfter(text: string, at: number): string | undefined {
  const value = /\s*:\s*(-?[\d.eE+-]+)/y
  value.lastIndex = at
  return value.exec(text)?.[1]
}
