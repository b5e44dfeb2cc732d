/** The source of this page: the devnet on whose port it is. */

import { socketUrl } from './base.ts'
import { SocketSource } from './socketSource.ts'
import type { Source } from './source.ts'

let current: Source | undefined

/** Returns the page's source; the first call connects. */
export function source(): Source {
  current ??= new SocketSource(socketUrl(location))
  return current
}

/** Makes `other` the page's source, before anything is asked. */
export function setSource(other: Source): void {
  current = other
}
