/** Where the page runs: on a devnet's port, on a port of many chains, or in a report; and where its routes stand in the address bar. */
import { baseOf } from './source/source.ts'

const element =
  typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name=preseal]')
const words = new Set(element?.content.split(' '))

/** Whether views hide what changes the chain (`--read-only-page`, and in a report). */
export const isReadOnly = words.has('read-only')

/** Whether the port has many chains (`preseal serve`): each is at `/c/NAME`, and `GET /c` lists them. */
export const hasManyChains = words.has('many-chains')

/** Whether this is a report (`preseal report`): a file with a recorded session, and no server. */
export const isReport = words.has('report')

export const sinceWhen = isReport ? 'in the session' : 'since the page was opened'

interface AddressBar {
  /** Returns path and query of the current route. */
  place(): string
  href(place: string): string
  /** Returns the target of `link` within this page; `undefined` for other links. */
  hrefOf(link: HTMLAnchorElement): string | undefined
}

/** The path of the page's chain: `/c/NAME`, or empty. */
export const base = isReport ? '' : baseOf(location.pathname)

const PATHS: AddressBar = {
  place: () => location.pathname.slice(base.length) + location.search,
  href: (place) => base + place,
  hrefOf({ origin, pathname, search, hash }) {
    const isOurs = origin === location.origin && pathname.startsWith(`${base}/`) && hash === ''
    return isOurs ? pathname + search : undefined
  },
}

const HASHES: AddressBar = {
  place: () => (location.hash.startsWith('#/') ? location.hash.slice(1) : '/'),
  href: (place) => `#${place}`,
  hrefOf(link) {
    const href = link.getAttribute('href')!
    return href.startsWith('#/') ? href : undefined
  },
}

export const addressBar = isReport ? HASHES : PATHS
