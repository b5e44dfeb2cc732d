/**
 * What the gas of transactions was, by contract and function: plain data, which workers and processes hand to the reporter
 * as JSON, and which are merged there.
 */

/** What one test file measured. */
export type GasFigures = readonly ContractFigures[]

/** The transactions of a contract. */
export interface ContractFigures {
  readonly name: string
  /** The source file, as far as an artifact names it. */
  readonly source?: string | undefined
  /** The calls, by the function's signature, such as `transfer(address,uint256)`. */
  readonly functions: Readonly<Record<string, Measured>>
  /** The creations, if there were any. */
  readonly deployment?: DeploymentFigures | undefined
}

/** The gas of transactions that did the same. */
export interface Measured {
  /** The gas used by those that succeeded: each number with how many used it, in ascending order. */
  readonly gas: readonly (readonly [gas: number, count: number])[]
  /** How many failed. Their gas says nothing of what the function takes. */
  readonly failed: number
}

/** The creations of a contract. */
export interface DeploymentFigures extends Measured {
  /** Bytes of the largest code that was deployed; 0 if all creations failed. */
  readonly codeSize: number
  /** Bytes of the largest init code, with constructor arguments. */
  readonly initCodeSize: number
}

/** Statistics of transactions that succeeded. */
export interface GasStatistics {
  readonly min: number
  readonly max: number
  /** The mean, rounded. */
  readonly avg: number
  /** The middle value; of an even number of values the mean of the two in the middle, rounded. */
  readonly median: number
  readonly count: number
}

/** Returns the statistics; `undefined` if no transaction succeeded. */
export function statisticsOf({ gas }: Measured): GasStatistics | undefined {
  if (gas.length === 0) return undefined
  const count = gas.reduce((sum, [, times]) => sum + times, 0)
  const total = gas.reduce((sum, [value, times]) => sum + value * times, 0)
  const lower = valueAt(gas, Math.floor((count - 1) / 2))
  const upper = valueAt(gas, Math.floor(count / 2))
  return {
    min: gas[0]![0],
    max: gas.at(-1)![0],
    avg: Math.round(total / count),
    median: Math.round((lower + upper) / 2),
    count,
  }
}

/** Returns the value at `index` of the sorted values. */
function valueAt(gas: Measured['gas'], index: number): number {
  let passed = 0
  for (const [value, times] of gas) {
    passed += times
    if (index < passed) return value
  }
  throw new RangeError(`there are ${passed} values, none at ${index}`)
}

/** Returns values as `Measured` has them. */
export function counted(values: Iterable<number>): Measured['gas'] {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return sorted(counts)
}

/**
 * Returns the figures of several test files as one, contracts and functions in alphabetical order. Contracts are the same
 * if name and source file are; one whose source file is not known is the only one of its name that is.
 */
export function merged(all: Iterable<GasFigures>): GasFigures {
  const figures = [...all].flat()
  const sources = new Map<string, Set<string>>()
  for (const { name, source } of figures) {
    if (source !== undefined) sources.set(name, (sources.get(name) ?? new Set()).add(source))
  }
  const contracts = new Map<string, ContractFigures>()
  for (const one of figures) {
    const known = [...(sources.get(one.name) ?? [])]
    const source = one.source ?? (known.length === 1 ? known[0] : undefined)
    const key = `${one.name} ${source ?? ''}`
    const before = contracts.get(key)
    contracts.set(key, { ...mergedContract(before, one), name: one.name, source })
  }
  return [...contracts.values()].sort(
    (a, b) => inOrder(a.name, b.name) || inOrder(a.source ?? '', b.source ?? ''),
  )
}

function mergedContract(
  before: ContractFigures | undefined,
  { functions, deployment }: ContractFigures,
): Pick<ContractFigures, 'functions' | 'deployment'> {
  const names = new Set([...Object.keys(before?.functions ?? {}), ...Object.keys(functions)])
  const entries = [...names]
    .sort(inOrder)
    .map((name) => [name, mergedMeasured(before?.functions[name], functions[name])])
  const old = before?.deployment
  return {
    functions: Object.fromEntries(entries),
    deployment:
      old === undefined || deployment === undefined
        ? (old ?? deployment)
        : {
            ...mergedMeasured(old, deployment),
            codeSize: Math.max(old.codeSize, deployment.codeSize),
            initCodeSize: Math.max(old.initCodeSize, deployment.initCodeSize),
          },
  }
}

function mergedMeasured(...parts: readonly (Measured | undefined)[]): Measured {
  const counts = new Map<number, number>()
  let failed = 0
  for (const part of parts) {
    for (const [value, times] of part?.gas ?? []) counts.set(value, (counts.get(value) ?? 0) + times)
    failed += part?.failed ?? 0
  }
  return { gas: sorted(counts), failed }
}

function sorted(counts: ReadonlyMap<number, number>): Measured['gas'] {
  return [...counts].sort(([a], [b]) => a - b)
}

const order = new Intl.Collator('en')

/** Compares names as people sort them. An overload with fewer parameters comes first. */
function inOrder(a: string, b: string): number {
  return order.compare(a.replace(/\)$/, ''), b.replace(/\)$/, '')) || (a < b ? -1 : a > b ? 1 : 0)
}
