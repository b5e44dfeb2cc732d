/**
 * The package where it was built already: `PRESEAL_BUILT=1` says that `dist` was made of these sources, as in CI, where many
 * processes want it. Then it is copied, and not made again.
 */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'

const BUILT = join(import.meta.dirname, '../../dist')
const PAGE = join(BUILT, 'page')

/** Whether `dist` is what these sources make. */
export const IS_BUILT = process.env.PRESEAL_BUILT === '1'

/** Copies `dist` to the folder `to`: all of it, or all but the page. */
export function copyBuilt(to: string, what: 'all' | 'code'): Promise<void> {
  const filter = (path: string) => what === 'all' || path !== PAGE
  return cp(BUILT, to, { recursive: true, filter })
}
