/**
 * Where the page's places (paths and queries of routes) are in the address bar. On a port: in its path, behind that of the chain. In a
 * report: behind `#`, since a file has no other paths.
 */
import { isReport } from './served.ts'
import { baseOf } from './source/source.ts'

interface AddressBar {
  /** Returns the place in the address bar. */
  place(): string
  href(place: string): string
  /** Returns what `link` links to within this page; `undefined` for all other links. */
  hrefOf(link: HTMLAnchorElement): string | undefined
}

/** The path of the page's chain. */
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
