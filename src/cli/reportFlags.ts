/** The flags of `preseal report`. */
import type { DevnetOptions } from '../options/options.ts'
import { REPORT } from './command.ts'
import { commandOf, namedIn } from './commandLine.ts'
import { mannerOf } from './flagValues.ts'
import type { Invocation } from './invocation.ts'

/** `preseal report`: the recording, and the file to write. */
export interface ReportArguments extends Pick<Invocation, 'report' | 'isJson' | 'isPageOpened'> {
  readonly file: string
  readonly output: string
  /** Whether an existing file is replaced. */
  readonly isForced: boolean
  /** Whether contracts are to have names, which artifacts know. */
  readonly hasNames: boolean
  /** Those artifacts; by default those of the configuration file, or of the project in the working folder. */
  readonly artifacts: DevnetOptions['artifacts']
}

/** Returns what `preseal report` is asked for in `argv`; `undefined` for all other commands. */
export function reportOf(argv: readonly string[]): ReportArguments | undefined {
  const command = commandOf(argv)
  if (command.name() !== REPORT) return undefined
  const given = namedIn(command)
  const file = command.args[0]!
  return {
    file,
    output: (given.output as string | undefined) ?? `${file.replace(/\.[^./\\]+$/, '')}.html`,
    isForced: given.force === true,
    hasNames: given.artifacts !== false,
    artifacts: typeof given.artifacts === 'string' ? given.artifacts : undefined,
    report: mannerOf(given),
    isJson: given.json === true,
    isPageOpened: given.open === true,
  }
}
