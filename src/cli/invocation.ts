import type { Config } from '../options/configFile.ts'
import { forkOf, InvalidFlag, optionsIn } from '../options/flags.ts'
import type { DevnetOptions } from '../options/options.ts'
import type { ListenOptions } from '../server/listen.ts'
import { isOrigin } from '../server/origins.ts'
import type { RunPart, Serve } from '../terminal/feature.ts'
import { commandLineFlagsOf, type FlagInput, flagValuesOf, formatOf, portOf } from '../terminal/flags.ts'
import { type PageChoice, pageOf } from '../terminal/page.ts'
import type { Format } from '../terminal/progress.ts'
import { commandOf } from './command.ts'
import { FEATURES, serveCommandOf } from './features.ts'

export interface Invocation extends PageChoice {
  readonly options: DevnetOptions
  /** Number of words of a random mnemonic; `undefined` to use the mnemonic of `options`. */
  readonly mnemonicWords: number | undefined
  readonly port: number
  readonly host: string
  readonly allowedHosts: readonly string[]
  /** Origins of web pages whose requests are accepted; `undefined` for all origins. */
  readonly allowedOrigins: readonly string[] | undefined
  /** Files of fixtures. They run in this order, before the devnet listens. */
  readonly fixtures: readonly string[]
  readonly format: Format
  /** Whether to print the URL as JSON, even if `format` is `silent`. */
  readonly isJson: boolean
  readonly requests: 'refused' | 'all' | 'none'
  readonly trace: boolean
  /** Serves many chains instead of one. Only for `preseal serve`. */
  readonly serve: Serve | undefined
  readonly parts: readonly RunPart[]
}

/**
 * Parses the flags of `preseal` and `preseal serve`. The command line `argv` (all of `process.argv`) overrides
 * `config`. Prints and exits for `--help` and `--version`, exits with code 2 for an unknown flag. Throws `InvalidFlag`.
 */
export function parseFlags(argv: readonly string[], config?: Config): Invocation {
  const command = commandOf(argv)
  const named = commandLineFlagsOf(command)
  const given = flagValuesOf(command, config)
  const fork = forkOf(named, config?.options.fork)
  const options: DevnetOptions = {
    ...config?.options,
    ...optionsIn(named),
    ...(fork === undefined ? {} : { fork }),
  }
  return {
    options,
    mnemonicWords: wordsOf(given.mnemonicRandom, named.mnemonic),
    port: portOf(given),
    host: given.host as string,
    allowedHosts: listOf(given.allowedHosts) ?? [],
    allowedOrigins: originsOf(listOf(given.allowedOrigins)),
    ...pageOf(given, options.strict === true),
    fixtures: (given.fixture as string[] | undefined) ?? [],
    format: formatOf(given),
    isJson: given.json === true,
    requests: requestsOf(given),
    trace: given.trace === true,
    serve: serveCommandOf(command)?.parse(given),
    parts: FEATURES.flatMap(({ open }) => open?.(given, options) ?? []),
  }
}

const MNEMONIC_WORDS = [12, 15, 18, 21, 24]

function wordsOf(random: unknown, mnemonic: unknown): number | undefined {
  if (random === undefined || random === false) return undefined
  if (mnemonic !== undefined) {
    throw new InvalidFlag('--mnemonic-random: cannot be combined with --mnemonic, which gives all words')
  }
  const words = random === true ? 12 : Number(random)
  if (MNEMONIC_WORDS.includes(words)) return words
  throw new InvalidFlag(`--mnemonic-random: expected 12, 15, 18, 21 or 24 words, got "${random}"`)
}

function listOf(text: unknown): string[] | undefined {
  return (text as string | undefined)?.split(',').map((name) => name.trim())
}

function originsOf(origins: string[] | undefined): readonly string[] | undefined {
  const wrong = origins?.find((origin) => !isOrigin(origin))
  if (wrong === undefined) return origins
  throw new InvalidFlag(
    `--allowed-origins: expected origins such as http://localhost:3000 (or null, or *), separated by commas, got "${wrong}"`,
  )
}

function requestsOf({ logRequests, quietRequests }: FlagInput): Invocation['requests'] {
  if (logRequests === true && quietRequests === true) {
    throw new InvalidFlag(
      '--quiet-requests: cannot be combined with --log-requests, which prints all requests',
    )
  }
  return logRequests === true ? 'all' : quietRequests === true ? 'none' : 'refused'
}

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
