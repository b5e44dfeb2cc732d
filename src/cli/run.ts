/** The command line: parses flags into options, creates the devnet, runs fixtures, listens, and prints a banner. */

import { createSupportsHyperlinks } from 'supports-hyperlinks'
import { createDevnet } from '../devnet/createDevnet.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { randomMnemonic } from '../model/developmentAccounts.ts'
import { InvalidOption } from '../options/values.ts'
import type { Listener } from '../server/listen.ts'
import { UpstreamFailed, WrongCache } from '../upstream/upstream.ts'
import { reportArtifacts } from './artifacts.ts'
import { type FixtureResult, printBanner, toldOf, warnOfGasLimit, warnOfNetwork } from './banner.ts'
import {
  ChainFileFailed,
  exportFile,
  exportGenesisFile,
  findBlockFile,
  importFile,
  readGenesis,
  reportImport,
} from './chainFiles.ts'
import { comparedFileOf, configOf } from './command.ts'
import { type Config, ConfigFailed, readConfig } from './configFile.ts'
import { FaultFileFailed, readFaults } from './faultFile.ts'
import { FixtureFailed, runFixture } from './fixtures.ts'
import { parseFlags, reportOf, toInvalidFlag } from './flags.ts'
import { InvalidFlag } from './flagTable.ts'
import { type Invocation, listenOptionsOf } from './invocation.ts'
import { withLinks } from './links.ts'
import { NetworkUse } from './networkUse.ts'
import { requireWritable } from './outputs.ts'
import { openPage } from './page.ts'
import { Printer, skippedAsJson, skippedAsText } from './printer.ts'
import { RecordFile } from './recordFile.ts'
import { replayFile } from './replay.ts'
import { Reporter } from './report.ts'
import { serve } from './serve.ts'
import { endOnSignals } from './signals.ts'
import { findStateFile, loadFile, optionsFor, StateDump, type StateFile } from './stateFiles.ts'

/** Exit codes: the command failed; the command line was invalid. */
const FAILED = 1
const BAD_FLAGS = 2

/** Milliseconds for a slow reader to read the last lines. */
const LAST_LINES_MS = 2_000

const { argv } = process
const isJson = argv.includes('--json')
const out = new Printer(process.stdout, isJson ? skippedAsJson : skippedAsText)
const errors = new Printer(process.stderr, (lines) => `… ${lines} lines left out`)
/** What is asked of the network of a fork, if there is one. */
let networkUse: NetworkUse | undefined

function print(line: string): void {
  networkUse?.hide()
  out.print(line)
}

let isEnding = false
/** The configuration file, once it has been read. */
let config: Config | undefined
/** Whether an output file could not be written. */
let hasLost = false

/** Returns the parsed command line and configuration file. */
async function invocationOf(): Promise<Invocation> {
  const { file } = configOf(argv)
  const isSilent = argv.includes('--silent')
  config = await readConfig(file, { report: isSilent ? 'silent' : isJson ? 'json' : 'text', print })
  const invocation = parseFlags(argv, config)
  const { mnemonicWords, options } = invocation
  reportConfig(invocation)
  if (mnemonicWords === undefined) return invocation
  return { ...invocation, options: { ...options, mnemonic: await randomMnemonic(mnemonicWords) } }
}

/** Says which configuration file was read, if one was. */
function reportConfig({ report }: Pick<Invocation, 'report'>): void {
  if (config === undefined) return
  if (report === 'text') print(`config ${config.file}`)
  else if (report === 'json') print(JSON.stringify({ event: 'config', file: config.file }))
}

