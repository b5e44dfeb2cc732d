import { baseOf } from './source/source.ts'

const element =
  typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name=preseal]')
const words = new Set(element?.content.split(' '))

/** Whether controls that change the chain are hidden: with `--read-only-page`, and in a report. */
export const isReadOnly = words.has('read-only')

/** Whether the port serves many chains (`preseal serve`), each at `/c/NAME`. */
export const hasManyChains = words.has('many-chains')

/** Whether the page is a report: an HTML file that contains a recorded session and needs no server. */
export const isReport = words.has('report')

export const sinceWhen = isReport ? 'in the session' : 'since the page was opened'

/** The path prefix of the chain, `/c/NAME` or `/c/NAME/l1`. Empty on a port with one chain, and in a report. */
export const base = isReport ? '' : baseOf(location.pathname)

const PATHS = {
  place: () => location.pathname.slice(base.length) + location.search,
  href: (place: string) => base + place,
  /** Returns path and query of a link to a route of the page. `undefined` for other links. */
  hrefOf({ origin, pathname, search, hash }: HTMLAnchorElement): string | undefined {
    const isOurs = origin === location.origin && baseOf(pathname) === base && hash === ''
    return isOurs ? pathname + search : undefined
  },
}

const HASHES: typeof PATHS = {
  place: () => (location.hash.startsWith('#/') ? location.hash.slice(1) : '/'),
  href: (place) => `#${place}`,
  hrefOf(link) {
    const href = link.getAttribute('href')!
    return href.startsWith('#/') ? href : undefined
  },
}

export const addressBar = isReport ? HASHES : PATHS

/** Returns the URL of the devnet for JSON-RPC; in a report, which has no server, the default URL of a devnet. */
export const rpcUrl = () => (isReport ? 'http://127.0.0.1:8545' : `${location.origin}${base || '/'}`)
