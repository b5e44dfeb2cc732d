/** Formats gas figures as a table for terminals, as Markdown and as JSON. */
import { grouped } from '../../model/collections/grouped.ts'
import {
  type ContractFigures,
  type GasFigures,
  type GasStatistics,
  type Measured,
  statisticsOf,
} from './figures.ts'

/** Maximum length of deployed code (EIP-170), in bytes. */
const CODE_SIZE_LIMIT = 24_576
/** Maximum length of init code (EIP-3860), in bytes. */
const INIT_CODE_SIZE_LIMIT = 49_152

/** Gas figures as JSON, with the same members as the output of Hardhat's `--gas-stats-json`. */
export interface GasJson {
  /** Contracts by name, or by `source:name` if several contracts have the name. */
  readonly contracts: Readonly<Record<string, ContractJson>>
}

export interface ContractJson {
  readonly contractName: string
  readonly sourceName: string | null
  /** `null` if no transaction deployed the contract. */
  readonly deployment:
    | (StatisticsJson & { readonly runtimeSize: number; readonly initCodeSize: number })
    | null
  /** Statistics by function name, or by signature if the function is overloaded. `null` if no function was called. */
  readonly functions: Readonly<Record<string, StatisticsJson>> | null
}

/** Gas of successful transactions (zeros if there are none), and the number of failed ones. */
export interface StatisticsJson extends GasStatistics {
  readonly failed: number
}

export function gasJson(figures: GasFigures): GasJson {
  const contracts = figures.map((contract) => {
    const { name, source, deployment } = contract
    const functions = functionsOf(contract).map(([shown, measured]) => [shown, statisticsJson(measured)])
    const json: ContractJson = {
      contractName: name,
      sourceName: source ?? null,
      deployment:
        deployment === undefined
          ? null
          : {
              ...statisticsJson(deployment),
              runtimeSize: deployment.codeSize,
              initCodeSize: deployment.initCodeSize,
            },
      functions: functions.length === 0 ? null : Object.fromEntries(functions),
    }
    return [titleOf(contract, figures), json]
  })
  return { contracts: Object.fromEntries(contracts) }
}

function statisticsJson(measured: Measured): StatisticsJson {
  const none = { min: 0, max: 0, avg: 0, median: 0, count: 0 }
  return { ...(statisticsOf(measured) ?? none), failed: measured.failed }
}

export function gasText(figures: GasFigures): string {
  return tablesOf(figures, '  ')
    .map(({ heads, rows }) => {
      const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]?.length ?? 0)))
      const line = (cells: readonly string[]) =>
        cells
          .map((cell, i) => (i === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[i]! + GAP)))
          .join('')
          .trimEnd()
      const rule = '-'.repeat(widths.reduce((sum, width) => sum + width + GAP))
      return [line(heads), rule, ...rows.map(line)].join('\n')
    })
    .join('\n\n')
}

const GAP = 2

export function gasMarkdown(figures: GasFigures): string {
  return tablesOf(figures, '&nbsp;&nbsp;')
    .map(({ heads, rows }) => {
      const line = (cells: readonly string[]) => `| ${heads.map((_, i) => cells[i] ?? '').join(' | ')} |`
      const rule = `| ${heads.map((_, i) => (i === 0 ? '---' : '---:')).join(' | ')} |`
      return [line(heads), rule, ...rows.map(line), ''].join('\n')
    })
    .join('\n')
}

function tablesOf(figures: GasFigures, indent: string) {
  const called = figures.map((contract) => ({
    title: titleOf(contract, figures),
    functions: functionsOf(contract),
  }))
  const created = figures.flatMap((contract) =>
    contract.deployment === undefined ? [] : [{ title: titleOf(contract, figures), ...contract.deployment }],
  )
  const callsFail = called.some(({ functions }) => functions.some(([, { failed }]) => failed > 0))
  const creationsFail = created.some(({ failed }) => failed > 0)
  const sizes = ['code bytes', 'of limit', 'init code bytes', 'of limit']
  const tables = [
    {
      heads: ['Gas', ...COLUMNS, 'calls', ...(callsFail ? ['failed'] : [])],
      rows: called.flatMap(({ title, functions }) => {
        const rows = functions.map(([name, measured]) => [indent + name, ...numbersOf(measured, callsFail)])
        return rows.length === 0 ? [] : [[title], ...rows]
      }),
    },
    {
      heads: ['Deployment', ...COLUMNS, 'count', ...(creationsFail ? ['failed'] : []), ...sizes],
      rows: created.map((deployment) => [
        deployment.title,
        ...numbersOf(deployment, creationsFail),
        ...sizeOf(deployment.codeSize, CODE_SIZE_LIMIT),
        ...sizeOf(deployment.initCodeSize, INIT_CODE_SIZE_LIMIT),
      ]),
    },
  ]
  return tables.filter(({ rows }) => rows.length > 0)
}

const COLUMNS = ['min', 'average', 'median', 'max']

function numbersOf(measured: Measured, showsFailed: boolean): string[] {
  const statistics = statisticsOf(measured)
  const { min, avg, median, max } = statistics ?? {}
  const failed = measured.failed === 0 ? '' : written(measured.failed)
  return [
    ...[min, avg, median, max].map((value) => (value === undefined ? '-' : written(value))),
    written(statistics?.count ?? 0),
    ...(showsFailed ? [failed] : []),
  ]
}

function sizeOf(bytes: number, limit: number): string[] {
  return [written(bytes), `${((100 * bytes) / limit).toFixed(1)} %`]
}

function written(value: number): string {
  return value.toLocaleString('en')
}

function titleOf({ name, source }: ContractFigures, figures: GasFigures): string {
  const isUnique = figures.filter((one) => one.name === name).length === 1
  return isUnique || source === undefined ? name : `${source}:${name}`
}

function functionsOf({ functions }: ContractFigures): [shown: string, measured: Measured][] {
  const nameOf = (signature: string) => signature.replace(/\(.*$/, '')
  const byName = grouped(Object.entries(functions), ([signature]) => nameOf(signature))
  return Object.entries(functions).map(([signature, measured]) => {
    const name = nameOf(signature)
    return [byName.get(name)!.length > 1 ? signature : name, measured]
  })
}
