/** Command lines of scripts that play a folder of tests. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** A wrong command line, or a folder or file that cannot be played: no verdict about the devnet. Scripts exit with 2. */
export class Unplayable extends Error {}

/** Returns the only folder that `args` name, and their flags. Throws `Unplayable` with the `usage`. */
export function folderAndFlags<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  let parsed: ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>
  try {
    parsed = parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (cause) {
    throw new Unplayable(`${cause instanceof Error ? cause.message : cause}\n${usage}`)
  }
  const { values, positionals } = parsed
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) {
    throw new Unplayable(`expected one folder, got ${positionals.join(' ') || 'none'}\n${usage}`)
  }
  return { folder, values }
}
