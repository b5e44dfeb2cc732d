/** Runs the command line: parses flags, creates the devnet, runs fixtures, listens, and prints the banner. */
import pc from 'picocolors'
import { createSupportsHyperlinks } from 'supports-hyperlinks'
import { createDevnet, type Devnet } from '../index.ts'
import { randomMnemonic } from '../model/account/developmentAccounts.ts'
import { errorText } from '../model/api/text.ts'
import { type Config, ConfigFailed, findConfig, readConfig } from '../options/configFile.ts'
import { InvalidFlag, toInvalidFlag } from '../options/flags.ts'
import { InvalidOption } from '../options/values.ts'
import { prepareArtifacts } from '../terminal/artifacts.ts'
import type { BeginDevnet, CommandOutput, ParsedCommand } from '../terminal/feature.ts'
import { FileFailed, requireWritable } from '../terminal/files.ts'
import { openPage } from '../terminal/page.ts'
import { type Format, Progress } from '../terminal/progress.ts'
import { endOnSignals } from '../terminal/signals.ts'
import { UpstreamFailed, WrongCache } from '../upstream/upstream.ts'
import { announce, type FixtureResult, warnOfGasLimit, warnOfNetwork } from './banner.ts'
import { commandOf } from './command.ts'
import { EventPrinter, type EventPrinterOptions } from './eventPrinter.ts'
import { subcommandOf } from './features.ts'
import { defaultOf, runFixture } from './fixtures.ts'
import { type Invocation, listenOptionsOf, parseFlags } from './invocation.ts'
import { NetworkUse } from './networkUse.ts'
import { Printer, skippedAsJson, skippedAsText } from './printer.ts'

/** The exit code of a failed command. Invalid flags or configuration exit with `BAD_FLAGS`. */
const FAILED = 1
const BAD_FLAGS = 2

/** Milliseconds to wait at exit until a slow reader has taken the last lines. */
const LAST_LINES_MS = 2_000

const { argv } = process
const isJson = argv.includes('--json')
const out = new Printer(process.stdout, isJson ? skippedAsJson : skippedAsText)
const errors = new Printer(process.stderr, (lines) => `… ${lines} lines left out`)
let networkUse: NetworkUse | undefined

function print(line: string): void {
  networkUse?.hide()
  out.print(line)
}

let isEnding = false
let config: Config | undefined
let hasLost = false

async function main(): Promise<void> {
  const command = commandOf(argv)
  const subcommand = subcommandOf(command)
  if (subcommand === undefined || subcommand.usesConfig(command)) {
    config = await configAt(command.opts<{ config?: string }>().config)
  }
  const parsed = subcommand?.parse(command, config) ?? parsedRun()
  if (config !== undefined) {
    if (parsed.format === 'text') print(`config ${config.file}`)
    else if (parsed.format === 'json') print(JSON.stringify({ event: 'config', file: config.file }))
  }
  process.exitCode = await parsed.run({ format: parsed.format, print, warn, warnOfLoss })
}

async function configAt(named: string | undefined): Promise<Config | undefined> {
  const file = findConfig(named)
  if (file === undefined) return undefined
  const format: Format = argv.includes('--silent') ? 'silent' : isJson ? 'json' : 'text'
  const progress = new Progress(`reading ${file}`, { format, print })
  return readConfig(file, defaultOf).finally(() => progress.end())
}

function parsedRun(): ParsedCommand {
  const invocation = parseFlags(argv, config)
  return { format: invocation.format, run: (output) => run(invocation, output) }
}

