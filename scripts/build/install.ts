/** The package as npm would install it, from what is in this checkout now. */
import { copyFile, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyBuilt, IS_BUILT } from './built.ts'
import { makeDist } from './dist.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Puts the package where scripts in `folder` find it by its name. Answers the folder that it is in. */
export async function install(folder: string): Promise<string> {
  const home = join(folder, 'node_modules/preseal')
  await mkdir(home, { recursive: true })
  const dist = join(home, 'dist')
  await (IS_BUILT ? copyBuilt(dist, 'all') : makeDist(dist))
  await copyFile(join(ROOT, 'package.json'), join(home, 'package.json'))
  // What it depends on, where npm puts it when versions differ from those beside it.
  await symlink(join(ROOT, 'node_modules'), join(home, 'node_modules'), 'junction')
  return home
}
