/** The paths of the page, and what each shows. */
import { pagePaths } from '../model/text.ts'
import { isAddress, isHash } from './format/quantity.ts'

export type Route =
  | { readonly view: 'now' }
  | { readonly view: 'blocks' }
  /** `id`: a number in decimal, a hash, or a tag. */
  | { readonly view: 'block'; readonly id: string }
  | { readonly view: 'transaction'; readonly hash: string }
  | { readonly view: 'contracts' }
  | { readonly view: 'account'; readonly address: string }
  | { readonly view: 'logs' }
  | { readonly view: 'controls' }
  | { readonly view: 'console' }
  | { readonly view: 'unknown'; readonly path: string }

const PLAIN = new Set(['blocks', 'contracts', 'logs', 'controls', 'console'] as const)
type Plain = typeof PLAIN extends Set<infer T> ? T : never

/** Returns what `path` shows: a path behind the base of the chain, without its query. */
export function routeOf(path: string): Route {
  const [view = '', subject, ...more] = path.split('/').filter((part) => part !== '')
  if (more.length > 0) return { view: 'unknown', path }
  if (view === '') return { view: 'now' }
  if (subject === undefined && PLAIN.has(view as Plain)) return { view: view as Plain }
  if (subject === undefined) return { view: 'unknown', path }
  if (view === 'block')
    return { view: 'block', id: /^0x[0-9a-f]{1,12}$/i.test(subject) ? String(Number(subject)) : subject }
  if (view === 'tx' && isHash(subject)) return { view: 'transaction', hash: subject.toLowerCase() }
  if (view === 'address' && isAddress(subject)) return { view: 'account', address: subject.toLowerCase() }
  return { view: 'unknown', path }
}

/** Returns the path of `route`, behind the base of the chain. */
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
