/** The disk, reached by `process.getBuiltinModule`, so that bundlers for browsers find nothing to resolve. */

/** The modules of Node by which the disk is reached. */
export type Disk = NonNullable<ReturnType<typeof diskHere>>

/** Returns the disk; `undefined` where there is none, as in browsers. */
export function diskHere() {
  const modules = globalThis.process?.getBuiltinModule
  const fs = modules?.('node:fs')
  const path = modules?.('node:path')
  return fs && path && { fs, path }
}

/** Folders that hold no artifacts of contracts, though they stand among them. */
const OTHER_FOLDERS = new Set(['build-info', 'node_modules'])
/** What compilers write beside artifacts: debug information and single outputs. */
const OTHER_FILES = /\.(dbg|metadata|abi)\.json$/

/** Resolves to the paths of all artifacts in a folder and below, in order; to `undefined` where there is no such folder. */
export async function artifactFiles({ fs, path }: Disk, folder: string): Promise<string[] | undefined> {
  const list = async (folder: string): Promise<string[] | undefined> => {
    const entries = await fs.promises.readdir(folder, { withFileTypes: true }).catch(() => undefined)
    const nested = entries?.map(async (entry) => {
      const place = path.join(folder, entry.name)
      if (entry.isDirectory()) return OTHER_FOLDERS.has(entry.name) ? [] : ((await list(place)) ?? [])
      return entry.name.endsWith('.json') && !OTHER_FILES.test(entry.name) ? [place] : []
    })
    return nested && (await Promise.all(nested)).flat().sort()
  }
  return list(folder)
}

/** Returns the name of the contract that a file is of: `Token.json`, or `Token.0.8.20.json` where Foundry used several compilers. */
export function contractIn(file: string): string {
  return file.split(/[/\\]/).at(-1)!.split('.')[0]!
}
