/** Describes a failed test as a JSON value: its errors, the lines of code around them, and the code that reverted. */
import { relative, resolve } from 'node:path'
import type { Devnet } from '../../devnet/devnet.ts'
import type { FoundStory } from '../../explore/found.ts'
import type { FailedRequest } from '../../recording/recorder.ts'
import { frameText, type SolidityStackTrace } from '../../solidity/stackTrace/format.ts'
import { partsOf } from '../../testing/matchers/failure.ts'
import type { RecordedChain } from './recordedChains.ts'

const { readFileSync } = process.getBuiltinModule('node:fs')
const { fileURLToPath } = process.getBuiltinModule('node:url')
const { inspect, stripVTControlCharacters } = process.getBuiltinModule('node:util')

/** A failed test as its runner describes it. */
export interface FailedTest {
  /** The names of the suites and of the test. */
  readonly names: readonly string[]
  readonly file: string
  /** The line of the test in its file, if the runner knows it. */
  readonly line?: number | undefined
  readonly errors: readonly unknown[]
  /** Whether the runner will run the test again. */
  readonly isRetried?: boolean | undefined
  /** The story that an exploration of the test found. */
  readonly story?: FoundStory | undefined
}

export interface TestFailure {
  readonly test: string
  /** The file of the test, relative to the working folder. */
  readonly file: string
  readonly errors: readonly FailureError[]
  readonly reverted?: RevertedRun | undefined
}

export interface FailureError {
  readonly name: string
  readonly message: string
  /** Lines that begin with `-` are expected, and those with `+` are received. */
  readonly diff?: string | undefined
  /** The story that an exploration found, if the error tells it. */
  readonly story?: FoundStory | undefined
  /** The frames in Solidity, innermost first. */
  readonly solidity: readonly FailureFrame[]
  /** The frames in files of the project, innermost first. */
  readonly test: readonly FailureFrame[]
}

export interface FailureFrame {
  readonly function?: string | undefined
  /** The path relative to the working folder. */
  readonly file: string
  /** `undefined` if the optimizer lost the position. Lines and columns count from 1. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** The lines around `line`, if the file can be read. */
  readonly excerpt?: { readonly firstLine: number; readonly text: string } | undefined
}

/** The transaction, call or estimate that failed before the test did. */
export interface RevertedRun {
  /** Whether this run caused the test's error. If not, this run is only the last run that failed. */
  readonly isCause: boolean
  readonly message: string
  readonly solidity: readonly FailureFrame[]
  /** The hash of the transaction, whose trace shows the calls; `undefined` for a request. */
  readonly transaction?: string | undefined
  readonly method?: string | undefined
  /** The calls of the request, if the request caused the error. */
  readonly calls?: Awaited<ReturnType<FailedRequest['calls']>>
}

/** Returns whether `error` tells the story. Runners keep only the texts of errors. */
export function tells(error: unknown, { failed }: FoundStory): boolean {
  return partsOf(error).some(({ message }) => textIn(message)?.includes(failed))
}

/** Resolves to the failure of a test, with the run of `chain` that failed. Reads source files. */
export async function failureOf(test: FailedTest, chain: RecordedChain): Promise<TestFailure> {
  const here = chain.kind === 'here' ? chain : undefined
  const textOf = await sourceTexts(here?.devnet)
  const errors = test.errors.map((error) => errorOf(error, test, textOf))
  const reverted = here && (await revertedRun(errors, here, textOf).catch(() => undefined))
  return { test: test.names.join(' > '), file: relative('', test.file), errors, reverted }
}

type TextOf = (file: string) => string | undefined

