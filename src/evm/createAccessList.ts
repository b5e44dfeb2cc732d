/**
 * eth_createAccessList: the slots and accounts that a call accesses, so that a transaction can declare them.
 *
 * Declaring them changes the gas left and so possibly what the call does: the call is run until the list does not
 * change any more (geth, internal/ethapi `AccessList`).
 */

import { type Address, toHex, toWord } from '../model/bytes/hex.ts'
import type { Call } from '../model/execution/call.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import { contractAddress } from '../model/transaction/contractAddress.ts'
import { authorityOf } from '../model/transaction/signedTransaction.ts'
import type { AccessList } from '../model/transaction/transaction.ts'
import type { Evm } from './evm.ts'
import type { Outcome } from './outcome.ts'
import { admitCall, type CallRefusal, contextFor } from './runCall.ts'
import type { Scene } from './scene.ts'
import { accountOf, slotOf } from './trace/opcodes.ts'
import { traceRun } from './trace/traceRun.ts'
import type { Tracer } from './trace/tracer.ts'

/** A stable access list, and the outcome of the call with it. */
export interface TouchedList {
  readonly kind: 'accessList'
  readonly accessList: AccessList
  readonly outcome: Outcome
}

/** Returns the access list of `call` in `scene`. It includes the list that the call already has. */
export async function createAccessList(
  evm: Evm,
  scene: Scene,
  call: Call,
): Promise<TouchedList | CallRefusal> {
  const isWarm = warmAddresses(evm.rules, scene, call)
  let accessList = call.accessList
  for (;;) {
    const pause = evm.work.pause()
    if (pause !== undefined) await pause
    const named = { ...call, accessList }
    const runnable = admitCall(evm.rules, scene, named)
    if ('kind' in runnable) return runnable
    const touched = new Touched(accessList, isWarm)
    const { outcome } = await traceRun(evm, scene.state, contextFor(scene, named), runnable, touched, {
      isSimulated: true,
      firstLogIndex: 0,
      moved: scene.moved,
    })
    const next = touched.list()
    // The list only grows, and each entry costs gas, so this loop ends.
    if (sizeOf(next) === sizeOf(accessList)) return { kind: 'accessList', accessList: next, outcome }
    accessList = next
  }
}

/** The accounts and slots that were declared or accessed. */
class Touched implements Tracer {
  readonly #isWarm: (address: Address) => boolean
  readonly #slots = new Map<Address, Set<bigint>>()

  constructor(named: AccessList, isWarm: (address: Address) => boolean) {
    this.#isWarm = isWarm
    for (const { address, storageKeys } of named) {
      const slots = this.#slotsOf(address)
      for (const key of storageKeys) slots.add(BigInt(key))
    }
  }

  step(step: Parameters<NonNullable<Tracer['step']>>[0]): void {
    const account = accountOf(step)
    if (account !== undefined && !this.#isWarm(account)) this.#slotsOf(account)
    const slot = slotOf(step)
    // A slot is cold even if its account is warm.
    if (slot !== undefined) this.#slotsOf(step.address).add(slot)
  }

  finish(): { readonly kind: 'noop' } {
    return { kind: 'noop' }
  }

  list(): AccessList {
    return [...this.#slots].map(([address, slots]) => ({
      address,
      storageKeys: [...slots].map((slot) => toHex(toWord(slot))),
    }))
  }

  #slotsOf(address: Address): Set<bigint> {
    let slots = this.#slots.get(address)
    if (slots === undefined) {
      slots = new Set()
      this.#slots.set(address, slots)
    }
    return slots
  }
}

/**
 * Returns the addresses that are warm from the beginning, so that declaring them would only cost gas: sender,
 * destination, coinbase, precompiles.
 */
function warmAddresses(
  rules: Rules,
  { state, context }: Scene,
  { from, to, authorizationList }: Call,
): (address: Address) => boolean {
  const warm = new Set<Address>([from, to ?? contractAddress(from, state.account(from)?.nonce ?? 0n)])
  // EIP-3651
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
