/**
 * The package of this checkout, built or installed for scripts. `PRESEAL_BUILT=1` promises that `dist` was made of these sources, as
 * in CI, where many processes need it: then it is copied, and not built again.
 */
import { copyFile, cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { IS_BUILT, ROOT } from '../package/folders.ts'
import { makeDist } from './dist.ts'

const BUILT = join(ROOT, 'dist')
const PAGE = join(BUILT, 'page')

/** Copies `dist` to the folder `to`: all of it, or all but the page. */
export function copyBuilt(to: string, what: 'all' | 'code'): Promise<void> {
  const filter = (path: string) => what === 'all' || path !== PAGE
  return cp(BUILT, to, { recursive: true, filter })
}

/** Installs the package for scripts in `folder`. Returns its folder. */
export async function install(folder: string): Promise<string> {
  const home = join(folder, 'node_modules/preseal')
  await mkdir(home, { recursive: true })
  const dist = join(home, 'dist')
  await (IS_BUILT ? copyBuilt(dist, 'all') : makeDist(dist))
  await copyFile(join(ROOT, 'package.json'), join(home, 'package.json'))
  // Its dependencies, where npm puts them if versions conflict.
  await symlink(join(ROOT, 'node_modules'), join(home, 'node_modules'), 'junction')
  return home
}
