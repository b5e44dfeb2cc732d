import type { Devnet } from '../../src/index.ts'
import { METHODS } from '../../src/methods/index.ts'
import { isOptional } from '../docs/types.ts'
import { described, excerpt } from './compare.ts'
import type { Dialect } from './deviations.ts'
import { askEverything } from './questions.ts'
import type { Specification } from './specification.ts'

export interface Checked {
  readonly counts: ReadonlyMap<string, number>
  readonly flaws: readonly string[]
}

/** An answer that violates the schema, and why it is right. */
interface Exception {
  readonly methods: readonly string[]
  readonly because: string
  fits(result: unknown, dialect: Dialect): boolean
}

const EXCEPTIONS: readonly Exception[] = [
  {
    methods: ['eth_getTransactionByHash'],
    because:
      'TransactionInfo is that of a transaction in a block: one that waits has none, and nodes answer null there',
    fits: (result) => (result as { blockHash?: unknown } | null)?.blockHash === null,
  },
  {
    methods: ['eth_getLogs', 'eth_getFilterChanges', 'eth_getFilterLogs'],
    because: 'FilterResults is one of two kinds of array, and an empty one is both',
    fits: (result) => Array.isArray(result) && result.length === 0,
  },
  {
    methods: ['eth_signTransaction'],
    because: 'the bytes alone, as anvil answers and viem and ethers read them; in the dialect geth {raw, tx}',
    fits: (result, dialect) => dialect === 'base' && typeof result === 'string',
  },
]

/** Sends all requests to `devnet` and checks each answer against the schema of its method. */
export async function checkAnswers(
  devnet: Devnet,
  specification: Specification,
  dialect: Dialect,
): Promise<Checked> {
  const counts = new Map<string, number>()
  const flaws = [...methodFlaws(specification)]
  for await (const { method, params, result, error } of askEverything(devnet)) {
    counts.set(method, (counts.get(method) ?? 0) + 1)
    const asked = `${method}(${params.map((param) => excerpt(param)).join(', ')})`
    if (error !== undefined) flaws.push(`${asked}: error ${error.code} ${error.message}`)
    else if (!EXCEPTIONS.some(({ methods, fits }) => methods.includes(method) && fits(result, dialect))) {
      for (const difference of specification.differences(method, result)) {
        flaws.push(`${asked}: ${described(difference)}`)
      }
    }
  }
  for (const name of specification.methods.keys()) {
    if (!counts.has(name) && !UNASKED.some((begin) => name.startsWith(begin))) {
      flaws.push(`${name}: nothing asks for it`)
    }
  }
  return { counts, flaws }
}

/** Methods that only fail, or that take signed bytes. */
const UNASKED = ['engine_', 'debug_getRawBlockAccessList', 'eth_sendRawTransaction']

/** Missing methods, and parameters that are required here but optional in the specification. */
function* methodFlaws({ methods }: Specification): Generator<string> {
  for (const { name, params } of methods.values()) {
    if (name.startsWith('engine_')) continue
    const parsers = METHODS.get(name)?.parsers
    if (parsers === undefined) {
      yield `${name}: there is no such method`
      continue
    }
    for (const [i, param] of params.entries()) {
      const parser = parsers[i]
      if (parser === undefined) yield `${name}: has no parameter ${param.name}`
      else if (!param.isRequired && !MARKED_BY_OVERSIGHT.has(name) && !isOptional(parser)) {
        yield `${name}: ${param.name} has to be given, though the specification lets it be left out`
      }
    }
  }
}

/** Methods whose block is not marked as required, unlike in all similar ones; go-ethereum and reth require it. */
const MARKED_BY_OVERSIGHT = new Set([
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
])
