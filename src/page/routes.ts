import { pagePaths } from '../model/api/text.ts'
import { isAddress, isHash } from './format.ts'
import { isTag } from './moment.ts'

/** Views whose path is their name, such as `/blocks`. */
export const PLAIN = ['blocks', 'transactions', 'contracts', 'logs', 'bridge', 'controls', 'console'] as const

export type Route =
  | { readonly view: 'now' | (typeof PLAIN)[number] }
  /** `id` is a decimal number, a hash or a tag. */
  | { readonly view: 'block'; readonly id: string }
  | { readonly view: 'transaction'; readonly hash: string }
  | { readonly view: 'account'; readonly address: string }
  | { readonly view: 'unknown'; readonly path: string }

/** Parses a path, which is relative to the chain's path and has no query. */
export function routeOf(path: string): Route {
  const [view, subject, ...more] = path.split('/').filter((part) => part !== '')
  if (view === undefined) return { view: 'now' }
  if (subject === undefined) {
    const plain = PLAIN.find((each) => each === view)
    return plain === undefined ? { view: 'unknown', path } : { view: plain }
  }
  if (more.length > 0) return { view: 'unknown', path }
  if (view === 'block')
    return { view: 'block', id: /^0x[0-9a-f]{1,12}$/i.test(subject) ? String(Number(subject)) : subject }
  if (view === 'tx' && isHash(subject)) return { view: 'transaction', hash: subject.toLowerCase() }
  if (view === 'address' && isAddress(subject)) return { view: 'account', address: subject.toLowerCase() }
  return { view: 'unknown', path }
}

export function pathOf(route: Route): string {
  switch (route.view) {
    case 'now':
      return '/'
    case 'block':
      return `/${pagePaths.block(route.id)}`
    case 'transaction':
      return `/${pagePaths.transaction(route.hash)}`
    case 'account':
      return `/${pagePaths.account(route.address)}`
    case 'unknown':
      return route.path
    default:
      return `/${route.view}`
  }
}

/** Descriptions, for error messages, of the second segment of a path, keyed by the first segment. */
const EXPECTED_SUBJECT: Readonly<Record<string, string>> = {
  tx: 'the hash of a transaction, 0x and 64 hex digits',
  address: 'an address, 0x and 40 hex digits',
  block:
    'the number of a block such as 12, its hash (0x and 64 hex digits), or a tag (pending, latest, safe, finalized, earliest)',
}

interface WrongPath {
  readonly text: string
  readonly meant: readonly { readonly path: string; readonly what: string }[]
}

export function wrongPath(path: string): WrongPath {
  const [view = '', subject, ...more] = path.split('/').filter((part) => part !== '')
  const taken = Object.hasOwn(EXPECTED_SUBJECT, view) ? EXPECTED_SUBJECT[view] : undefined
  const meant = meantBy(subject ?? view)
  if (taken === undefined) return { text: `there is nothing at ${path}`, meant }
  if (subject === undefined) return { text: `/${view}/ takes ${taken}; it is missing`, meant: [] }
  if (more.length > 0) return { text: `/${view}/ takes ${taken}, and nothing after it`, meant }
  return { text: `/${view}/ takes ${taken}; ${subject} is not one`, meant }
}

function meantBy(subject: string): WrongPath['meant'] {
  if (isAddress(subject)) return [{ path: `/${pagePaths.account(subject)}`, what: 'the account' }]
  if (!isHash(subject)) return []
  return [
    { path: `/${pagePaths.transaction(subject)}`, what: 'the transaction' },
    { path: `/${pagePaths.block(subject)}`, what: 'the block' },
  ]
}

/** Explains why block `id` does not exist. `latest`: the newest sealed block. `is over`: no more blocks are sealed. */
export function absentBlock(
  id: string,
  latest: number | undefined,
  chain: 'goes on' | 'is over' = 'goes on',
): string {
  if (isHash(id)) {
    return 'no block of this chain has this hash: it may belong to another chain, or a reorg or a restored state removed it'
  }
  if (/^\d{1,15}$/.test(id)) {
    const newest = latest === undefined ? '' : `: the newest block is ${latest}`
    if (latest !== undefined && Number(id) <= latest) return `block ${id} is no longer kept${newest}`
    return chain === 'is over'
      ? `there is no block ${id}${newest}`
      : `there is no block ${id} yet${newest}; this page will show it`
  }
  return isTag(id)
    ? `no block is ${id} at present`
    : `/block/ takes ${EXPECTED_SUBJECT.block}; ${id} is not one`
}
