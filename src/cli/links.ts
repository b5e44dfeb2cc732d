/** Adds links to printed lines, and escapes their control characters. */
import type { Hash } from '../bytes/hex.ts'
import { pagePaths } from '../model/api/text.ts'

/** The page's URL, and whether the terminal shows links (OSC 8). */
export interface LinkOptions {
  /** `undefined` if no page is served. */
  readonly pageUrl: string | undefined
  readonly hasHyperlinks: boolean
}

export function urlOf({ pageUrl }: Pick<LinkOptions, 'pageUrl'>, path: string): string | undefined {
  return pageUrl && pageUrl + path
}

/**
 * Returns `text` as a terminal link (OSC 8) to `path` on the page. Returns `text` unchanged if no page is served or
 * the terminal has no links. Format: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
 */
export function linked({ pageUrl, hasHyperlinks }: LinkOptions, path: string, text: string): string {
  if (pageUrl === undefined || !hasHyperlinks) return text
  return `\u001b]8;;${pageUrl}${path}\u001b\\${text}\u001b]8;;\u001b\\`
}

/** Escapes the control characters of a line. Turns addresses, and the hashes in `transactions`, into links. */
export function withLinks(
  options: LinkOptions,
  line: string,
  transactions: ReadonlySet<Hash> | undefined = undefined,
): string {
  const text = uncontrolled(line)
  if (options.pageUrl === undefined || !options.hasHyperlinks) return text
  return text.replace(ADDRESS_OR_HASH, (hex) => {
    if (hex.length === ADDRESS_LENGTH) return linked(options, pagePaths.account(hex), hex)
    return transactions?.has(hex as Hash) ? linked(options, pagePaths.transaction(hex), hex) : hex
  })
}

const ADDRESS_LENGTH = 42
/** Matches addresses and hashes that are no part of a URL or of other hex. They may follow a colour sequence (`…m`). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const ADDRESS_OR_HASH = /(?<=^|[^\w/]|\u001b\[[\d;]{0,40}m)0x(?:[\da-fA-F]{64}|[\da-fA-F]{40})(?![\w…])/g

/** Escapes control characters, except colours, tabs and line ends. */
export function uncontrolled(text: string): string {
  return text.replace(COLOUR_OR_CONTROL, (found) =>
    found.length > 1 ? found : `\\x${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

const COLOUR_OR_CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern escapes them.
  /\u001b\[[\d;]{0,40}m|\r(?!\n|$)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
