/** Finds the command in the arguments of the process, and the flags that were given with it. */
import type { Command } from 'commander'
import { inOurFlags } from './anvilFlags.ts'
import { COMPARE, createCommand } from './command.ts'
import type { Config } from './configFile.ts'
import { InvalidFlag } from './flagTable.ts'
import { unknownCommand } from './unknown.ts'

/** Flags by their names in commander. */
export type Given = Readonly<Record<string, unknown>>

/** Returns the file that `--config` names in `argv`, if there is one. Ends the process as `parseFlags` does. */
export function configOf(argv: readonly string[]): { file: string | undefined; command: string } {
  const command = commandOf(argv)
  return { file: command.opts<{ config?: string }>().config, command: command.name() }
}

/** Returns the file that `preseal compare` names in `argv`; `undefined` for all other commands. */
export function comparedFileOf(argv: readonly string[]): string | undefined {
  const command = commandOf(argv)
  return command.name() === COMPARE ? command.args[0] : undefined
}

/** Returns the command in `argv`, with its flags. */
export function commandOf(argv: readonly string[]): Command {
  let command: Command | undefined
  createCommand((chosen) => {
    command = chosen
  }).parse([...argv.slice(0, 2), ...inOurFlags(argv.slice(2))])
  return command!
}

/** Returns the flags that were given. */
export function namedIn(command: Command): Given {
  return Object.fromEntries(
    Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'cli'),
  )
}

export function defaultsOf(command: Command): Given {
  return Object.fromEntries(
    Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'default'),
  )
}

/** Returns the flags in a configuration file that the command has. */
export function flagsIn(config: Config | undefined, command: Command): Given {
  const names = new Set(command.options.map((option) => option.attributeName()))
  return Object.fromEntries(Object.entries(config?.flags ?? {}).filter(([name]) => names.has(name)))
}

/** Throws `InvalidFlag` for a first word that is not a command. */
export function requireKnown({ parent, args: [word], commands }: Command): void {
  if (parent !== null || word === undefined) return
  throw new InvalidFlag(
    unknownCommand(
      word,
      commands.map((command) => command.name()),
    ),
  )
}

/** Throws `InvalidFlag` for a flag before a sub-command, which would otherwise be ignored. */
export function requireNothingBefore(command: Command): void {
  const { parent } = command
  const early = parent?.options.find(
    (option) => parent.getOptionValueSource(option.attributeName()) === 'cli',
  )
  if (early !== undefined) {
    throw new InvalidFlag(`${early.long}: expected after ${command.name()}, got it before`)
  }
}
