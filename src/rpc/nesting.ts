/**
 * How deep JSON is nested. V8 reads any depth, but millions of levels take it seconds, in which nothing else is done. No request that
 * means anything has more than some tens of them.
 */

/** Levels of arrays and objects that a message may have. Up to here reading takes milliseconds. */
export const MOST_LEVELS = 131_072

const MARKS = /["[\]{}]/g

/** Whether `text` has more levels than a message may have. Strings are passed over as a whole, so long hex costs nothing. */
export function isTooDeep(text: string): boolean {
  // Each level opens and closes.
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

/** Where the text goes on behind the string that begins at `begin`; its end, where the string has none. */
function afterString(text: string, begin: number): number {
  let end = text.indexOf('"', begin)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end + 1
}

/** Whether an odd number of backslashes stands before `at`. */
function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}
