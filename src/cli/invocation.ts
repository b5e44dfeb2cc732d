/** What the command line asks for. */
import type { DevnetOptions } from '../options/options.ts'
import type { ImportRules } from '../sequencer/import/flawInHeader.ts'
import type { ListenOptions } from '../server/listen.ts'
import type { PageChoice } from './page.ts'

/** The parsed command line. */
export interface Invocation {
  readonly options: DevnetOptions
  /** Number of words of a new random mnemonic, which replaces that of the options. */
  readonly mnemonicWords: number | undefined
  /** The configuration file, if there is one. */
  readonly config: string | undefined
  readonly port: number
  readonly host: string
  readonly allowedHosts: readonly string[]
  /** Accepted origins of web pages; `undefined`: all. */
  readonly allowedOrigins: readonly string[] | undefined
  /** Whether the port has the page, and whether that only reads; `undefined`: as the devnet has it. */
  readonly page: PageChoice['page']
  /** Whether a browser is opened that shows it. */
  readonly isPageOpened: boolean
  /** A genesis.json for the new chain. */
  readonly init: string | undefined
  /** A file of blocks to import first. */
  readonly importFrom: string | undefined
  /** The rules that its blocks must keep. */
  readonly importRules: ImportRules
  /** The files for the blocks, and for the genesis.json that belongs to them, written at the end. */
  readonly exportTo: string | undefined
  readonly exportGenesisTo: string | undefined
  /** A state file to load. */
  readonly load: { readonly file: string; readonly flag: string; readonly mayBeMissing: boolean } | undefined
  /** The state file written at the end, and at intervals before. */
  readonly dump:
    | { readonly file: string; readonly flag: string; readonly everyMs: number | undefined }
    | undefined
  /** Fixture scripts to run before listening, in order. */
  readonly fixtures: readonly string[]
  /** A file of faults that are planned once the devnet listens. */
  readonly faults: string | undefined
  /** The form of the report: text, JSON lines, or none. */
  readonly report: 'text' | 'json' | 'silent'
  /** Whether results (the URL, the outcome of a replay) are printed as JSON, under `silent` too. */
  readonly isJson: boolean
  /** The requests to print: refused ones, all, or none. */
  readonly requests: 'refused' | 'all' | 'none'
  /** Whether the calls of each transaction are printed as a tree. */
  readonly trace: boolean
  /** `preseal serve`: many chains that are forks of the devnet, and their maximum number. */
  readonly serve: { readonly maxChains: number } | undefined
  /** The file of the recording. */
  readonly recordTo: string | undefined
  /**
   * `preseal replay`: the recording to play, here or on another node, the line at which it stops, and whether to
   * listen afterwards.
   */
  readonly replay:
    | {
        readonly file: string
        readonly url: string | undefined
        readonly until: number | undefined
        readonly isKept: boolean
      }
    | undefined
}

/** Returns what the flags say of the port. */
export function listenOptionsOf({
  port,
  host,
  allowedHosts,
  allowedOrigins,
  page,
}: Invocation): Pick<ListenOptions, 'port' | 'host' | 'allowedHosts' | 'allowedOrigins' | 'page'> {
  return {
    port,
    host,
    allowedHosts,
    ...(allowedOrigins && { allowedOrigins }),
    ...(page !== undefined && { page }),
  }
}
