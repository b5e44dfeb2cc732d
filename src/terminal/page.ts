/** The flags that choose the page served to browsers, and `--open`, which opens that page. */
import type { Option } from 'commander'
import { InvalidFlag } from '../options/flags.ts'
import { type FlagInput, grouped } from './flags.ts'
import type { Format } from './progress.ts'

export const PAGE_FLAGS: readonly Option[] = [
  grouped('server', '--no-page', 'do not serve the page that shows the chain in a browser'),
  grouped(
    'server',
    '--read-only-page',
    'serve a page that cannot change the chain; JSON-RPC is not restricted',
  ),
  grouped('server', '--open', 'open the page in the default browser'),
]

/** The page that flags choose. Without such a flag, `page` is `undefined`, and the devnet uses its default. */
export interface PageChoice {
  readonly page: false | 'read-only' | undefined
  readonly isPageOpened: boolean
}

/** Returns the page that the flags choose. Throws `InvalidFlag` if `--open` is given and no page is served. */
export function pageOf(given: FlagInput, isStrict: boolean): PageChoice {
  const { page, readOnlyPage, open } = given
  const beside = readOnlyPage === true ? '--read-only-page' : open === true ? '--open' : undefined
  if (page === false && beside !== undefined) {
    throw new InvalidFlag(`${beside}: cannot be combined with --no-page, which turns the page off`)
  }
  if (open === true && isStrict && readOnlyPage !== true) {
    throw new InvalidFlag('--open: cannot be combined with --strict, which serves no page')
  }
  return {
    page: page === false ? false : readOnlyPage === true ? 'read-only' : undefined,
    isPageOpened: open === true,
  }
}

/** Milliseconds in which the browser's launcher can fail. A later exit may be the exit of the browser itself. */
const LAUNCHED_MS = 10_000

/** Opens `url` in the default browser if `--open` was given. Calls `warn` if no browser can be opened. */
export async function openPage(
  url: string | undefined,
  { isPageOpened, format }: Pick<PageChoice, 'isPageOpened'> & { readonly format: Format },
  warn: (text: string) => void,
): Promise<void> {
  if (!isPageOpened || url === undefined) return
  const failed = () => {
    if (format !== 'silent') warn(`--open: no browser could be opened; the page is at ${url}`)
  }
  const ended = (code: number | null) => {
    if (code !== 0) failed()
  }
  try {
    const { default: open } = await import('open')
    const launcher = await open(url)
    if (launcher.exitCode !== null) return ended(launcher.exitCode)
    launcher.once('exit', ended)
    setTimeout(() => launcher.off('exit', ended), LAUNCHED_MS).unref()
  } catch {
    failed()
  }
}
