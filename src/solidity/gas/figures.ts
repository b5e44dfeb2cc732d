/** Gas of transactions by contract and function, as JSON that processes pass to the gas reporter. */

export type GasFigures = readonly ContractFigures[]

export interface ContractFigures {
  readonly name: string
  /** The contract's source file, if an artifact names it. */
  readonly source?: string | undefined
  /** Calls by function signature, such as `transfer(address,uint256)`. */
  readonly functions: Readonly<Record<string, Measured>>
  /** `undefined` if the contract was not created. */
  readonly deployment?: DeploymentFigures | undefined
}

/** The gas of calls of one function, or of creations of one contract. */
export interface Measured {
  /** Gas of successful transactions: each value with its count, ascending. */
  readonly gas: readonly (readonly [gas: number, count: number])[]
  /** Number of failed transactions, whose gas is not counted. */
  readonly failed: number
}

export interface DeploymentFigures extends Measured {
  /** The largest size of the deployed code in bytes; 0 if all creations failed. */
  readonly codeSize: number
  /** The largest size of the init code in bytes, with constructor arguments. */
  readonly initCodeSize: number
}

export interface GasStatistics {
  readonly min: number
  readonly max: number
  readonly avg: number
  /** The median. If `count` is even, the rounded mean of the two middle values. */
  readonly median: number
  readonly count: number
}

/** Returns the statistics of successful transactions; `undefined` if there are none. */
export function statisticsOf({ gas }: Measured): GasStatistics | undefined {
  const all = gas.flatMap(([value, times]) => new Array<number>(times).fill(value))
  const count = all.length
  if (count === 0) return undefined
  const total = all.reduce((sum, value) => sum + value)
  const middle = all[Math.floor((count - 1) / 2)]! + all[Math.floor(count / 2)]!
  return {
    min: all[0]!,
    max: all.at(-1)!,
    avg: Math.round(total / count),
    median: Math.round(middle / 2),
    count,
  }
}

export function counted(values: Iterable<number>): Measured['gas'] {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return sorted(counts)
}

/** Merges and sorts figures by name and source file. Figures without a file join the only file with their name. */
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

/** Compares names. Overloads with fewer parameters come first. */
function inOrder(a: string, b: string): number {
  return order.compare(a.replace(/\)$/, ''), b.replace(/\)$/, '')) || (a < b ? -1 : a > b ? 1 : 0)
}
