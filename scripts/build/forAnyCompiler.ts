/**
 * What declarations need so that every program can read them, with `skipLibCheck` or without: one for an older JavaScript, and
 * one that does not have a package which it may do without.
 */

/** What `await using` works with: in TypeScript's library since ES2022 was its newest. */
const DISPOSABLE = /\b(?:Async)?Disposable\b|\bSymbol\.(?:asyncD|d)ispose\b/

/** The declarations in `text`, where the packages `optional` may be missing: what is theirs is then `any`. */
export function forAnyCompiler(text: string, optional: readonly string[]): string {
  const lines = text.split('\n').map((line) => {
    const [, name] = /^import .* from ["']([^"'/]+)/.exec(line) ?? []
    const mayBeMissing = name !== undefined && optional.includes(name)
    return mayBeMissing ? `// @ts-ignore: this package is optional\n${line}` : line
  })
  const library = DISPOSABLE.test(text) ? ['/// <reference lib="esnext.disposable" />'] : []
  return [...library, ...lines].join('\n')
}
