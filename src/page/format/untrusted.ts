/** Strings of strangers: names, reasons, logs. They are shown as text, and do nothing to what stands around them. */

/** Control and format characters (they change the direction of text, or are not seen), lone surrogates, separators. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Returns at most `limit` characters of `text`, in which hidden characters but tabs and line feeds are shown by their code points. */
export function visible(text: string, limit = 1_000): string {
  const head = text.length > limit ? text.slice(0, limit) : text
  return head.replace(HIDDEN, (character) =>
    character === '\n' || character === '\t' ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}
