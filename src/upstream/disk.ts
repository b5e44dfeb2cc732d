/** Files of this machine, reached by `process.getBuiltinModule`, so that bundlers for browsers find nothing to resolve. */

/** How a file ends before something is appended. */
export interface FileEnd {
  readonly isEmpty: boolean
  readonly endsWithLine: boolean
}

export interface Disk {
  /** Returns the text of a file; `undefined` if there is none. */
  read(path: string): string | undefined
  /** Returns the names of the files in a folder and below, relative to it; none if there is no such folder. */
  list(folder: string): readonly string[]
  /**
   * Appends the text that `write` returns by one write. Makes the file and its folders if need be. Returns the code of
   * the error, such as `EACCES`, if there was one.
   */
  append(path: string, write: (end: FileEnd) => string): string | undefined
  resolve(...parts: string[]): string
}

/** Whether there are files here: not in a browser. */
export function hasDisk(): boolean {
  return globalThis.process?.getBuiltinModule?.('node:fs') !== undefined
}

/** Returns the files of this machine. Throws where there are none. */
export function diskHere(what: string): Disk {
  const modules = globalThis.process?.getBuiltinModule
  const fs = modules?.('node:fs')
  const path = modules?.('node:path')
  if (fs === undefined || path === undefined) {
    throw new Error(`${what} is a file, and there are no files here; set the option cache to false`)
  }
  return {
    read(file) {
      try {
        return fs.readFileSync(file, 'utf8')
      } catch (error) {
        if (NO_FILE.has(codeOf(error))) return undefined
        throw error
      }
    },
    list(folder) {
      try {
        return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
      } catch {
        return []
      }
    },
    append(file, write) {
      try {
        fs.mkdirSync(path.dirname(file), { recursive: true })
        const handle = fs.openSync(file, 'a+')
        try {
          const { size } = fs.fstatSync(handle)
          const last = Buffer.alloc(1)
          if (size > 0) fs.readSync(handle, last, 0, 1, size - 1)
          const bytes = Buffer.from(write({ isEmpty: size === 0, endsWithLine: last[0] === 10 }))
          return fs.writeSync(handle, bytes) === bytes.length ? undefined : 'ENOSPC'
        } finally {
          fs.closeSync(handle)
        }
      } catch (error) {
        return codeOf(error)
      }
    },
    resolve: path.resolve,
  }
}

/** No such file, and a file where a folder should be. */
const NO_FILE = new Set(['ENOENT', 'ENOTDIR'])

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? 'unknown')
}