/** Resolves to a function that returns the text of a file. For Solidity, prefers the source in the artifacts. */
async function sourceTexts(devnet: Devnet | undefined): Promise<TextOf> {
  const contracts = (await devnet?.artifacts.contracts().catch(() => [])) ?? []
  const compilations = [...new Set(contracts.map(({ compilation }) => compilation))]
  return (file) => {
    try {
      for (const compilation of isSolidity(file) ? compilations : []) {
        const { sources } = compilation.input
        const name = Object.keys(sources).find((source) => compilation.pathOf(source) === file)
        const text = name === undefined ? undefined : sources[name]?.content
        if (text !== undefined) return text
      }
      return readFileSync(resolve(file), 'utf8')
    } catch {
      return undefined
    }
  }
}

const isSolidity = (file: string) => /\.(sol|yul)$/i.test(file)

/** Maximum number of characters of a text. */
const MOST_LETTERS = 20_000
/** Maximum number of frames of a stack trace. */
const MOST_FRAMES = 20

function errorOf(thrown: unknown, test: FailedTest, textOf: TextOf): FailureError {
  const all = partsOf(thrown)
  // node:test wraps the error that a test has thrown.
  const parts = all[0]?.code === 'ERR_TEST_FAILURE' && all.length > 1 ? all.slice(1) : all
  const error = parts[0] ?? { message: String(thrown) }
  const stack = textIn(error.stack) ?? ''
  const said = textIn(error.message) ?? textIn(error.value) ?? inspect(thrown)
  // Playwright keeps the name of an error only in its message.
  const named = /^(\w*Error|RuleBroken|StoryFailed): /.exec(said)?.[1]
  const message = named === undefined ? said : said.slice(named.length + 2)
  const stacks = [stack, message, ...parts.map((part) => textIn(part.stack) ?? '')]
  const own = framesIn(stack, textOf).filter(({ file }) => !isSolidity(file))
  const isLocated = own.some(({ file }) => resolve(file) === resolve(test.file))
  return {
    name: named ?? textIn(error.name) ?? 'Error',
    message: message
      .replace(/\n\s+at [^\n]+/g, '')
      .trim()
      .slice(0, MOST_LETTERS),
    diff: differenceIn(error)?.slice(0, MOST_LETTERS),
    story: test.story && tells(thrown, test.story) ? test.story : undefined,
    solidity:
      stacks
        .map((each) => framesIn(each, textOf).filter(({ file }) => isSolidity(file)))
        .find(({ length }) => length > 0) ?? [],
    test: isLocated ? own : [...own, declarationOf(test, textOf)],
  }
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? stripVTControlCharacters(value) : undefined
}

function differenceIn({ diff, expected, actual }: Readonly<Record<string, unknown>>): string | undefined {
  if (diff !== undefined || expected === undefined || actual === undefined) return textIn(diff)
  const [left, right] = [expected, actual].map((value) => textIn(value) ?? inspect(value))
  return `- ${left}\n+ ${right}`
}

const FRAME = /^\s+at (?:async )?(?:(.+) \()?(.+?)(?::(\d+):(\d+))?\)?$/
const OF_OTHERS = /[\\/]node_modules[\\/]|^node:|^\w+:\/\//

/** Returns the frames of a stack trace that are in Solidity or in a file of the project. */
function framesIn(stack: string, textOf: TextOf): FailureFrame[] {
  const frames = stack.split('\n').flatMap((each) => {
    const [, name, place = '', line, column] = FRAME.exec(each) ?? []
    if (isSolidity(place)) return [frameAt({ function: name, file: place, line, column }, textOf)]
    const path = place.startsWith('file:///') ? fileURLToPath(place) : place
    const isOfProject = line !== undefined && /[\\/]/.test(path) && !OF_OTHERS.test(path)
    return isOfProject ? [frameAt({ function: name, file: relative('', path), line, column }, textOf)] : []
  })
  return frames.slice(0, MOST_FRAMES)
}

type Place = Pick<FailureFrame, 'function' | 'file'> &
  Partial<Record<'line' | 'column', string | number | undefined>>

/** Number of source lines before and after a position. */
const AROUND = 3

