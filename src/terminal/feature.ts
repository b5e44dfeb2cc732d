/** The interface of a command-line feature. `cli/features.ts` lists all features. */
import type { Command, Option } from 'commander'
import type { Devnet } from '../devnet/devnet.ts'
import type { DevnetEvents } from '../devnet/events.ts'
import type { Config } from '../options/configFile.ts'
import type { DevnetOptions } from '../options/options.ts'
import type { Listener, ListenOptions } from '../server/port.ts'
import type { OutputFile } from './files.ts'
import type { FlagInput } from './flags.ts'
import type { Format, Output } from './progress.ts'

export interface Feature {
  /** Adds flags to `command`: to `preseal` or, if `of` is `serve`, to a command that a feature's `serveCommand` defines. */
  readonly addFlags?: (command: Command, of: 'preseal' | 'serve') => void
  /** Returns the feature's part in a run with these flags and options. Throws `InvalidFlag`. */
  readonly open?: (given: FlagInput, options: DevnetOptions) => RunPart
  readonly subcommand?: Subcommand
  /** Formats the events of this feature for printing. */
  readonly printed?: PrintedLines
  readonly serveCommand?: ServeCommand
}

/** The work of a feature at each stage of a run. Stages run in the order below. Each is awaited before the next. */
export interface RunPart {
  /** Returns the files to write. The caller checks that they are writable before anything runs. */
  outputs?(): Promise<readonly OutputFile[]>
  /** Reads input files. Returns the options with which the devnet is created. */
  prepare?(options: DevnetOptions): Promise<DevnetOptions>
  /** Loads a saved chain into the devnet that was just created. */
  load?(devnet: Devnet, output: CommandOutput): Promise<void>
  /** `listening`: how the port of the devnet will listen. */
  begin?(devnet: Devnet, output: CommandOutput, listening: ListenOptions): Promise<void>
  onBuilt?(devnet: Devnet, output: CommandOutput): void
  /** Called when a devnet listens. Under `preseal serve`, called for each chain. */
  onListening?(devnet: Devnet): Promise<void>
  end?(): Promise<void>
  /** Writes files after the devnet has been closed. */
  write?(devnet: Devnet, output: CommandOutput): Promise<void>
}

/** Formatters of events: lines of text for people, or one JSON object per line for programs. */
export interface PrintedLines {
  text(tools: TextTools): EventLines
  json(): EventLines
}

/** For each event, a function that returns the lines to print. */
export type EventLines = {
  readonly [E in keyof DevnetEvents]?: (...args: Parameters<DevnetEvents[E]>) => string[] | Promise<string[]>
}

export interface TextTools {
  /** Returns text such as `block 7`, as a link to the page if the terminal shows links. */
  block(number: bigint): string
  /** Returns `text` with control characters escaped and addresses turned into links. */
  safe(text: string): string
}

export interface CommandOutput extends Output {
  readonly warn: (error: unknown) => void
  /** Warns that an output file could not be written. The command then ends with exit code 1. */
  readonly warnOfLoss: (error: unknown) => void
}

/** A command that prepares a devnet as `preseal` does, and then serves devnets forked from it. */
export interface ServeCommand {
  readonly name: string
  readonly description: string
  /** Flags that `preseal` itself lacks. */
  readonly flags: readonly Option[]
  /** Returns the function that serves the prepared devnet. Throws `InvalidFlag`. */
  parse(given: FlagInput): Serve
}

/** Serves forks of `base`, which the caller closes afterwards. Rejects with Node's error if the port is unavailable. */
export type Serve = (base: Devnet, options: ListenOptions, begin: BeginDevnet) => Promise<Serving>

/** Runs the `onListening` stage of all features for a served devnet, and prints its events from now on. */
export type BeginDevnet = (
  devnet: Devnet,
  of: { readonly name: string; readonly pageUrl: string | undefined },
) => PrintedDevnet

export interface PrintedDevnet {
  /** Resolves when all earlier events have been printed. */
  flush(): Promise<void>
}

/** The address of the served devnets, and the function that closes them. */
export interface Serving extends Pick<Listener, 'url' | 'host' | 'port' | 'pageUrl'> {
  readonly chainUrl: string
  /** The URL of the L1 of each chain. */
  readonly l1Url?: string | undefined
  close(): Promise<void>
}

/** A command that has its own flags and starts no devnet from the flags of `preseal`, such as `preseal replay`. */
export interface Subcommand {
  readonly name: string
  define(command: Command): void
  usesConfig(command: Command): boolean
  parse(command: Command, config: Config | undefined): ParsedCommand
}

export interface ParsedCommand {
  readonly format: Format
  run(output: CommandOutput): Promise<number>
}
