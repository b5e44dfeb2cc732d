/**
 * eth_createAccessList: finds the accounts and slots that a call accesses. Declaring them changes the gas, and perhaps
 * the accesses, so the call runs again until the list stays the same (geth, internal/ethapi `AccessList`).
 */

import { type Address, type Hash, toHex, toWord } from '../../bytes/hex.ts'
import { contractAddress } from '../../model/account/account.ts'
import type { Call } from '../../model/execution/call.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { authorityOf } from '../../model/transaction/signedTransaction.ts'
import type { AccessList, AccessListItem } from '../../model/transaction/transaction.ts'
import type { StateView } from '../../state/view.ts'
import { forEachPaused, type Work } from '../../work/work.ts'
import type { Outcome } from '../engine.ts'
import type { Evm } from '../evm.ts'
import { accountOf, slotOf } from '../trace/operands.ts'
import { traceRun } from '../trace/traceRun.ts'
import type { Tracer } from '../trace/tracer.ts'
import type { ExecutionScope } from './runCall.ts'
import { admitCall, type CallRefusal, contextFor, DEFAULT_CALL_GAS, toRunnable } from './runCall.ts'
import { simulate } from './runMessage.ts'

export interface StableList {
  readonly kind: 'accessList'
  readonly accessList: AccessList
  readonly outcome: Outcome
}

/** Returns the access list of `call`, including the entries that `call` declares. */
export async function createAccessList(
  evm: Evm,
  scene: ExecutionScope,
  call: Call,
): Promise<StableList | CallRefusal> {
  const recorder = new AccessRecorder(call.accessList, warmAddresses(evm.rules, scene, call))
  let accessList = call.accessList
  for (;;) {
    const pause = evm.work.pause()
    if (pause !== undefined) await pause
    const declared = { ...call, accessList }
    const runnable = admitCall(evm.rules, scene, declared)
    if ('kind' in runnable) return runnable
    const { outcome } = await traceRun(evm, scene.state, contextFor(scene, declared), runnable, recorder, {
      isSimulated: true,
      firstLogIndex: 0,
      moved: scene.moved,
    })
    const next = await recorder.list(evm.work)
    // The list only grows, and each entry costs gas, so this loop ends.
    if (sizeOf(next) === sizeOf(accessList)) return { kind: 'accessList', accessList: next, outcome }
    accessList = next
  }
}

class AccessRecorder implements Tracer {
  readonly #isWarm: (address: Address) => boolean
  /** The hex keys of the accessed slots: a call may access tens of thousands, so each key is encoded only once. */
  readonly #slots = new Map<Address, Map<bigint, Hash>>()

  constructor(declared: AccessList, isWarm: (address: Address) => boolean) {
    this.#isWarm = isWarm
    for (const { address, storageKeys } of declared) {
      const slots = this.#slotsOf(address)
      for (const key of storageKeys) slots.set(BigInt(key), key)
    }
  }

  step(step: Parameters<NonNullable<Tracer['step']>>[0]): void {
    const account = accountOf(step)
    if (account !== undefined && !this.#isWarm(account)) this.#slotsOf(account)
    const slot = slotOf(step)
    // A slot is listed even if its account is warm, because the slot can be cold.
    if (slot === undefined) return
    const slots = this.#slotsOf(step.address)
    if (!slots.has(slot)) slots.set(slot, toHex(toWord(slot)))
  }

  finish(): { readonly kind: 'noop' } {
    return { kind: 'noop' }
  }

  async list(work: Work): Promise<AccessList> {
    const list: AccessListItem[] = []
    await forEachPaused(work, this.#slots, ([address, slots]) => {
      list.push({ address, storageKeys: [...slots.values()] })
    })
    return list
  }

  #slotsOf(address: Address): Map<bigint, Hash> {
    let slots = this.#slots.get(address)
    if (slots === undefined) {
      slots = new Map()
      this.#slots.set(address, slots)
    }
    return slots
  }
}

/** Returns a function that tests whether an address is warm from the start and need not be declared. */
function warmAddresses(
  rules: Rules,
  { state, context }: ExecutionScope,
  { from, to, authorizationList }: Call,
): (address: Address) => boolean {
  const warm = new Set<Address>([from, to ?? contractAddress(from, state.account(from)?.nonce ?? 0n)])
  if (rules.has(3651)) warm.add(context.coinbase)
  for (const authorization of authorizationList) {
    const authority = authorityOf(authorization)
    if (authority !== undefined) warm.add(authority)
  }
  return (address) => warm.has(address) || rules.precompiles.has(address)
}

function sizeOf(accessList: AccessList): number {
  return accessList.reduce((size, { storageKeys }) => size + 1 + storageKeys.length, 0)
}

export interface SlotRead {
  readonly address: Address
  readonly slot: bigint
}

/** Returns the slots that `call` reads in `scene`, in the order of their first read. `call` must offer no fee. */
export async function slotsRead(evm: Evm, scene: ExecutionScope, call: Call): Promise<SlotRead[]> {
  const { state } = scene
  const runnable = toRunnable(evm.rules, scene, call, DEFAULT_CALL_GAS)
  const context = contextFor(scene, call)
  // On a forked network, this run fetches all values, so that the recorded run is complete.
  if (state.remote !== undefined) await simulate(evm, state, context, runnable)
  const reads = new Map<string, SlotRead>()
  const recorder: StateView = {
    remote: state.remote,
    account: (address) => state.account(address),
    code: (address) => state.code(address),
    storage: (address, slot) => {
      reads.set(`${address} ${slot}`, { address, slot })
      return state.storage(address, slot)
    },
    // True for each contract, because an engine may skip reads of slots of an account without storage.
    hasStorage: (address) => state.code(address).length > 0 || state.hasStorage(address),
  }
  const ran = simulate(evm, recorder, context, runnable)
  if (ran instanceof Promise) await ran
  return [...reads.values()]
}
