/** eth_call: runs a call and drops its changes. */

import type { Address } from '../../bytes/hex.ts'
import type { AccountOverride, BlockOverride, Call, CallFee } from '../../model/execution/call.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { type GasTooLow, refuseGasLimit } from '../../model/transaction/intrinsicGas.ts'
import type { State } from '../../state/state.ts'
import { withOverrides } from '../../state/stateEdits.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'
import type { BlockContext } from '../blockContext.ts'
import type { MovedPrecompiles, Outcome, Watcher } from '../engine.ts'
import type { Evm } from '../evm.ts'
import type { Runnable } from './message.ts'
import { simulate } from './runMessage.ts'

/** The reason why a call cannot start. Gas is in gas units, funds in wei, fees in wei per gas. */
export type CallRefusal =
  | {
      readonly kind: 'insufficientFunds'
      readonly address: Address
      readonly have: bigint
      readonly want: bigint
    }
  | GasTooLow
  | {
      readonly kind: 'feeBelowBaseFee'
      readonly maxFeePerGas: bigint
      readonly baseFeePerGas: bigint
    }
  | { readonly kind: 'tipAboveFee'; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

/** The gas limit of a call without a limit, and the maximum for all calls unless the block's gas limit is higher. */
export const DEFAULT_CALL_GAS = 50_000_000n

/**
 * Runs `call` in `scene`. Returns the reason if the call cannot start, otherwise the outcome, which is in a promise if
 * the run paused or the engine is asynchronous. Without a fee, BASEFEE is 0 and the balance must cover only the value.
 */
export function runCall(
  evm: Evm,
  scene: ExecutionScope,
  call: Call,
  watcher?: Watcher,
): MaybePromise<Outcome | CallRefusal> {
  const runnable = admitCall(evm.rules, scene, call)
  if ('kind' in runnable) return runnable
  return simulate(evm, scene.state, contextFor(scene, call), runnable, scene.moved, watcher)
}

export function admitCall(rules: Rules, scene: ExecutionScope, call: Call): Runnable | CallRefusal {
  const runnable = toRunnable(rules, scene, call, gasOf(call, scene))
  return refuse(rules, scene, call, runnable) ?? runnable
}

function gasOf({ gas }: Call, { context }: ExecutionScope): bigint {
  const cap = context.gasLimit > DEFAULT_CALL_GAS ? context.gasLimit : DEFAULT_CALL_GAS
  if (gas === undefined) return DEFAULT_CALL_GAS
  return gas < cap ? gas : cap
}

export function toRunnable(rules: Rules, scene: ExecutionScope, call: Call, gasLimit: bigint): Runnable {
  // Fields that the hardfork does not have are ignored.
  const authorizationList = rules.has(7702) ? call.authorizationList : []
  const accessList = rules.has(2930) ? call.accessList : []
  const blobVersionedHashes = rules.has(4844) ? call.blobVersionedHashes : []
  const { maxFeePerGas, maxPriorityFeePerGas } = offerOf(call.fee, scene)
  return {
    type: typeOf(rules, authorizationList.length > 0, blobVersionedHashes.length > 0),
    from: call.from,
    to: call.to,
    nonce: 0n,
    gasLimit,
    value: call.value,
    data: call.data,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList,
    authorizationList,
    blobVersionedHashes,
  }
}

function typeOf(rules: Rules, hasAuthorizations: boolean, hasBlobs: boolean): number {
  if (hasAuthorizations) return 4
  if (hasBlobs) return 3
  return rules.has(1559) ? 2 : rules.has(2930) ? 1 : 0
}

type Offer = Pick<Runnable, 'maxFeePerGas' | 'maxPriorityFeePerGas'>

const NO_OFFER: Offer = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }

/** Returns the offered fees in wei per gas. A call with only a tip offers the base fee plus the tip, as in reth. */
export function offerOf(fee: CallFee, { context }: ExecutionScope): Offer {
  switch (fee.kind) {
    case 'none':
      return NO_OFFER
    case 'legacy':
      return { maxFeePerGas: fee.gasPrice, maxPriorityFeePerGas: fee.gasPrice }
    case 'eip1559': {
      const { maxPriorityFeePerGas } = fee
      const maxFeePerGas = fee.maxFeePerGas ?? (context.baseFeePerGas ?? 0n) + maxPriorityFeePerGas
      return { maxFeePerGas, maxPriorityFeePerGas }
    }
  }
}

