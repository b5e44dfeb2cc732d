/** Finds the storage slots that a call reads. */

import type { Address } from '../model/bytes/hex.ts'
import type { Call } from '../model/execution/call.ts'
import { Draft } from '../state/draft.ts'
import type { Evm } from './evm.ts'
import { Message } from './message.ts'
import { contextFor, DEFAULT_CALL_GAS, toRunnable } from './runCall.ts'
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
  const draft = new NotedDraft(scene.state)
  const runnable = toRunnable(evm.rules, scene, call, DEFAULT_CALL_GAS)
  await evm.run(draft, contextFor(scene, call), new Message(evm.rules, runnable, true))
  return [...draft.reads.values()]
}

/** A draft that records reads of storage. */
class NotedDraft extends Draft {
  readonly reads = new Map<string, SlotRead>()

  override storage(address: Address, slot: bigint): bigint {
    this.reads.set(`${address} ${slot}`, { address, slot })
    return super.storage(address, slot)
  }
}
