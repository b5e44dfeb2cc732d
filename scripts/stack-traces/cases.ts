/** The cases of a folder: each in a folder of its own, with its sources and a `test.json`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SolcInput } from '../../src/solidity/artifacts/solcJson.ts'
import type { Compiler } from './compilers.ts'

export interface ExpectedFrame {
  readonly type: string
  readonly sourceReference?: {
    readonly contract?: string
    readonly file: string
    readonly function?: string
    readonly line: number
  }
  readonly message?: string
  readonly value?: string | number
  /** Hex without `0x`. */
  readonly errorCode?: string
}

interface Sent {
  readonly value?: string | number
  readonly params?: readonly unknown[]
  readonly gas?: number
  /** Absent: it succeeds. */
  readonly stackTrace?: readonly ExpectedFrame[]
  readonly consoleLogs?: readonly (readonly unknown[])[]
}

export interface Deployment extends Sent {
  readonly file: string
  readonly contract: string
  /** Numbers of the transactions that deployed the libraries. */
  readonly libraries?: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly imports?: readonly string[]
}

export interface CallOfContract extends Sent {
  readonly to: number
  readonly data?: string
  readonly function?: string
}

export interface Definition {
  readonly skip?: boolean
  readonly reason?: string
  readonly skipViaIR?: boolean
  /** A range of versions, as npm writes them. */
  readonly solc?: string
  readonly transactions: readonly (Deployment | CallOfContract)[]
}

export interface Case {
  readonly name: string
  readonly definition: Definition
  readonly sources: Readonly<Record<string, string>>
}

/** Returns the cases in `folder` for `compiler`: those of its minor version, and those for any. */
export function casesFor(folder: string, { version, mode }: Compiler): readonly Case[] {
  const minor = version.split('.').slice(0, 2).join('_')
  return [minor, 'version-independent']
    .flatMap((name) => casesIn(folder, join(folder, name)))
    .filter(
      ({ definition: { skip, skipViaIR, solc } }) =>
        skip !== true &&
        !(mode.startsWith('ir') && skipViaIR === true) &&
        (solc === undefined || isIn(version, solc)),
    )
}

function casesIn(top: string, folder: string): readonly Case[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  const below = entries.filter((entry) => entry.isDirectory())
  const cases = below.flatMap(({ name }) => casesIn(top, join(folder, name)))
  const file = join(folder, 'test.json')
  if (!existsSync(file)) return cases
  const definition: Definition = JSON.parse(readFileSync(file, 'utf8'))
  const own = entries.filter(({ name }) => name.endsWith('.sol')).map(({ name }) => join(folder, name))
  const imported = definition.transactions.flatMap((sent) => ('imports' in sent ? (sent.imports ?? []) : []))
  const files = [...own, ...imported.map((path) => importedFile(join(folder, path)))]
  const sources = Object.fromEntries(files.map((path) => [basename(path), readFileSync(path, 'utf8')]))
  return [{ name: relative(top, folder), definition, sources }, ...cases]
}

/** Returns the file, or one of Hardhat's package if the folder lacks it: `console.sol`. */
function importedFile(file: string): string {
  return existsSync(file) ? file : fileURLToPath(import.meta.resolve(`hardhat/${basename(file)}`))
}

export function inputOf({ sources }: Case, { mode }: Compiler): SolcInput {
  const viaIR = mode.startsWith('ir')
  const details = mode === 'ir' ? { details: { yulDetails: { optimizerSteps: 'u' } } } : {}
  const optimizer = mode === 'plain' ? { enabled: false } : { enabled: true, runs: 200, ...details }
  const outputSelection = {
    '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers'], '': ['id', 'ast'] },
  }
  const settings = { optimizer, ...(viaIR && { viaIR }), outputSelection }
  return {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    settings,
  }
}

/** Returns whether `version` is in `range`: comparisons joined by spaces, alternatives by `||`. */
function isIn(version: string, range: string): boolean {
  const alternatives = range.split('||').map((part) => part.trim().replace(/([<>=^]+)\s+/g, '$1'))
  return alternatives.some((part) =>
    part.split(/\s+/).every((comparison) => {
      const [, operator, bound] = /^(\D*)(.+)$/.exec(comparison)!
      const order = version.localeCompare(bound!, 'en', { numeric: true })
      return COMPARISONS[operator!]!(order, version, bound!)
    }),
  )
}

/** Whether a version fits that has this `order` to the bound: negative if it is earlier, positive if it is later. */
const COMPARISONS: Readonly<Record<string, (order: number, version: string, bound: string) => boolean>> = {
  '': (order) => order === 0,
  '=': (order) => order === 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  // Versions below 1 are compatible only with the same second number.
  '^': (order, version, bound) => order >= 0 && version.split('.')[1] === bound.split('.')[1],
}
