/**
 * What listens on a port, set apart from the rest: a bundler for browsers puts in its place what says that there are no ports.
 * Both go by the name `#listening`, of which package.json (`imports`) says what it is where.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'

/** The module that loads Express, ws and Node's own for the network; and what is built of it. */
export const LISTENING = 'src/server/listen.ts'
const BUILT = 'server/listen.js'

export const listening: Plugin = {
  name: 'listening',
  setup(build) {
    build.onResolve({ filter: /\/listen\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: '#listening', external: true } : undefined,
    )
  },
}

/** Writes beside the module, in the bundle `folder`, one that has the same names, all of which reject. */
export async function writeNoPorts({ outputs }: Metafile, folder: string): Promise<void> {
  const [, { exports }] = Object.entries(outputs).find(([file]) => file.endsWith(`/${BUILT}`))!
  const functions = exports.map(
    (name) => `export async function ${name}() {
  throw new Error('a browser has no ports to listen on; ask in process, with devnet.request')
}`,
  )
  await writeFile(join(folder, 'server/noPorts.js'), `${functions.join('\n')}\n`)
}
