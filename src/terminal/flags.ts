/** Defines flags in commander, and reads their values from the command line and the configuration file. */
import { type Command, Option } from 'commander'
import * as v from 'valibot'
import type { Config } from '../options/configFile.ts'
import { type Flag, GROUPS, InvalidFlag } from '../options/flags.ts'
import { OPTIONS } from '../options/options.ts'
import type { Format } from './progress.ts'

/** Values of flags, keyed by commander's names, such as `chainId` for `--chain-id`. */
export type FlagInput = Readonly<Record<string, unknown>>

/** Returns the flag with the description, the values and the default of the devnet option that it sets. */
export function optionFlag(row: Flag): Option {
  const { flag, option, group, fallback } = row
  const text = meaningOf(row)
  const standard = fallback ?? String(v.getDefault(OPTIONS[option].pipe[0]))
  const isSwitch = !flag.includes('<')
  const meaning = isSwitch || standard === 'undefined' ? text : `${text} (default: ${standard})`
  return listed(grouped(group, flag, meaning), row)
}

/** Returns the description of the flag's option, followed by the allowed values if they are words. */
export function meaningOf({ option, meaning }: Flag): string {
  const schema = OPTIONS[option]
  const text = meaning ?? v.getDescription(schema) ?? ''
  const { wrapped } = schema.pipe[0]
  return wrapped.type === 'picklist' ? `${text}: ${wrapped.options.join(', ')}` : text
}

export function grouped(
  group: keyof typeof GROUPS,
  flag: string,
  meaning: string,
  fallback?: string,
): Option {
  const option = new Option(flag, meaning).helpGroup(GROUPS[group])
  return fallback === undefined ? option : option.default(fallback)
}

export function repeatable(option: Option): Option {
  return option.argParser((text: string, before: string[] = []) => [...before, text])
}

/** Makes the option repeatable if its row says that the flag is a list. */
export function listed(option: Option, { isList }: { readonly isList?: boolean }): Option {
  return isList === true ? repeatable(option) : option
}

export function commandLineFlagsOf(command: Command): FlagInput {
  return fromSource(command, 'cli')
}

/** Returns the values of all flags. The command line overrides the configuration file, which overrides the defaults. */
export function flagValuesOf(command: Command, config: Config | undefined): FlagInput {
  const names = new Set(command.options.map((option) => option.attributeName()))
  const configured = Object.entries(config?.flags ?? {}).filter(([name]) => names.has(name))
  return {
    ...fromSource(command, 'default'),
    ...Object.fromEntries(configured),
    ...commandLineFlagsOf(command),
  }
}

function fromSource(command: Command, source: string): FlagInput {
  return Object.fromEntries(
    Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === source),
  )
}

/** Parses the text of a flag as a whole number. The error calls the number `noun`. Throws `InvalidFlag`. */
export function wholeNumberOf(
  flag: string,
  noun: string,
  text: string,
  from: number,
  to = Number.POSITIVE_INFINITY,
): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= from && value <= to) return value
  const range = to === Number.POSITIVE_INFINITY ? `of at least ${from}` : `from ${from} to ${to}`
  throw new InvalidFlag(`${flag}: expected ${noun} (a whole number ${range}), got "${text}"`)
}

export function formatOf({ silent, json }: FlagInput): Format {
  return silent === true ? 'silent' : json === true ? 'json' : 'text'
}

export function portOf({ port }: FlagInput, flag = '--port'): number {
  return wholeNumberOf(flag, 'a port', (port as string | undefined) ?? '0', 0, 65_535)
}

export const CONFIG_MEANING =
  'file of options and flags; the command line takes precedence (default: preseal.config.ts, if it exists)'
