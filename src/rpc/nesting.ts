/**
 * The nesting depth of JSON. V8 parses any depth, but millions of levels block the event loop for seconds. Real
 * requests have at most some tens of levels.
 */

/** The most levels of arrays and objects in a message. Parsing this depth takes milliseconds. */
export const MOST_LEVELS = 131_072

const MARKS = /["[\]{}]/g

/** Returns whether `text` has too many levels. Strings are skipped as a whole, so that long hex costs little. */
export function isTooDeep(text: string): boolean {
  // Each level has an opening and a closing character.
  if (text.length <= 2 * MOST_LEVELS) return false
  let level = 0
  MARKS.lastIndex = 0
  for (let found = MARKS.exec(text); found !== null; found = MARKS.exec(text)) {
    const mark = found[0]
    if (mark === '"') MARKS.lastIndex = afterString(text, found.index + 1)
    else if (mark === '[' || mark === '{') {
      if (++level > MOST_LEVELS) return true
    } else level--
  }
  return false
}

/** Returns the index after the string that begins at `begin`; the end of the text for an unterminated string. */
function afterString(text: string, begin: number): number {
  let end = text.indexOf('"', begin)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end + 1
}

/** Returns whether an odd number of backslashes precedes `at`. */
function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}