async function main(): Promise<void> {
  const compared = comparedFileOf(argv)
  if (compared !== undefined) {
    const { compareFile } = await import('./compare.ts')
    process.exitCode = await compareFile(compared, print)
    return
  }
  const reported = reportOf(argv)
  if (reported !== undefined) {
    const { writeReport } = await import('./reportFile.ts')
    if (reported.hasNames) {
      config = await readConfig(configOf(argv).file, { report: reported.report, print })
      reportConfig(reported)
    }
    await writeReport(
      { ...reported, artifacts: reported.artifacts ?? config?.options.artifacts },
      print,
      warn,
    )
    return
  }
  const invocation = await invocationOf()
  if (invocation.replay !== undefined) {
    process.exitCode = await replayFile(invocation, invocation.replay, print)
    return
  }
  const { init, importFrom, options, report } = invocation
  const manner = { report, print }
  await requireWritable(invocation)
  const faults = invocation.faults === undefined ? [] : await readFaults(invocation.faults)
  const bringIn = importFrom === undefined ? undefined : await prepareImport(importFrom, invocation)
  const genesis = init === undefined ? {} : { genesis: await readGenesis(init) }
  const state = await findStateFile(invocation)
  const rules = state === undefined ? options : await optionsFor(state, invocation)
  const { fork } = rules
  if (fork !== undefined) networkUse = new NetworkUse(manner)
  // The reporter prints `console.log` output in order with its other lines.
  const devnet = await createDevnet({ ...rules, ...genesis, consoleLogs: false })
  const hasHyperlinks = createSupportsHyperlinks(process.stdout)
  const consoleLogs = options.consoleLogs !== false
  const reporter = new Reporter(devnet, { ...invocation, hasHyperlinks, consoleLogs }, print)
  const dump = invocation.dump && new StateDump(devnet, invocation.dump, manner, warn)
  const record =
    invocation.recordTo === undefined ? undefined : new RecordFile(devnet, invocation.recordTo, warnOfLoss)
  let close = () => end(devnet, reporter, { dump, record }, invocation)
  endOnSignals(async () => {
    isEnding = true
    await close().catch(fail)
    if (fork !== undefined) networkUse?.end(fork)
    await Promise.all([out.flush(LAST_LINES_MS), errors.flush(LAST_LINES_MS)])
    process.exit(hasLost ? FAILED : 0)
  }, warn)
  if (state !== undefined) reportLoaded(state, await loadFile(devnet, state, manner), invocation)
  // Nothing but a state file was waited for since there is a devnet, so that the import begins before its first tick.
  await bringIn?.(devnet)
  await reportArtifacts(devnet, manner)
  if (record !== undefined) reportRecording(invocation, await record.begin())
  const fixtures: FixtureResult[] = []
  for (const file of invocation.fixtures) {
    fixtures.push({ file, values: await runFixture(devnet, file, manner) })
  }
  if (invocation.serve !== undefined) {
    const base = { devnet, faults }
    const serving = await listening(serve(base, invocation, { print, warn, hasHyperlinks }), invocation)
    close = () => serving.close()
    await serving.announce(devnet, fixtures, invocation, print)
    warnOfNetwork(invocation, warn)
    warnOfGasLimit(devnet.settings, invocation, warn)
    await devnet.close()
    await openPage(serving.server.pageUrl, invocation, warn)
    return
  }
  // Not earlier: the state of a fixture that failed must not replace the file.
  dump?.begin()
  const listener = await listening(devnet.listen(listenOptionsOf(invocation)), invocation)
  await announce(devnet, { listener, hasHyperlinks }, fixtures, invocation)
  warnOfNetwork(invocation, warn)
  warnOfGasLimit(devnet.settings, invocation, warn)
  reporter.begin(listener.pageUrl)
  // Faults are planned after the preparation, and before clients learn the port.
  await Promise.all(faults.map((fault) => devnet.faults.add(fault)))
  await openPage(listener.pageUrl, invocation, warn)
}

function reportLoaded(
  { file }: StateFile,
  { number, hash }: { number: bigint; hash: string },
  { report }: Invocation,
): void {
  if (report === 'text') print(`loaded ${file}: block ${number} (${hash})`)
  else if (report === 'json') print(JSON.stringify({ event: 'loaded', file, number: Number(number), hash }))
}

/** Says that requests are recorded from now on, and where; `earlier` is the new name of an earlier recording. */
function reportRecording({ recordTo: file, report }: Invocation, earlier: string | undefined): void {
  const kept = earlier === undefined ? '' : `; the earlier one is ${earlier}`
  if (report === 'text') print(`recording to ${file}${kept} (\`preseal replay ${file}\` repeats it)`)
  else if (report === 'json') print(JSON.stringify({ event: 'recording', file, earlier }))
}

