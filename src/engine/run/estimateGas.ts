/**
 * eth_estimateGas: the least gas with which a transaction succeeds.
 *
 * Like geth's estimator (eth/gasestimator), the search runs the call with all allowed gas, then with guesses, and then
 * bisects. Unlike geth, preseal finds the exact value. A run that does not observe its gas reports the gas that it
 * needs. If it makes calls, a run with one gas less confirms that it cannot do with less. Most other runs need exactly
 * the gas that the first run used; two further runs confirm this.
 */
import type { Call, ConsoleCalls } from '../../model/execution/call.ts'
import { MAX_TRANSACTION_GAS, minimumGas } from '../../model/transaction/intrinsicGas.ts'
import { andThen, type MaybePromise, runSteps, type Steps, waitFor } from '../../work/maybePromise.ts'
import type { Outcome, Success, Watcher } from '../engine.ts'
import type { Evm } from '../evm.ts'
import type { Runnable } from './message.ts'
import { type CallRefusal, contextFor, type ExecutionScope, offerOf, refuse, toRunnable } from './runCall.ts'
import { simulate } from './runMessage.ts'

const TRANSFER_GAS = 21_000n
const CALL_STIPEND = 2_300n

export type Estimate =
  | { readonly kind: 'estimate'; readonly gas: bigint }
  | { readonly kind: 'failed'; readonly outcome: Exclude<Outcome, { kind: 'success' }> }
  | {
      readonly kind: 'allowanceExceeded'
      readonly allowance: bigint
      readonly console: ConsoleCalls | undefined
    }
  | CallRefusal

interface Search {
  readonly evm: Evm
  readonly scene: ExecutionScope
  readonly context: ExecutionScope['context']
  readonly runnable: Runnable
  readonly allowance: bigint
}

/**
 * Returns the least gas with which `call` succeeds in `scene`. With the precision `enough`, takes fewer runs and may
 * return slightly more. Returns a promise only if a run paused or the engine is asynchronous.
 */
export function estimateGas(
  evm: Evm,
  scene: ExecutionScope,
  call: Call,
  precision: 'least' | 'enough' = 'least',
): MaybePromise<Estimate> {
  if (scene.state.remote !== undefined) {
    scene.state.requireAccounts(call.to === undefined ? [call.from] : [call.from, call.to])
  }
  const capped = withAllowance(evm, scene, call)
  const { gasLimit: allowance } = capped
  const refusal = refuse(evm.rules, scene, call, capped)
  if (refusal?.kind === 'intrinsicGasTooLow')
    return { kind: 'allowanceExceeded', allowance, console: undefined }
  if (refusal !== undefined) return refusal
  if (isTransfer(evm, scene, call)) return { kind: 'estimate', gas: TRANSFER_GAS }
  const search: Search = { evm, scene, context: contextFor(scene, call), runnable: capped, allowance }
  // This run needs no pause before it: callers that make many estimates pause between them.
  return andThen(simulate(evm, scene.state, search.context, capped, scene.moved), (atCap) => {
    if (atCap.kind !== 'success') return andThen(counted(search), () => failed(atCap, allowance))
    const { gasNeeded, mayNeedLess } = atCap
    if (gasNeeded !== undefined && (!mayNeedLess || precision === 'enough'))
      return { kind: 'estimate', gas: gasNeeded }
    return runSteps(bisect(search, atCap, precision))
  })
}

function failed(outcome: Exclude<Outcome, { kind: 'success' }>, allowance: bigint): Estimate {
  return outcome.kind === 'halt' && outcome.reason === 'outOfGas'
    ? { kind: 'allowanceExceeded', allowance, console: outcome.console }
    : { kind: 'failed', outcome }
}

/** If coverage is collected, repeats a failed call to count it. After a successful call, its transaction is counted. */
function counted(search: Search): MaybePromise<unknown> {
  const { evm, allowance } = search
  return evm.withCoverage === evm ? undefined : run({ ...search, evm: evm.withCoverage }, allowance)
}

