/** Accesses the disk by `process.getBuiltinModule`, because importing `node:fs` would fail in bundles for browsers. */

interface FileEnd {
  readonly isEmpty: boolean
  readonly endsWithLine: boolean
}

export function hasDisk(): boolean {
  return globalThis.process?.getBuiltinModule?.('node:fs') !== undefined
}

export function diskHere() {
  const modules = globalThis.process?.getBuiltinModule
  const fs = modules?.('node:fs')
  const path = modules?.('node:path')
  if (fs === undefined || path === undefined) {
    throw new Error(
      'the cache of a fork is a file, and this platform has no file system; set the option cache to false',
    )
  }
  return {
    read(file: string): string | undefined {
      try {
        return fs.readFileSync(file, 'utf8')
      } catch (error) {
        if (NO_FILE.has(codeOf(error))) return undefined
        throw error
      }
    },
    /** Returns the relative paths of all files below a folder; an empty list if the folder does not exist. */
    list(folder: string): readonly string[] {
      try {
        return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
      } catch {
        return []
      }
    },
    /** Appends the text that `write` returns, in one write. Creates missing folders. Returns the error code, if any. */
    append(file: string, write: (end: FileEnd) => string): string | undefined {
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

/** Error codes for a missing file or folder, and for a file where a folder is expected. */
const NO_FILE = new Set(['ENOENT', 'ENOTDIR'])

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? 'unknown')
}