/** Reads all that an import needs, so that it can begin as soon as there is a devnet. */
async function prepareImport(
  file: string,
  { report, importRules }: Invocation,
): Promise<(devnet: Devnet) => Promise<void>> {
  const blocks = await findBlockFile(file)
  const reported = reportImport(file, { report, print })
  return async (devnet) => {
    let result: Awaited<ReturnType<typeof importFile>> | undefined
    try {
      result = await importFile(devnet, blocks, importRules, reported.onProgress)
    } finally {
      reported.end(result)
    }
  }
}

/** Resolves with the listener, or rejects with a message for users. */
async function listening<T>(beginning: Promise<T>, { port, host }: Invocation): Promise<T> {
  try {
    return await beginning
  } catch (error) {
    throw new ListenFailed(listenText(error, host, port), { cause: error })
  }
}

class ListenFailed extends Error {}

function listenText(error: unknown, host: string, port: number): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; choose another with --port, or 0 for a free one`
    case 'EACCES':
      return `port ${port} may not be taken without more rights; choose one above 1023 with --port`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; choose another with --host`
    default:
      return `cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : error}`
  }
}

async function announce(
  devnet: Devnet,
  { listener, hasHyperlinks }: { readonly listener: Listener; readonly hasHyperlinks: boolean },
  fixtures: readonly FixtureResult[],
  { report, isJson }: Invocation,
): Promise<void> {
  const { url, host, port, pageUrl } = listener
  if (report === 'text') {
    await printBanner(devnet, listener, fixtures, (line) =>
      print(withLinks({ pageUrl, hasHyperlinks }, line)),
    )
    if (pageUrl !== undefined) print(`Page at ${pageUrl}`)
    print(`Listening on ${host}:${port}`)
  } else if (isJson) {
    print(JSON.stringify({ event: 'listening', url, host, port, page: pageUrl, ...toldOf(devnet), fixtures }))
  }
}

/**
 * Ends the devnet and writes the output files. A file that cannot be written is reported, and the others are still
 * written.
 */
async function end(
  devnet: Devnet,
  reporter: Reporter,
  { dump, record }: { dump: StateDump | undefined; record: RecordFile | undefined },
  { exportTo, exportGenesisTo, report }: Invocation,
): Promise<void> {
  await record?.end()
  // A closed devnet does not return the calls of its transactions.
  await reporter.flush()
  await devnet.close()
  await reporter.flush()
  await dump?.end().catch(warnOfLoss)
  if (exportTo !== undefined) await exportFile(devnet, exportTo, { report, print }).catch(warnOfLoss)
  if (exportGenesisTo !== undefined) await exportGenesisFile(devnet, exportGenesisTo).catch(warnOfLoss)
}

function warnOfLoss(error: unknown): void {
  hasLost = true
  warn(error)
}

function warn(error: unknown): void {
  networkUse?.hide()
  errors.print(`preseal: ${error instanceof Error ? error.message : error}`)
}

/** Returns the error of an option as that of its source: a flag, or a file. */
function toInvalid(error: InvalidOption): InvalidFlag {
  const [name = ''] = error.option.split('.')
  const isFlag = config === undefined || !Object.hasOwn(config.options, name)
  return isFlag ? toInvalidFlag(error) : new InvalidFlag(`config ${config!.file}: ${error.message}`)
}

function fail(error: unknown): never {
  networkUse?.hide()
  const wrong = error instanceof InvalidOption ? toInvalid(error) : error
  const isExpected =
    wrong instanceof InvalidFlag ||
    wrong instanceof ConfigFailed ||
    wrong instanceof ChainFileFailed ||
    wrong instanceof FixtureFailed ||
    wrong instanceof FaultFileFailed ||
    wrong instanceof ListenFailed ||
    wrong instanceof UpstreamFailed ||
    wrong instanceof WrongCache
  process.stderr.write(`preseal: ${isExpected ? (wrong as Error).message : (error as Error).stack}\n`)
  process.exit(wrong instanceof InvalidFlag ? BAD_FLAGS : FAILED)
}

/** Resolves when the devnet listens, or when the command has ended. */
export const running = main().catch((error) => {
  // Errors of work that was interrupted by the end are not reported.
  if (!isEnding) fail(error)
})
