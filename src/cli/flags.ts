/** Parses the flags of the command line, which set options of the devnet and of the listener. */
import type { Command } from 'commander'
import type { InvalidOption } from '../options/invalidOption.ts'
import { REPLAY, SERVE } from './command.ts'
import { commandOf, defaultsOf, flagsIn, namedIn, requireKnown, requireNothingBefore } from './commandLine.ts'
import type { Config } from './configFile.ts'
import { attributeOf, FLAGS, InvalidFlag } from './flagTable.ts'
import {
  importRulesOf,
  listOf,
  mannerOf,
  originsOf,
  requestsOf,
  wholeNumberOf,
  wordsOf,
} from './flagValues.ts'
import { flagOfMember, forkOf } from './forkFlags.ts'
import type { Invocation } from './invocation.ts'
import { pageOf } from './page.ts'
import { type StateFlags, stateFilesOf } from './stateFlags.ts'

/**
 * Parses `argv` (in the form of `process.argv`) and `config`, over which flags take precedence. Prints help or the
 * version and ends the process if they are requested; ends it with code 2 for an unknown flag. Throws `InvalidFlag`.
 */
export function parseFlags(argv: readonly string[], config?: Config): Invocation {
  const command = commandOf(argv)
  requireKnown(command)
  requireNothingBefore(command)
  const isReplay = command.name() === REPLAY
  const given = { ...defaultsOf(command), ...flagsIn(config, command), ...namedIn(command) }
  // The recording has the options of its chain.
  const options: Record<string, unknown> = isReplay ? {} : { ...config?.options }
  const named = namedIn(command)
  for (const { flag, option, read } of FLAGS) {
    const value = named[attributeOf(flag)]
    if (value !== undefined)
      options[option] = typeof value === 'string' && read !== undefined ? read(value) : value
  }
  const fork = isReplay ? undefined : forkOf(named, config?.options?.fork)
  if (fork !== undefined) options.fork = fork
  if (options.history !== undefined && given.export !== undefined) {
    throw new InvalidFlag(
      '--export: expected nothing beside --history: a chain is exported from its beginning',
    )
  }
  return {
    options,
    mnemonicWords: wordsOf(given.mnemonicRandom, named.mnemonic),
    config: config?.file,
    port: wholeNumberOf('--port', 'a port', (given.port as string | undefined) ?? '0', 0, 65_535),
    host: given.host as string,
    allowedHosts: listOf(given.allowedHosts) ?? [],
    allowedOrigins: originsOf(listOf(given.allowedOrigins)),
    ...pageOf(given, options.strict === true),
    init: given.init as string | undefined,
    importFrom: given.import as string | undefined,
    importRules: importRulesOf(given.importRules as string | undefined),
    exportTo: given.export as string | undefined,
    exportGenesisTo: given.exportGenesis as string | undefined,
    ...stateFilesOf(given as StateFlags),
    fixtures: (given.fixture as string[] | undefined) ?? [],
    faults: given.faults as string | undefined,
    report: mannerOf(given),
    isJson: given.json === true,
    requests: requestsOf(given),
    trace: given.trace === true,
    serve:
      command.name() === SERVE
        ? { maxChains: wholeNumberOf('--max-chains', 'chains', given.maxChains as string, 1, 1_000_000) }
        : undefined,
    recordTo: given.record as string | undefined,
    replay: isReplay ? replayOf(command) : undefined,
  }
}

function replayOf(command: Command): Invocation['replay'] {
  const { url, until, keep } = command.opts<{ url?: string; until?: string; keep?: true }>()
  if (url !== undefined && !URL.canParse(url)) throw new InvalidFlag(`--url: expected a URL, got "${url}"`)
  if (url !== undefined && keep) throw new InvalidFlag('--keep: expected nothing beside --url')
  return {
    file: command.args[0]!,
    url,
    until: until === undefined ? undefined : wholeNumberOf('--until', 'a line', until, 1),
    isKept: keep === true,
  }
}

/** Returns the error of an option as an error of the flag that set it. */
export function toInvalidFlag(error: InvalidOption): InvalidFlag {
  const [name, member] = error.option.split('.')
  if (name === 'fork' && member !== undefined) {
    return new InvalidFlag(`${flagOfMember(member)}: expected ${error.expected}, got ${error.received}`)
  }
  if (name === 'genesis') return new InvalidFlag(error.message.replace(/^option /, '--init: '))
  const row = FLAGS.find(({ option }) => option === name)
  if (row === undefined) return new InvalidFlag(error.message)
  const flag = row.flag.split(' ')[0]
  return new InvalidFlag(`${flag}: expected ${row.expected ?? error.expected}, got ${error.received}`)
}
