/**
 * eth_createAccessList: the slots and accounts that a call touches, so that a transaction can name them beforehand.
 *
 * Naming them changes what gas is left, and so perhaps what the call does: it runs until the list stays as it is (geth,
 * internal/ethapi `AccessList`).
 */

import { type Address, toHex, toWord } from '../model/bytes/hex.ts'
import type { Call } from '../model/execution/call.ts'
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

/** A list that is stable, and how the call ended that named it. */
export interface TouchedList {
  readonly kind: 'accessList'
  readonly accessList: AccessList
  readonly outcome: Outcome
}

/** The access list of `call` in `scene`; what the call names already stays in it. */
export async function createAccessList(
  evm: Evm,
  scene: Scene,
  call: Call,
): Promise<TouchedList | CallRefusal> {
  const isWarm = await warmAddresses(evm, scene, call)
  let accessList = call.accessList
  for (;;) {
    await evm.work.pause()
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
    // It only ever grows, and everything in it costs gas.
    if (sizeOf(next) === sizeOf(accessList)) return { kind: 'accessList', accessList: next, outcome }
    accessList = next
  }
}

/** What has been named or touched. */
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
    // Slots are cold even where the account is warm.
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

/** What costs nothing to touch, so that naming it would only cost: sender, destination, coinbase, precompiles. */
async function warmAddresses(
  evm: Evm,
  { state, context }: Scene,
  call: Call,
): Promise<(address: Address) => boolean> {
  const { from, to, authorizationList } = call
  const precompiles = await evm.precompiles()
  const warm = new Set<Address>([from, to ?? contractAddress(from, state.account(from)?.nonce ?? 0n)])
  // EIP-3651
  if (evm.rules.has(3651)) warm.add(context.coinbase)
  for (const authorization of authorizationList) {
    const authority = authorityOf(authorization)
    if (authority !== undefined) warm.add(authority)
  }
  return (address) => warm.has(address) || precompiles.has(address)
}

function sizeOf(accessList: AccessList): number {
  return accessList.reduce((size, { storageKeys }) => size + 1 + storageKeys.length, 0)
}
