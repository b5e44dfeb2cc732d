/** The matcher `toCostGas`: compares the gas of a transaction with given gas or with a snapshot. */
import { namesOf, requireKnown, requireOptions } from '../../model/api/arguments.ts'
import { attend, type Given, type OnDevnet, outcomeOf } from '../matchers/outcome.ts'
import { unexpectedFailure } from '../matchers/revert.ts'
import { shown } from '../matchers/sameValue.ts'
import type { Verdict } from '../matchers/verdict.ts'
import {
  differenceBetween,
  howToUpdate,
  type RunnerState,
  snapshotsOf,
  updateOf,
  written,
} from './snapshots.ts'

/** An amount of gas, a range with both ends included, or the name of a snapshot. */
export type ExpectedGas =
  | number
  | bigint
  | { readonly min?: number | bigint | undefined; readonly max?: number | bigint | undefined }
  | string

export interface CostOptions extends OnDevnet {
  /** The allowed difference, in gas or as a percentage such as `'1%'`. By default 0. */
  readonly tolerance?: number | bigint | string | undefined
}

const COST_OPTIONS = namesOf<CostOptions>({ devnet: true, tolerance: true })
const RANGE = namesOf<{ min: unknown; max: unknown }>({ min: true, max: true })

export async function toCostGas(
  this: RunnerState | undefined,
  given: Given,
  expected?: ExpectedGas,
  options: CostOptions = {},
): Promise<Verdict> {
  attend(given)
  requireOptions('toCostGas', options, COST_OPTIONS)
  const allowed = allowance(options.tolerance)
  if (expected === undefined || typeof expected === 'string') {
    return bySnapshot(this ?? {}, given, expected, options, allowed)
  }
  const { least, most, words } = rangeOf(expected, allowed)
  const gas = await gasOf(given, options)
  const pass = (least === undefined || gas >= least) && (most === undefined || gas <= most)
  const exact = typeof expected === 'object' ? undefined : BigInt(expected)
  const difference = exact === undefined || exact === gas ? '' : `: ${differenceBetween(exact, gas)}`
  return {
    pass,
    message: () =>
      `expected the transaction ${pass ? 'not ' : ''}to cost ${words}, but it cost ${written(gas)} gas${difference}`,
  }
}

async function bySnapshot(
  state: RunnerState,
  given: Given,
  label: string | undefined,
  options: CostOptions,
  allowed: Allowance,
): Promise<Verdict> {
  if (state.isNot) {
    throw new TypeError(
      'toCostGas: expected gas as a number, or { min, max }, after not; a snapshot cannot be negated',
    )
  }
  const update = updateOf(state)
  const snapshots = snapshotsOf(state)
  if (label === undefined && !state.currentTestName) {
    throw new TypeError(
      "toCostGas: the name of the test is unknown; give the snapshot a name, such as toCostGas('mint')",
    )
  }
  // The name is determined before the first `await`, so that entries are numbered in the order of calls.
  const name = snapshots.nameOf(state, label)
  if (update === 'all') await snapshots.prune(state)
  const gas = await gasOf(given, options)
  const { file, gas: before } = await snapshots.entry(name)
  const isKept = before !== undefined && isWithin(gas, before, allowed)
  const isWritten = before === undefined ? update !== 'none' : update === 'all'
  if (isKept || isWritten) {
    if (!isKept) await snapshots.set(state, { name, before, gas })
    return { pass: true, message: () => `expected the gas not to be that of the snapshot "${name}"` }
  }
  const where = `the gas snapshot "${name}" in ${file}`
  return {
    pass: false,
    message: () =>
      before === undefined
        ? `there is no such entry: ${where}; it cost ${written(gas)} gas; new entries are not written in CI: ${howToUpdate(state)}`
        : [
            `expected the transaction to cost as much as in ${where}`,
            `  snapshot    ${written(before).padStart(written(gas).length)} gas`,
            `  now         ${written(gas).padStart(written(before).length)} gas`,
            `  difference  ${differenceBetween(before, gas)}`,
            `if this is right, ${howToUpdate(state)}`,
          ].join('\n'),
  }
}

/** Returns the gas that the transaction used. If `given` is a number, such as an estimate, returns that number. */
async function gasOf(given: Given, options: OnDevnet): Promise<bigint> {
  const outcome = await outcomeOf(given, options)
  switch (outcome.kind) {
    case 'included': {
      const { gasUsed } = outcome
      if (gasUsed !== undefined) return BigInt(gasUsed)
      throw new TypeError('toCostGas: expected a receipt with gasUsed, got one without')
    }
    case 'failed':
      throw await unexpectedFailure(outcome.failure, 'the transaction to succeed', options.devnet)
    case 'answered': {
      const { value } = outcome
      if (typeof value === 'bigint' || typeof value === 'number') return BigInt(value)
      throw new TypeError(
        `expected a transaction: its hash, or an answer or receipt with it, or a number of gas; got ${shown(value)}`,
      )
    }
  }
}

type Allowance = { readonly gas: bigint } | { readonly percent: number }

function allowance(tolerance: CostOptions['tolerance'] = 0): Allowance {
  if (isGas(tolerance)) return { gas: BigInt(tolerance) }
  const [, percent] = /^(\d+(?:\.\d+)?) ?%$/.exec(String(tolerance)) ?? []
  if (percent !== undefined) return { percent: Number(percent) }
  throw new TypeError(`toCostGas: tolerance: expected gas, or percent such as '1%', got ${shown(tolerance)}`)
}

function isWithin(gas: bigint, expected: bigint, allowed: Allowance): boolean {
  const { least, most } = around(expected, allowed)
  return gas >= least && gas <= most
}

function around(expected: bigint, allowed: Allowance): { least: bigint; most: bigint } {
  const by = 'gas' in allowed ? allowed.gas : BigInt(Math.floor((Number(expected) * allowed.percent) / 100))
  return { least: expected - by, most: expected + by }
}

function rangeOf(
  expected: Exclude<ExpectedGas, string>,
  allowed: Allowance,
): { least: bigint | undefined; most: bigint | undefined; words: string } {
  if (typeof expected !== 'object' || expected === null) {
    requireGas(expected, 'a number of gas, { min, max }, or the name of a snapshot')
    const { least, most } = around(BigInt(expected), allowed)
    const words = least === most ? '' : `, from ${written(least)} to ${written(most)}`
    return { least, most, words: `${written(BigInt(expected))} gas${words}` }
  }
  requireKnown('toCostGas', expected, RANGE)
  const { min, max } = expected
  for (const end of [min, max]) if (end !== undefined) requireGas(end, 'gas as min and max')
  const ends = [
    min === undefined ? [] : `at least ${written(BigInt(min))}`,
    max === undefined ? [] : `at most ${written(BigInt(max))}`,
  ]
  if (ends.flat().length === 0)
    throw new TypeError('toCostGas: expected { min }, { max } or both, got neither')
  return {
    least: min === undefined ? undefined : BigInt(min),
    most: max === undefined ? undefined : BigInt(max),
    words: `${ends.flat().join(' and ')} gas`,
  }
}

function requireGas(value: unknown, wanted: string): void {
  if (!isGas(value)) throw new TypeError(`toCostGas: expected ${wanted}, got ${shown(value)}`)
}

function isGas(value: unknown): value is number | bigint {
  return typeof value === 'bigint' ? value >= 0n : Number.isSafeInteger(value) && (value as number) >= 0
}