/** Runs `preseal` or `preseal serve`: creates the devnet, and listens until a signal. Returns the exit code. */
async function run(invocation: Invocation, output: CommandOutput): Promise<number> {
  const { mnemonicWords, parts } = invocation
  const outputs = await Promise.all(parts.map((part) => part.outputs?.() ?? []))
  await requireWritable(outputs.flat())
  let { options } = invocation
  if (mnemonicWords !== undefined) options = { ...options, mnemonic: await randomMnemonic(mnemonicWords) }
  for (const part of parts) options = (await part.prepare?.(options)) ?? options
  const { fork, consoleLogs = true } = options
  if (fork !== undefined) networkUse = new NetworkUse(output)
  // The event printer, not the devnet, prints `console.log` output, in order with other events.
  const devnet = await createDevnet({ ...options, consoleLogs: false })
  const hasHyperlinks = createSupportsHyperlinks(process.stdout)
  const eventOptions = { ...invocation, hasHyperlinks, consoleLogs }
  const printers = printersOf(devnet, eventOptions, print)
  let close = async () => {
    for (const part of parts) await part.end?.()
    // Printing the call trees needs an open devnet.
    await flush(printers)
    await devnet.close()
    await flush(printers)
    for (const part of parts) await part.write?.(devnet, output)
  }
  endOnSignals(async () => {
    isEnding = true
    await close().catch(fail)
    if (fork !== undefined) networkUse?.end(fork)
    await Promise.all([out.flush(LAST_LINES_MS), errors.flush(LAST_LINES_MS)])
    process.exit(hasLost ? FAILED : 0)
  }, warn)
  for (const part of parts) await part.load?.(devnet, output)
  await prepareArtifacts(devnet, output)
  const listenOptions = listenOptionsOf(invocation)
  for (const part of parts) await part.begin?.(devnet, output, listenOptions)
  const fixtures: FixtureResult[] = []
  for (const file of invocation.fixtures) {
    fixtures.push({ file, values: await runFixture(devnet, file, output) })
  }
  const { serve } = invocation
  if (serve === undefined) for (const part of parts) part.onBuilt?.(devnet, output)
  const beginChain: BeginDevnet = (chain, { name, pageUrl }) => {
    const events = printersOf(chain, eventOptions, print, name)
    begin(events, pageUrl)
    for (const part of parts) part.onListening?.(chain).catch(warn)
    return { flush: () => flush(events) }
  }
  const opening = serve?.(devnet, listenOptions, beginChain) ?? devnet.listen(listenOptions)
  const listener = await opening.catch((error) => {
    throw new ListenFailed(listenText(error, invocation), { cause: error })
  })
  if (serve !== undefined) close = () => listener.close()
  await announce(devnet, listener, fixtures, invocation, { print, hasHyperlinks })
  warnOfNetwork(invocation, warn)
  warnOfGasLimit(devnet.settings, invocation, warn)
  if (serve !== undefined) await devnet.close()
  else {
    begin(printers, listener.pageUrl)
    for (const part of parts) await part.onListening?.(devnet)
  }
  await openPage(listener.pageUrl, invocation, warn)
  return 0
}

/** Returns the printers of a devnet's events and, if it has an L1, of those of its L1. */
function printersOf(
  devnet: Devnet,
  options: EventPrinterOptions,
  print: (line: string) => void,
  name?: string,
): readonly EventPrinter[] {
  const printedFor = (chain: Devnet, name: string | undefined) => {
    const printNamed = (line: string) => print(withName(name!, line, options.format))
    return new EventPrinter(chain, options, name === undefined ? print : printNamed)
  }
  const own = printedFor(devnet, name)
  return devnet.l1 === undefined
    ? [own]
    : [own, printedFor(devnet.l1, name === undefined ? 'l1' : `${name}/l1`)]
}

function begin([own, ofL1]: readonly EventPrinter[], pageUrl: string | undefined): void {
  own!.begin(pageUrl)
  ofL1?.begin()
}

async function flush(printers: readonly EventPrinter[]): Promise<void> {
  await Promise.all(printers.map((printer) => printer.flush()))
}

function withName(name: string, line: string, format: Format): string {
  return format === 'json' ? `{"chain":"${name}",${line.slice(1)}` : `${pc.magenta(name)}  ${line}`
}

class ListenFailed extends Error {}

function listenText(error: unknown, { host, port }: Invocation): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; choose another with --port, or 0 for a free one`
    case 'EACCES':
      return `port ${port} needs more privileges; choose a port above 1023 with --port`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; choose another with --host`
    default:
      return `cannot listen on ${host}:${port}: ${errorText(error)}`
  }
}

function warnOfLoss(error: unknown): void {
  hasLost = true
  warn(error)
}

function warn(error: unknown): void {
  networkUse?.hide()
  errors.print(`preseal: ${errorText(error)}`)
}

/** Returns an error that names the place of the invalid option: a flag, or the configuration file. */
function toInvalid(error: InvalidOption): InvalidFlag {
  const [name = ''] = error.option.split('.')
  const isFlag = config === undefined || !Object.hasOwn(config.options, name)
  return isFlag ? toInvalidFlag(error) : new InvalidFlag(`config ${config!.file}: ${error.message}`)
}

/** Errors caused by users or networks, printed without a stack. Any other error is a defect. */
const EXPECTED = [InvalidFlag, ConfigFailed, FileFailed, ListenFailed, UpstreamFailed, WrongCache]

function fail(error: unknown): never {
  networkUse?.hide()
  const shown = error instanceof InvalidOption ? toInvalid(error) : error
  const isExpected = EXPECTED.some((kind) => shown instanceof kind)
  process.stderr.write(`preseal: ${isExpected ? (shown as Error).message : (error as Error).stack}\n`)
  process.exit(shown instanceof InvalidFlag || shown instanceof ConfigFailed ? BAD_FLAGS : FAILED)
}

/** Resolves when the devnet listens, or when the command has ended. */
export const running = main().catch((error) => {
  // Errors of work that a signal interrupted are not reported.
  if (!isEnding) fail(error)
})
