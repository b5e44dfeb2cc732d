/** A feature of the command line: its flags, its part in a run of a devnet, and its command. `cli/features.ts` lists all features. */
import type { Command, Option } from 'commander'
import type { Devnet } from '../devnet/devnet.ts'
import type { DevnetEvents } from '../devnet/events.ts'
import type { Config } from '../options/configFile.ts'
import type { DevnetOptions } from '../options/options.ts'
import type { Listener, ListenOptions } from '../server/port.ts'
import type { OutputFile } from './files.ts'
import type { Given } from './flags.ts'
import type { Format, Output } from './progress.ts'

export interface Feature {
  /** Adds flags to `preseal`, or to the command of a `serveCommand`. */
  readonly addFlags?: (command: Command, of: 'preseal' | 'serve') => void
  /** Returns the feature's part in a run with these flags and options. Throws `InvalidFlag`. */
  readonly open?: (given: Given, options: DevnetOptions) => RunPart
  readonly subcommand?: Subcommand
  /** The printed lines of its events. */
  readonly printed?: PrintedLines
  readonly serveCommand?: ServeCommand
}

/** The part of a feature in a run, step by step; each step is awaited before the next. */
export interface RunPart {
  /** Returns the files to write, which are checked before anything runs. */
  outputs?(): Promise<readonly OutputFile[]>
  /** Reads files before there is a devnet. Returns the options to create it with. */
  prepare?(options: DevnetOptions): Promise<DevnetOptions>
  /** Restores the chain of a new devnet. */
  load?(devnet: Devnet, output: CommandOutput): Promise<void>
  /** Called before fixtures run. */
  begin?(devnet: Devnet, output: CommandOutput): Promise<void>
  /** Called after all fixtures have succeeded. */
  onBuilt?(devnet: Devnet, output: CommandOutput): void
  /** Called when a devnet listens, before clients learn its port; under `preseal serve` for each chain. */
  onListening?(devnet: Devnet): Promise<void>
  /** Called before the devnet is closed. */
  end?(): Promise<void>
  /** Writes files after the devnet has been closed. */
  write?(devnet: Devnet, output: CommandOutput): Promise<void>
}

/** Lines of events: for people, and one JSON object per line for programs. */
export interface PrintedLines {
  text(tools: TextTools): EventLines
  json(): EventLines
}

/** Returns the lines of each event. */
export type EventLines = {
  readonly [E in keyof DevnetEvents]?: (...args: Parameters<DevnetEvents[E]>) => string[] | Promise<string[]>
}

export interface TextTools {
  /** Returns `block 7`, as a link to the page if the terminal shows links. */
  block(number: bigint): string
  /** Returns text with control characters escaped, in which addresses are links. */
  safe(text: string): string
}

export interface CommandOutput extends Output {
  readonly warn: (error: unknown) => void
  /** Warns of an output file that could not be written, which makes the exit code 1. */
  readonly warnOfLoss: (error: unknown) => void
}

/** A command that prepares a devnet as `preseal` does, and then serves it in another way. */
export interface ServeCommand {
  readonly name: string
  readonly description: string
  /** Flags that `preseal` itself lacks. */
  readonly flags: readonly Option[]
  /** Returns the function that serves the prepared devnet. Throws `InvalidFlag`. */
  parse(given: Given): Serve
}

/** Serves devnets made of `base`, which the caller then closes. Rejects with Node's error if the port is not available. */
export type Serve = (base: Devnet, options: ListenOptions, begin: BeginDevnet) => Promise<Serving>

/** Runs what features do with a devnet that listens, and prints its events from now on. */
export type BeginDevnet = (
  devnet: Devnet,
  of: { readonly name: string; readonly pageUrl: string | undefined },
) => PrintedDevnet

export interface PrintedDevnet {
  /** Resolves when all events so far have been printed. */
  flush(): Promise<void>
}

/** The address of the served devnets, and their end. */
export interface Serving extends Pick<Listener, 'url' | 'host' | 'port' | 'pageUrl'> {
  /** The URL of a devnet, with `<name>` for its name. */
  readonly chainUrl: string
  /** Closes all devnets, after all their events have been printed. */
  close(): Promise<void>
}

/** A command that does not serve a devnet made of the flags of `preseal`, such as `preseal replay`. */
export interface Subcommand {
  readonly name: string
  define(command: Command): void
  usesConfig(command: Command): boolean
  parse(command: Command, config: Config | undefined): ParsedCommand
}

export interface ParsedCommand {
  readonly format: Format
  /** Returns the exit code. */
  run(output: CommandOutput): Promise<number>
}
