/** Finds the storage slots that a call reads. */

import type { Address } from '../../bytes/hex.ts'
import type { Call } from '../../model/execution/call.ts'
import type { RemoteState } from '../../state/remoteState.ts'
import type { Account, StateView } from '../../state/view.ts'
import type { Evm } from '../evm.ts'
import { contextFor, DEFAULT_CALL_GAS, toRunnable } from './runCall.ts'
import { simulate } from './runMessage.ts'
import type { Scene } from './scene.ts'

/** A storage slot that was read. */
export interface SlotRead {
  readonly address: Address
  readonly slot: bigint
}

/**
 * Returns the slots that `call` reads in `scene`, each once, in the order of their first read. The call must have no
 * fee.
 */
export async function slotsRead(evm: Evm, scene: Scene, call: Call): Promise<SlotRead[]> {
  const noted = new NotedState(scene.state)
  const runnable = toRunnable(evm.rules, scene, call, DEFAULT_CALL_GAS)
  const context = contextFor(scene, call)
  // Runs that lack something are discarded: only the one after them reads what the call reads.
  if (scene.state.remote !== undefined) await simulate(evm, scene.state, context, runnable)
  const ran = simulate(evm, noted, context, runnable)
  if (ran instanceof Promise) await ran
  return [...noted.reads.values()]
}

/** A state that records reads of storage. */
class NotedState implements StateView {
  readonly reads = new Map<string, SlotRead>()
  readonly #state: StateView

  constructor(state: StateView) {
    this.#state = state
  }

  get remote(): RemoteState | undefined {
    return this.#state.remote
  }

  account(address: Address): Account | undefined {
    return this.#state.account(address)
  }

  code(address: Address): Uint8Array {
    return this.#state.code(address)
  }

  storage(address: Address, slot: bigint): bigint {
    this.reads.set(`${address} ${slot}`, { address, slot })
    return this.#state.storage(address, slot)
  }

  /** Returns `true` for each contract: a slot of one without storage is recorded only if it is asked for. */
  hasStorage(address: Address): boolean {
    return this.#state.code(address).length > 0 || this.#state.hasStorage(address)
  }
}
