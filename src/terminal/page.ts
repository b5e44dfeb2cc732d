/** The page of the command line's port: its flags, where it is, and the browser that `--open` opens. */
import type { Option } from 'commander'
import { InvalidFlag } from '../options/flags.ts'
import { type Given, grouped } from './flags.ts'
import type { Format } from './progress.ts'

/** The flags of all commands that listen. */
export const PAGE_FLAGS: readonly Option[] = [
  grouped('server', '--no-page', 'do not serve the page that shows the chain in a browser'),
  grouped(
    'server',
    '--read-only-page',
    'leave out of the page what changes the chain; JSON-RPC is not restricted',
  ),
  grouped('server', '--open', 'open the page in the default browser'),
]

/** What the flags say of the page; `page` is `undefined` where they leave it to the devnet. */
export interface PageChoice {
  readonly page: false | 'read-only' | undefined
  readonly isPageOpened: boolean
}

/** Returns what the flags, by their names in commander, and the option `strict` say of the page. Throws `InvalidFlag`. */
export function pageOf(given: Given, isStrict: boolean): PageChoice {
  const { page, readOnlyPage, open } = given
  const beside = readOnlyPage === true ? '--read-only-page' : open === true ? '--open' : undefined
  if (page === false && beside !== undefined) {
    throw new InvalidFlag(`${beside}: expected nothing beside --no-page, which leaves the page out`)
  }
  if (open === true && isStrict && readOnlyPage !== true) {
    throw new InvalidFlag('--open: expected nothing beside --strict, under which there is no page')
  }
  return {
    page: page === false ? false : readOnlyPage === true ? 'read-only' : undefined,
    isPageOpened: open === true,
  }
}

/** Milliseconds after which the launcher of a browser has found one: some end only when the browser does. */
const LAUNCHED_MS = 10_000

/** Opens `url` in the default browser, if the flags say so. `warn` is told if there is none, which changes nothing else. */
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
