/**
 * eth_estimateGas: the least gas with which a transaction succeeds.
 *
 * As geth's estimator (eth/gasestimator): run at the cap, then at an optimistic guess, then bisect; but to the exact
 * value. Where a run does not depend on how much gas there is, it tells itself what it needs. Most others need just what
 * they used at the cap, so that is tried first: two further runs settle it.
 */
import type { Call } from '../model/execution/call.ts'
import type { ConsoleCalls } from '../model/execution/consoleCall.ts'
import { MAX_TRANSACTION_GAS, minimumGas } from '../model/transaction/intrinsicGas.ts'
import type { Evm } from './evm.ts'
import type { Outcome } from './outcome.ts'
import { type CallRefusal, contextFor, refuse, toRunnable } from './runCall.ts'
import { simulate } from './runMessage.ts'
import type { Scene } from './scene.ts'

const TRANSFER_GAS = 21_000n
const CALL_STIPEND = 2_300n

export type Estimate =
  | { readonly kind: 'estimate'; readonly gas: bigint }
  /** It fails even with all the gas that is allowed. */
  | { readonly kind: 'failed'; readonly outcome: Exclude<Outcome, { kind: 'success' }> }
  /** It ran out of gas with all that is allowed. */
  | {
      readonly kind: 'allowanceExceeded'
      readonly allowance: bigint
      readonly console: ConsoleCalls | undefined
    }
  | CallRefusal

/** The least gas with which `call` succeeds in `scene`; or, what takes fewer runs to find, not much more than that. */
export async function estimateGas(
  evm: Evm,
  scene: Scene,
  call: Call,
  precision: 'least' | 'enough' = 'least',
): Promise<Estimate> {
  const allowance = allowanceOf(evm, scene, call)
  const withGas = (gas: bigint) => toRunnable(evm.rules, scene, call, gas)
  const refusal = refuse(evm.rules, scene, call, withGas(allowance))
  if (refusal?.kind === 'intrinsicGasTooLow')
    return { kind: 'allowanceExceeded', allowance, console: undefined }
  if (refusal !== undefined) return refusal
  const context = contextFor(scene, call)
  const run = async (gas: bigint) => {
    const pause = evm.work.pause()
    if (pause !== undefined) await pause
    return simulate(evm, scene.state, context, withGas(gas), scene.moved)
  }
  // Between the least gas to start with and the allowance, which were checked, nothing else can be refused.
  const succeeds = async (gas: bigint) => (await run(gas)).kind === 'success'

  if (await isTransfer(evm, scene, call)) return { kind: 'estimate', gas: TRANSFER_GAS }
  const atCap = await run(allowance)
  if (atCap.kind === 'halt' && atCap.reason === 'outOfGas')
    return { kind: 'allowanceExceeded', allowance, console: atCap.console }
  if (atCap.kind !== 'success') return { kind: 'failed', outcome: atCap }
  if (atCap.leastGas !== undefined && atCap.leastGas <= allowance)
    return { kind: 'estimate', gas: atCap.leastGas }

  // Not what was used: a contract that lives through a call that burnt all its gas may do with far less.
  let failing = minimumGas(evm.rules, withGas(allowance)) - 1n
  let enough = allowance
  const guesses = [atCap.gasBeforeRefund, ((atCap.gasBeforeRefund + CALL_STIPEND) * 64n) / 63n]
  for (const guess of guesses) {
    if (guess <= failing || guess >= enough) continue
    if (await succeeds(guess)) {
      enough = guess
      break
    }
    failing = guess
  }
  if (precision === 'enough' && enough < allowance) return { kind: 'estimate', gas: enough }
  // What is needed is most often what was used: look just below before halving.
  if (failing < enough - 1n) {
    if (await succeeds(enough - 1n)) enough -= 1n
    else failing = enough - 1n
  }
  while (failing + 1n < enough) {
    // Need is nearer to use than to the cap, so the first steps go up from below (geth does the same).
    let middle = (failing + enough) / 2n
    if (failing > 0n && middle > failing * 2n) middle = failing * 2n
    if (await succeeds(middle)) enough = middle
    else failing = middle
  }
  return { kind: 'estimate', gas: enough }
}

/** The most gas the search may use: what was given, the block's limit, EIP-7825's, what the sender can pay. */
function allowanceOf(evm: Evm, scene: Scene, call: Call): bigint {
  const { state, context } = scene
  let cap = context.gasLimit
  if (evm.rules.has(7825) && cap > MAX_TRANSACTION_GAS) cap = MAX_TRANSACTION_GAS
  if (call.gas !== undefined && call.gas < cap) cap = call.gas
  const price = toRunnable(evm.rules, scene, call, cap).maxFeePerGas
  if (price > 0n) {
    const balance = state.account(call.from)?.balance ?? 0n
    // Not even the value can be paid: leave the cap, and the check of funds says so.
    if (balance > call.value) {
      const affordable = (balance - call.value) / price
      if (affordable < cap) cap = affordable
    }
  }
  return cap
}

/** A transfer to an account without code costs exactly 21,000: no run is needed to know it. */
async function isTransfer(evm: Evm, { state, moved }: Scene, call: Call): Promise<boolean> {
  return (
    call.to !== undefined &&
    moved === undefined &&
    call.data.length === 0 &&
    call.accessList.length === 0 &&
    call.authorizationList.length === 0 &&
    state.code(call.to).length === 0 &&
    !(await evm.isPrecompile(call.to))
  )
}