/** Runs `call` with a watcher and all allowed gas, like an estimate's first run, or returns why `call` cannot start. */
export function watchEstimate(
  evm: Evm,
  scene: ExecutionScope,
  call: Call,
  watcher: Watcher,
): MaybePromise<Outcome | CallRefusal> {
  const capped = withAllowance(evm, scene, call)
  return (
    refuse(evm.rules, scene, call, capped) ??
    simulate(evm, scene.state, contextFor(scene, call), capped, scene.moved, watcher)
  )
}

function withAllowance(evm: Evm, scene: ExecutionScope, call: Call): Runnable {
  const { maxFeePerGas } = offerOf(call.fee, scene)
  return toRunnable(evm.rules, scene, call, allowanceOf(evm, scene, call, maxFeePerGas))
}

function withGas(runnable: Runnable, gasLimit: bigint): Runnable {
  return runnable.gasLimit === gasLimit ? runnable : { ...runnable, gasLimit }
}

function run({ evm, scene, context, runnable }: Search, gas: bigint): MaybePromise<Outcome> {
  return andThen(evm.work.pause(), () =>
    simulate(evm, scene.state, context, withGas(runnable, gas), scene.moved),
  )
}

function succeeds(search: Search, gas: bigint): MaybePromise<boolean> {
  return andThen(run(search, gas), ({ kind }) => kind === 'success')
}

/** Finds the least gas by bisection. `atCap`: the run with all allowed gas. */
function* bisect(search: Search, atCap: Success, precision: 'least' | 'enough'): Steps<Estimate> {
  const { evm, runnable, allowance } = search
  const { gasNeeded, gasBeforeRefund: used } = atCap
  // `used` is not a lower bound: if a nested call burns all its gas and the caller continues, far less may be enough.
  let failing = minimumGas(evm.rules, runnable) - 1n
  let enough = gasNeeded ?? allowance
  const guesses = gasNeeded === undefined ? [used, ((used + CALL_STIPEND) * 64n) / 63n] : []
  for (const guess of guesses) {
    if (guess <= failing || guess >= enough) continue
    if (yield* waitFor(succeeds(search, guess))) {
      enough = guess
      break
    }
    failing = guess
  }
  if (precision === 'enough' && enough < allowance) return { kind: 'estimate', gas: enough }
  // The gas needed is usually the gas used, so one gas less is tried before bisecting.
  if (failing < enough - 1n) {
    if (yield* waitFor(succeeds(search, enough - 1n))) enough -= 1n
    else failing = enough - 1n
  }
  while (failing + 1n < enough) {
    // The gas needed is usually nearer to the lower bound, so the first steps double the lower bound, as in geth.
    let middle = (failing + enough) / 2n
    if (failing > 0n && middle > failing * 2n) middle = failing * 2n
    if (yield* waitFor(succeeds(search, middle))) enough = middle
    else failing = middle
  }
  return { kind: 'estimate', gas: enough }
}

/** Returns the least of the call's gas, the block's and EIP-7825's limits, and the gas that the sender can pay. */
function allowanceOf(evm: Evm, scene: ExecutionScope, call: Call, price: bigint): bigint {
  const { state, context } = scene
  let cap = context.gasLimit
  if (evm.rules.has(7825) && cap > MAX_TRANSACTION_GAS) cap = MAX_TRANSACTION_GAS
  if (call.gas !== undefined && call.gas < cap) cap = call.gas
  if (price > 0n) {
    const balance = state.account(call.from)?.balance ?? 0n
    // If the balance is below the value, the cap stays unchanged: `refuse` reports the error.
    if (balance > call.value) {
      const affordable = (balance - call.value) / price
      if (affordable < cap) cap = affordable
    }
  }
  return cap
}

/** Returns whether the call is a plain transfer to an account without code, which costs exactly 21,000 gas. */
function isTransfer({ rules }: Evm, { state, moved }: ExecutionScope, call: Call): boolean {
  return (
    call.to !== undefined &&
    moved === undefined &&
    call.data.length === 0 &&
    call.accessList.length === 0 &&
    call.authorizationList.length === 0 &&
    state.code(call.to).length === 0 &&
    !rules.precompiles.has(call.to)
  )
}
