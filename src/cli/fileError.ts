/** Errors of the file system in words. */

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EISDIR: 'expected a file, got a folder',
  EACCES: 'permission denied',
}

/** Returns why a file could not be read or written. */
export function reasonOf(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error))
}
