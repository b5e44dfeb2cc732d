/** Reads the text of a reply as JSON. */
import { excerpt, failed, type Reply } from './transport.ts'

/** Returns the JSON of `text`, or says what it is instead: a page of HTML, half an answer, nothing. */
export function parseReply(text: string, scrub: (text: string) => string): Reply {
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch {
    return failed({ kind: 'wrongAnswer', came: described(text, scrub), isTransient: true })
  }
}

function described(text: string, scrub: (text: string) => string): string {
  const start = text.trimStart()
  if (start === '') return 'an empty answer'
  const shown = excerpt(scrub(text))
  if (start.startsWith('<')) return `a page of HTML (${shown})`
  return /^[[{]/.test(start) ? `JSON that ends too early (${shown})` : `text that is no JSON (${shown})`
}
