/** Quotes text as Node's `util.inspect` does, for browsers, which do not have it. */

/** Returns `text` in the first kind of quotes that does not occur in it, with invisible characters escaped. */
export function quoted(text: string): string {
  const quote = QUOTES.find((one) => !text.includes(one)) ?? "'"
  return `${quote}${text.replace(quote === "'" ? WITH_QUOTE : INVISIBLE, escaped)}${quote}`
}

const QUOTES = ["'", '"', '`']

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\\]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const WITH_QUOTE = /[\u0000-\u001f\u007f-\u009f\\']/g

/** The characters whose escape is a letter. */
const LETTERS: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '\\': '\\\\',
  "'": "\\'",
}

function escaped(character: string): string {
  return LETTERS[character] ?? `\\x${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
