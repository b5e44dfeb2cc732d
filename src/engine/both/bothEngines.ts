import type { Address } from '../../bytes/hex.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { FetchingView } from '../../state/fetchingView.ts'
import type { StateView } from '../../state/view.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Engine, EngineRun, Execution, HaltReason, Message, Outcome } from '../engine.ts'
import { plainOutcome } from '../engine.ts'
import {
  type AccountAfter,
  type Attempt,
  attempt,
  effectOf,
  isEqual,
  recordingErrors,
  summaryOf,
} from './attempt.ts'

/** Thrown if the results of the engines differ or an engine throws. `cause`: the first error that an engine threw. */
export class EngineDifference extends Error {
  /** The names of differing outcome members and the addresses of differing accounts; `error` if an engine threw. */
  readonly differences: readonly string[]
  /** The outcome and the changed accounts, or the error, of each engine. */
  readonly results: Readonly<Record<'wasm' | 'ethereumjs', object>>

  constructor(
    what: string,
    differences: readonly string[],
    results: EngineDifference['results'],
    options?: ErrorOptions,
  ) {
    super(what, options)
    this.name = 'EngineDifference'
    this.differences = differences
    this.results = results
  }
}

/** Runs each message in both engines. Returns the first engine's execution, or rejects with `EngineDifference`. */
export class BothEngines implements Engine {
  readonly rules: Rules
  readonly #first: Engine
  readonly #second: Engine

  constructor(first: Engine, second: Engine) {
    this.rules = first.rules
    this.#first = first
    this.#second = second
  }

  async transact(run: EngineRun): Promise<Execution> {
    const { state, context, work, watcher, hits } = run
    // Errors that the state, the context or the watcher threw.
    const others = new Set<unknown>()
    const read = recordingErrors(state, others)
    const blocks = recordingErrors(context, others)
    const recorded: BlockContext = { ...context, blockHash: (number) => blocks.blockHash(number) }
    const message: Message = { ...run.message, dropsChanges: false }
    const plain = { state: read, context: recorded, message, work }
    const observed = watcher && recordingErrors(watcher, others)
    const wasm = await attempt(() => this.#first.transact({ ...plain, watcher: observed, hits }), others)
    if (isDiscarded(state)) return executionOf(wasm)
    const ethereumjs = await attempt(() => this.#second.transact(plain), others)
    if (isDiscarded(state)) return executionOf(wasm)
    const differences =
      'error' in wasm || 'error' in ethereumjs
        ? ['error']
        : differencesOf(state, wasm.execution, ethereumjs.execution)
    if (differences.length === 0 && 'execution' in wasm) return wasm.execution
    const results = { wasm: detailsOf(wasm), ethereumjs: detailsOf(ethereumjs) }
    const threw = [wasm, ethereumjs].find((one) => 'error' in one)
    const cause = threw && { cause: threw.error }
    throw new EngineDifference(messageFor(wasm, ethereumjs, differences), differences, results, cause)
  }
}

/** Returns whether a run will be discarded because values of a forked network are missing. */
function isDiscarded(state: StateView): boolean {
  return state instanceof FetchingView && state.hasMissing
}

function executionOf(one: Attempt): Execution {
  if ('error' in one) throw one.error
  return one.execution
}

function detailsOf(one: Attempt): object {
  return 'error' in one
    ? summaryOf(one)
    : { outcome: plainOutcome(one.execution.outcome), changes: one.execution.changes }
}

function messageFor(wasm: Attempt, ethereumjs: Attempt, differences: readonly string[]): string {
  const errors = Object.entries({ wasm, ethereumjs }).flatMap(([name, one]) => {
    const of = summaryOf(one)
    return of.kind === 'error' ? [`the engine ${name} threw ${of.error}`] : []
  })
  return errors.length > 0
    ? errors.join(', ')
    : `the engines wasm and ethereumjs differ in ${differences.join(', ')}`
}

export function differencesOf(state: StateView, one: Execution, other: Execution): string[] {
  return [
    ...differingMembers(plainOutcome(one.outcome), plainOutcome(other.outcome)),
    ...differingAccounts(effectOf(state, one.changes), effectOf(state, other.changes)),
  ]
}

function differingMembers(one: Outcome, other: Outcome): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => !isSameMember(name, one, other))
}

function isSameMember(name: string, one: Outcome, other: Outcome): boolean {
  // Only the WebAssembly engine determines the gas needed by runs with calls.
  if (name === 'mayNeedLess') return true
  if (name === 'gasNeeded') {
    return one.gasNeeded === undefined || other.gasNeeded === undefined || one.gasNeeded === other.gasNeeded
  }
  if (name === 'reason' && one.kind === 'halt' && other.kind === 'halt') {
    return one.reason === other.reason || (STARVED.has(one.reason) && STARVED.has(other.reason))
  }
  return isEqual(one[name as keyof Outcome], other[name as keyof Outcome])
}

/** Halt reasons treated as equal: the engines check in different orders, and the reason does not affect the block. */
const STARVED: ReadonlySet<HaltReason> = new Set([
  'outOfGas',
  'stackUnderflow',
  'stackOverflow',
  'staticStateChange',
  'invalidCode',
  'initCodeTooLarge',
  'precompileFailed',
])

function differingAccounts(
  one: ReadonlyMap<Address, AccountAfter>,
  other: ReadonlyMap<Address, AccountAfter>,
): string[] {
  const addresses = new Set([...one.keys(), ...other.keys()])
  return [...addresses].filter((address) => {
    const isIn = one.has(address) && other.has(address)
    return !isIn || !isEqual(one.get(address), other.get(address))
  })
}