function frameAt({ function: name, file, ...place }: Place, textOf: TextOf): FailureFrame {
  const [line, column] = [place.line, place.column].map((each) => (each === undefined ? each : Number(each)))
  const lines = line === undefined ? [] : (textOf(file)?.split(/\r?\n/) ?? [])
  if (line === undefined || line > lines.length) return { function: name, file, line, column }
  const firstLine = Math.max(1, line - AROUND)
  const text = lines.slice(firstLine - 1, line + AROUND).join('\n')
  return { function: name, file, line, column, excerpt: { firstLine, text } }
}

/** Returns the line that declares the test, for errors without a frame in the test file, such as timeouts. */
function declarationOf({ names, file, line }: FailedTest, textOf: TextOf): FailureFrame {
  const lines = textOf(file)?.split('\n') ?? []
  const found = lines.findIndex((each) => each.includes(names.at(-1) ?? file))
  return frameAt({ file: relative('', file), line: line ?? (found < 0 ? undefined : found + 1) }, textOf)
}

/** A run that failed, of a transaction or of a request. */
interface FailedRun {
  readonly transaction?: string
  readonly method?: string
  readonly message: string
  readonly blockNumber: bigint
  readonly stackTrace: SolidityStackTrace | undefined
  readonly calls?: FailedRequest['calls']
}

/** Finds the run that caused the errors, by transaction hash or Solidity position; if none fits, the last run. */
async function revertedRun(
  errors: readonly FailureError[],
  { devnet, recording }: Extract<RecordedChain, { kind: 'here' }>,
  textOf: TextOf,
): Promise<RevertedRun | undefined> {
  const requests = recording.failed
    .toReversed()
    .map(async (one) => ({ ...one, stackTrace: await one.stackTrace?.soon() }))
  const transactions = await failedTransactions(devnet).catch(() => [])
  const runs: FailedRun[] = [...(await Promise.all(requests)), ...transactions]
  // The sort is stable: of a transaction and a request in one block, the request comes first.
  runs.sort((one, other) => Number(other.blockNumber - one.blockNumber))
  const solidityOf = ({ stackTrace }: FailedRun) =>
    framesIn((stackTrace?.frames ?? []).map((frame) => `  at ${frameText(frame)}`).join('\n'), textOf)
  const places = errors.map(({ solidity }) => placesOf(solidity)).filter((place) => place !== '')
  const words = errors.map(({ message }) => message).join('\n')
  const found =
    runs.find(({ transaction }) => transaction !== undefined && words.includes(transaction)) ??
    runs.find((run) => places.includes(placesOf(solidityOf(run))))
  const run = found ?? runs[0]
  if (run === undefined) return undefined
  const isCause = found !== undefined || (places.length === 0 && /revert|panick?ed|out of gas/i.test(words))
  const { transaction, method, stackTrace, message, calls } = run
  return {
    isCause,
    message: stackTrace?.message ?? message,
    solidity: solidityOf(run),
    transaction,
    method,
    calls: isCause ? await calls?.() : undefined,
  }
}

function placesOf(frames: readonly FailureFrame[]): string {
  return frames.map(({ file, line, column }) => `${file}:${line}:${column}`).join(' ')
}

/** Resolves to the newest transactions that failed, newest first. Rejects if the devnet is closed. */
async function failedTransactions(devnet: Devnet): Promise<FailedRun[]> {
  const ask = (method: string, params: readonly unknown[]) => devnet.faultlessRequest(method, params)
  const search = { state: 'failed', limit: MOST_FRAMES }
  const { transactions } = (await ask('preseal_searchTransactions', [search])) as {
    readonly transactions: readonly { readonly hash: string; readonly blockNumber: string }[]
  }
  return Promise.all(
    transactions.map(async ({ hash, blockNumber }) => {
      const { failure, stackTrace } = (await ask('preseal_explain', [hash, true])) as {
        readonly failure: string
        readonly stackTrace?: SolidityStackTrace
      }
      return { transaction: hash, message: failure, blockNumber: BigInt(blockNumber), stackTrace }
    }),
  )
}
