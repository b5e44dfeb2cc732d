/** Links of printed lines to the page, and lines that do to a terminal no more than colour it. */
import type { Hash } from '../bytes/hex.ts'
import { pagePaths } from '../model/api/text.ts'

/** Where the page is, and whether the reader's terminal has links (OSC 8). */
export interface LinkManner {
  /** The URL of the page; `undefined` as long as there is none. */
  readonly pageUrl: string | undefined
  readonly hasHyperlinks: boolean
}

/** Returns the URL of a path of the page; `undefined` where there is no page. */
export function urlOf({ pageUrl }: Pick<LinkManner, 'pageUrl'>, path: string): string | undefined {
  return pageUrl && pageUrl + path
}

/**
 * Returns `text` as a link to a path of the page; unchanged where there is no page, or the terminal has no links. The form is that of
 * https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
 */
export function linked({ pageUrl, hasHyperlinks }: LinkManner, path: string, text: string): string {
  if (pageUrl === undefined || !hasHyperlinks) return text
  return `\u001b]8;;${pageUrl}${path}\u001b\\${text}\u001b]8;;\u001b\\`
}

/**
 * Returns a line without what could control the terminal, in which addresses, and those hashes that are of `transactions`, are links to
 * the page. What contracts and clients wrote may be in it.
 */
export function withLinks(
  manner: LinkManner,
  line: string,
  transactions: ReadonlySet<Hash> | undefined = undefined,
): string {
  const text = uncontrolled(line)
  if (manner.pageUrl === undefined || !manner.hasHyperlinks) return text
  return text.replace(ADDRESS_OR_HASH, (hex) => {
    if (hex.length === ADDRESS_LENGTH) return linked(manner, pagePaths.account(hex), hex)
    return transactions?.has(hex as Hash) ? linked(manner, pagePaths.transaction(hex), hex) : hex
  })
}

const ADDRESS_LENGTH = 42
/** Neither part of a URL nor the beginning of longer data, which may be shortened. A colour that begins before it ends with `m`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const ADDRESS_OR_HASH = /(?<=^|[^\w/]|\u001b\[[\d;]{0,40}m)0x(?:[\da-fA-F]{64}|[\da-fA-F]{40})(?![\w…])/g

/** Returns `text` with control characters escaped, except colours, tabs and ends of lines. */
export function uncontrolled(text: string): string {
  return text.replace(COLOUR_OR_CONTROL, (found) =>
    found.length > 1 ? found : `\\x${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

const COLOUR_OR_CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /\u001b\[[\d;]{0,40}m|\r(?!\n|$)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
