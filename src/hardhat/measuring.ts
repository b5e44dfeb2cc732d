/** Measures gas (`--gas-stats`) and coverage (`--coverage`) of the devnets of a run, for the reports of Hardhat. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { HookContext } from 'hardhat/types/hooks'
import picomatch from 'picomatch'
import { measureCoverage, type ProcessHits } from '../measuring/coverage.ts'
import { measureGas } from '../measuring/gas.ts'
import { coverageOfRun } from '../measuring/reporters/coverage/coverageReport.ts'
import { type Measurement, resultsIn } from '../measuring/results.ts'
import type { FileCoverage } from '../solidity/coverage/coverage.ts'
import type { GasFigures } from '../solidity/gas/figures.ts'

/** The measurements of this process. */
let gas: Measurement<GasFigures> | undefined
let coverage: Measurement<ProcessHits> | undefined

/** Starts to measure. Hardhat creates the environment before any devnet. */
export function startMeasuring(context: HookContext): void {
  if (measuresGas(context)) gas ??= measureGas()
  if (measuresCoverage(context)) coverage ??= measureCoverage(folderOf(context))
}

function measuresGas({ globalOptions, config }: HookContext): boolean {
  const { gasStats, gasStatsJson } = globalOptions
  return (gasStats || gasStatsJson !== undefined) && hasDevnets(config)
}

export function measuresCoverage({ globalOptions, config }: HookContext): boolean {
  return globalOptions.coverage && hasDevnets(config, globalOptions.network ?? 'default')
}

function hasDevnets({ networks }: HookContext['config'], name?: string): boolean {
  const all = name === undefined ? Object.values(networks) : [networks[name]]
  return all.some((network) => network !== undefined && 'devnet' in network)
}

/** Passes the gas of all transactions since the last call on to Hardhat. */
export async function reportGas({ hooks }: HookContext): Promise<void> {
  if (gas === undefined) return
  await gas.load()
  const figures = gas.result()
  gas.end()
  gas = measureGas()
  for (const { name, source = name, functions, deployment } of figures) {
    const contractFqn = `${source}:${name}`
    const tell = async (
      times: number,
      of: { gas: number } & ({ functionSig: string } | { runtimeSize: number }),
    ) => {
      const measurement =
        'functionSig' in of
          ? { type: 'function' as const, contractFqn, proxyChain: [], ...of }
          : { type: 'deployment' as const, contractFqn, ...of }
      for (let i = 0; i < times; i++) {
        await hooks.runParallelHandlers('network', 'onGasMeasurement', [measurement])
      }
    }
    for (const [functionSig, measured] of Object.entries(functions)) {
      for (const [gas, times] of measured.gas) await tell(times, { gas, functionSig })
    }
    if (deployment === undefined) continue
    for (const [gas, times] of deployment.gas) await tell(times, { gas, runtimeSize: deployment.codeSize })
  }
}

/** The folder in which processes of a run share what their devnets ran. */
function folderOf({ config }: HookContext, ...below: string[]): string {
  return join(config.paths.cache, 'preseal-coverage', ...below)
}

export function clearHits(context: HookContext, id: string): void {
  if (measuresCoverage(context)) rmSync(folderOf(context, id), { recursive: true, force: true })
}

export function writeHits(context: HookContext, id: string): void {
  if (coverage === undefined) return
  mkdirSync(folderOf(context, id), { recursive: true })
  writeFileSync(folderOf(context, id, `${process.pid}.json`), JSON.stringify(coverage.result()))
}

/** The part of Hardhat that collects statements and prints coverage. It is in no public type. */
interface CoverageManager {
  addMetadata(statements: readonly Statement[]): Promise<void>
  addData(tags: readonly string[]): Promise<void>
  saveData(id: string): Promise<void>
}

interface Statement {
  readonly relativePath: string
  readonly tag: string
  readonly startUtf16: number
  readonly endUtf16: number
}

/** Passes the statements of all sources, and those that ran, on to Hardhat. */
export async function reportCoverage(context: HookContext, id: string): Promise<void> {
  if (!measuresCoverage(context) || !existsSync(folderOf(context, id))) return
  const { _coverage: manager } = context as HookContext & { readonly _coverage?: CoverageManager }
  if (manager === undefined)
    throw new Error('coverage: this version of Hardhat has no report that preseal knows')
  const { paths, coverage: settings } = context.config
  const isSkipped = picomatch(settings.skipFiles, { dot: true })
  const runs = resultsIn<ProcessHits>(folderOf(context, id))
  const { files } = await coverageOfRun(runs, folderOf(context), {
    artifacts: [paths.artifacts],
    counts(path) {
      const name = relative(paths.root, resolve(path)).replaceAll('\\', '/')
      const isInTests = resolve(path).startsWith(join(paths.tests.solidity, '/'))
      const isOfProject = !name.startsWith('../') && !name.includes('node_modules/')
      return isOfProject && !isInTests && !name.endsWith('.t.sol') && !isSkipped(name) && existsSync(path)
    },
    onProblem: (text) => console.warn(`preseal: ${text}`),
  })
  const all = Object.values(files).flatMap((file) => statementsOf(file, paths.root))
  await manager.addMetadata(all.map(({ statement }) => statement))
  await manager.addData(all.filter(({ hasRun }) => hasRun).map(({ statement }) => statement.tag))
  await manager.saveData(id)
}

function statementsOf({ path, statementMap, s }: FileCoverage, root: string) {
  const relativePath = relative(root, path)
  const starts = [0, ...[...readFileSync(path, 'utf8').matchAll(/\n/g)].map(({ index }) => index + 1)]
  const offset = ({ line, column }: { line: number; column: number }) => starts[line - 1]! + column
  return Object.entries(statementMap).map(([key, { start, end }]) => {
    const tag = `${relativePath}:${key}`
    const statement: Statement = { relativePath, tag, startUtf16: offset(start), endUtf16: offset(end) }
    return { statement, hasRun: s[key]! > 0 }
  })
}
