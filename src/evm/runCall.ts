/** eth_call: runs a message and forgets what it did. */
import type { Call, CallFee } from '../model/call.ts'
import type { Rules } from '../model/hardfork.ts'
import type { Address } from '../model/hex.ts'
import { minimumGas } from '../model/intrinsicGas.ts'
import type { Evm } from './evm.ts'
import type { Runnable } from './message.ts'
import type { Outcome } from './outcome.ts'
import { simulate } from './runMessage.ts'
import type { Scene } from './scene.ts'

/** Why a call cannot be run at all. The numbers are in wei and gas. */
export type CallRefusal =
  | {
      readonly kind: 'insufficientFunds'
      readonly address: Address
      readonly have: bigint
      readonly want: bigint
    }
  | { readonly kind: 'intrinsicGasTooLow'; readonly have: bigint; readonly want: bigint }
  | { readonly kind: 'feeBelowBaseFee'; readonly maxFeePerGas: bigint; readonly baseFeePerGas: bigint }
  | { readonly kind: 'tipAboveFee'; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

/** Gas of a call that names none. */
export const DEFAULT_CALL_GAS = 50_000_000n

/**
 * Runs `call` in `scene`: its outcome, or why it could not start. Without a fee BASEFEE reads 0 and the balance has to
 * cover only the value, as on all nodes.
 */
export async function runCall(evm: Evm, scene: Scene, call: Call): Promise<Outcome | CallRefusal> {
  const runnable = toRunnable(evm.rules, call, call.gas ?? DEFAULT_CALL_GAS)
  const refusal = refuse(evm.rules, scene, call, runnable)
  if (refusal !== undefined) return refusal
  return simulate(evm, scene.state, contextFor(scene, call.fee), runnable, scene.moved)
}

/** The call as something that can be run with `gasLimit`. */
export function toRunnable(rules: Rules, call: Call, gasLimit: bigint): Runnable {
  const { fee } = call
  // What the hardfork does not know yet means nothing.
  const authorizationList = rules.has(7702) ? call.authorizationList : []
  const accessList = rules.has(2930) ? call.accessList : []
  return {
    type: authorizationList.length > 0 ? 4 : rules.has(1559) ? 2 : rules.has(2930) ? 1 : 0,
    from: call.from,
    to: call.to,
    nonce: 0n,
    gasLimit,
    value: call.value,
    data: call.data,
    maxFeePerGas: fee.kind === 'none' ? 0n : fee.kind === 'legacy' ? fee.gasPrice : fee.maxFeePerGas,
    maxPriorityFeePerGas:
      fee.kind === 'none' ? 0n : fee.kind === 'legacy' ? fee.gasPrice : fee.maxPriorityFeePerGas,
    accessList,
    authorizationList,
    blobVersionedHashes: call.blobVersionedHashes,
  }
}

/** What the call would break before its first instruction. */
export function refuse(rules: Rules, scene: Scene, call: Call, runnable: Runnable): CallRefusal | undefined {
  return refuseFee(scene, call.fee) ?? refuseGas(rules, runnable) ?? refuseFunds(scene, runnable)
}

function refuseFee(scene: Scene, fee: CallFee): CallRefusal | undefined {
  if (fee.kind === 'none') return undefined
  if (fee.kind === 'eip1559' && fee.maxPriorityFeePerGas > fee.maxFeePerGas)
    return { ...fee, kind: 'tipAboveFee' }
  const maxFeePerGas = fee.kind === 'legacy' ? fee.gasPrice : fee.maxFeePerGas
  const baseFeePerGas = scene.context.baseFeePerGas ?? 0n
  return maxFeePerGas < baseFeePerGas ? { kind: 'feeBelowBaseFee', maxFeePerGas, baseFeePerGas } : undefined
}

function refuseGas(rules: Rules, runnable: Runnable): CallRefusal | undefined {
  const want = minimumGas(rules, runnable)
  return runnable.gasLimit < want ? { kind: 'intrinsicGasTooLow', have: runnable.gasLimit, want } : undefined
}

function refuseFunds({ state }: Scene, runnable: Runnable): CallRefusal | undefined {
  const want = runnable.gasLimit * runnable.maxFeePerGas + runnable.value
  const have = state.account(runnable.from)?.balance ?? 0n
  return have < want ? { kind: 'insufficientFunds', address: runnable.from, have, want } : undefined
}

/** The block context under the fee that was offered: nothing offered, nothing asked. */
export function contextFor(scene: Scene, fee: CallFee): Scene['context'] {
  if (fee.kind !== 'none' || scene.context.baseFeePerGas === undefined) return scene.context
  return { ...scene.context, baseFeePerGas: 0n }
}
