/** Globs: `**` any folders, `*` and `?` letters of a name, `{a,b}` one of several. */

/** Returns what matches any of `globs`. */
export function matching(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.map((glob) => new RegExp(`^${patternOf(glob)}$`))
  return (path) => patterns.some((pattern) => pattern.test(path))
}

const PARTS = /\*\*\/|\*\*|\*|\?|\{|\}|,|[.+^$()|[\]\\]/g

function patternOf(glob: string): string {
  let depth = 0
  return glob.replaceAll(PARTS, (part) => {
    switch (part) {
      case '**/':
        return '(?:[^/]+/)*'
      case '**':
        return '.*'
      case '*':
        return '[^/]*'
      case '?':
        return '[^/]'
      case '{':
        depth++
        return '(?:'
      case '}':
        if (depth === 0) return '\\}'
        depth--
        return ')'
      case ',':
        return depth > 0 ? '|' : ','
      default:
        return `\\${part}`
    }
  })
}
