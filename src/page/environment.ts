import { baseOf } from './source/source.ts'

const element =
  typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name=preseal]')
const words = new Set(element?.content.split(' '))

/** Whether views hide controls that change the chain: with `--read-only-page`, and in a report. */
export const isReadOnly = words.has('read-only')

/** Whether the port has many chains (`preseal serve`), each at `/c/NAME`. `GET /c` lists the chains. */
export const hasManyChains = words.has('many-chains')

/** Whether the page is a report (`preseal report`): a file with a recorded session, without a server. */
export const isReport = words.has('report')

export const sinceWhen = isReport ? 'in the session' : 'since the page was opened'

/** The path of the page's chain: `/c/NAME`, or empty. */
export const base = isReport ? '' : baseOf(location.pathname)

const PATHS = {
  /** Returns path and query of the current route. */
  place: () => location.pathname.slice(base.length) + location.search,
  href: (place: string) => base + place,
  /** Returns the target of a link within the page; `undefined` for other links. */
  hrefOf({ origin, pathname, search, hash }: HTMLAnchorElement): string | undefined {
    const isOurs = origin === location.origin && pathname.startsWith(`${base}/`) && hash === ''
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
