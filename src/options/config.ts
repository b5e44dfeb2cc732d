/** Configuration files of the command line (`preseal.config.ts`): options of the devnet, and flags by their names. */
import type { DevnetOptions } from './options.ts'

/** Flags of the command line that are no options of the devnet. Paths are relative to the file that they stand in. */
export interface CommandLineOptions {
  readonly port?: number
  readonly host?: string
  readonly allowedHosts?: readonly string[]
  readonly allowedOrigins?: readonly string[]
  /** `false`: without the page that shows the chain in a browser. */
  readonly page?: boolean
  readonly readOnlyPage?: boolean
  readonly open?: boolean
  /** Fixture scripts to run first, in order. */
  readonly fixtures?: readonly string[]
  readonly faults?: string
  readonly init?: string
  readonly import?: string
  readonly importRules?: 'ethereum' | 'devnet'
  readonly export?: string
  readonly exportGenesis?: string
  readonly loadState?: string
  readonly dumpState?: string
  readonly state?: string
  /** Seconds. */
  readonly stateInterval?: number
  readonly record?: string
  readonly trace?: boolean
  readonly logRequests?: boolean
  readonly quietRequests?: boolean
  readonly silent?: boolean
  readonly json?: boolean
  /** Words of a new mnemonic: 12, 15, 18, 21 or 24. */
  readonly mnemonicRandom?: number
  /** Of `preseal serve`: how many chains there may be at once. */
  readonly maxChains?: number
}

/** What a configuration file exports. */
export interface Config extends DevnetOptions, CommandLineOptions {}

/** Returns `config` as it is: for editors and compilers, which know its type by this. */
export function defineConfig(config: Config): Config {
  return config
}
