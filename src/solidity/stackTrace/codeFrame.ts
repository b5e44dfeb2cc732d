/** The lines of a source file around a position, as test runners show them. */
import type { SourcePosition } from './stackTrace.ts'

/** The lines before and after. */
const AROUND = 2

/** Returns the lines with a mark below the column; `undefined` without a disk, or where the file has no such line. */
export function codeFrameAt({ file, line, column }: SourcePosition): string | undefined {
  const text = textOf(file)
  const lines = text?.split(/\r?\n/) ?? []
  if (line > lines.length) return undefined
  const first = Math.max(0, line - 1 - AROUND)
  return lines
    .slice(first, line + AROUND)
    .flatMap((each, i) => {
      const shown = `${numbered(first + i + 1)} ${each.replaceAll('\t', ' ')}`
      return first + i + 1 === line ? [shown, `${numbered('')} ${' '.repeat(column - 1)}^`] : [shown]
    })
    .join('\n')
}

function numbered(line: number | ''): string {
  return `    ${String(line).padStart(3)}|`
}

/** Browsers have no disk. */
function textOf(file: string): string | undefined {
  try {
    return globalThis.process?.getBuiltinModule?.('node:fs').readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