/** Checks a call before it runs. Returns the first violated rule; `undefined` if the call is valid. */
export function refuse(
  rules: Rules,
  scene: ExecutionScope,
  call: Call,
  runnable: Runnable,
): CallRefusal | undefined {
  return refuseFee(scene, call.fee, runnable) ?? refuseGas(rules, runnable) ?? refuseFunds(scene, runnable)
}

function refuseFee({ context }: ExecutionScope, fee: CallFee, runnable: Runnable): CallRefusal | undefined {
  if (fee.kind === 'none') return undefined
  const { maxFeePerGas, maxPriorityFeePerGas } = runnable
  if (maxPriorityFeePerGas > maxFeePerGas) return { kind: 'tipAboveFee', maxFeePerGas, maxPriorityFeePerGas }
  const baseFeePerGas = context.baseFeePerGas ?? 0n
  if (maxFeePerGas >= baseFeePerGas) return undefined
  return { kind: 'feeBelowBaseFee', maxFeePerGas, baseFeePerGas }
}

/** More than the intrinsic gas of any call with up to `FEW_BYTES` of data, no access list and no authorizations. */
const MUCH_GAS = 1_000_000n
const FEW_BYTES = 8192

function refuseGas(rules: Rules, runnable: Runnable): CallRefusal | undefined {
  const { gasLimit, data, accessList, authorizationList } = runnable
  const isPlain = accessList.length === 0 && authorizationList.length === 0
  if (isPlain && gasLimit >= MUCH_GAS && data.length <= FEW_BYTES) return undefined
  return refuseGasLimit(rules, runnable)
}

function refuseFunds({ state }: ExecutionScope, runnable: Runnable): CallRefusal | undefined {
  const want = runnable.gasLimit * runnable.maxFeePerGas + runnable.value
  if (want === 0n) return undefined
  const have = state.account(runnable.from)?.balance ?? 0n
  return have < want ? { kind: 'insufficientFunds', address: runnable.from, have, want } : undefined
}

/** Returns a scene in which the sender of `call` can pay value and gas, and its fee is not below the base fee. */
export function withFunds(scene: ExecutionScope, call: Call): ExecutionScope {
  const { context } = scene
  const { maxFeePerGas } = offerOf(call.fee, scene)
  const want = gasOf(call, scene) * maxFeePerGas + call.value
  const have = scene.state.account(call.from)?.balance ?? 0n
  const isFeeLow = call.fee.kind !== 'none' && maxFeePerGas < (context.baseFeePerGas ?? 0n)
  if (have >= want && !isFeeLow) return scene
  return {
    ...scene,
    context: isFeeLow ? { ...context, baseFeePerGas: maxFeePerGas } : context,
    state: have < want ? scene.state.with([{ address: call.from, balance: want }]) : scene.state,
  }
}

/** Returns the block context of a call, with base fee 0 if it offers no fee, and blob base fee 0 if it has blobs. */
export function contextFor(
  { context }: ExecutionScope,
  { fee, blobVersionedHashes }: Call,
): ExecutionScope['context'] {
  const isFree = fee.kind === 'none' && context.baseFeePerGas !== undefined
  if (blobVersionedHashes.length === 0) return isFree ? withoutBaseFee(context) : context
  return { ...context, baseFeePerGas: isFree ? 0n : context.baseFeePerGas, blobBaseFee: 0n }
}

const free = new WeakMap<BlockContext, BlockContext>()

/** Returns `context` with base fee 0: the same object for the same context, because engines cache by identity. */
function withoutBaseFee(context: BlockContext): BlockContext {
  let made = free.get(context)
  if (made === undefined) {
    made = { ...context, baseFeePerGas: 0n }
    free.set(context, made)
  }
  return made
}

export interface ExecutionScope {
  readonly state: State
  readonly context: BlockContext
  readonly moved: MovedPrecompiles | undefined
}

export function createScene(
  state: State,
  context: BlockContext,
  accounts: readonly AccountOverride[],
  block: BlockOverride,
): ExecutionScope {
  if (accounts.length === 0 && isEmpty(block)) return { state, context, moved: undefined }
  const moved = new Map<Address, Address>()
  for (const { address, movePrecompileTo } of accounts) {
    if (movePrecompileTo !== undefined) moved.set(address, movePrecompileTo)
  }
  return {
    state: withOverrides(state, accounts),
    context: { ...context, ...block },
    moved: moved.size === 0 ? undefined : moved,
  }
}

function isEmpty(block: BlockOverride): boolean {
  for (const _ in block) return false
  return true
}
