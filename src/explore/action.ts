/** The actions of an exploration: calls of contracts, payments, and time that passes. */
import type { Address } from '../bytes/hex.ts'
import type { FunctionName, Writes } from '../client/typed.ts'
import { type Duration, durationMs, namesOf, requireKnown } from '../model/api/arguments.ts'
import type { Abi } from '../solidity/abi/contract.ts'
import type { ContractOf } from './deployed.ts'
import type { Draw, DrawnByType } from './draws.ts'
import type { World } from './world.ts'

/** A constant, or any of several values: `oneOf`, `argumentsOf`, or an arbitrary of fast-check. */
export type Chosen<T> = T | Draw<T> | { generate(...args: never[]): { readonly value: T } }

interface Sending {
  /** The sender. By default any of the actors. */
  readonly from?: Chosen<Address> | undefined
  /** Value in wei. */
  readonly value?: Chosen<bigint> | undefined
}

export interface CallOptions extends Sending {
  /**
   * The arguments, or a function that returns them from the state before the call. By default they are drawn by their
   * types (`argumentsOf`).
   */
  readonly args?: readonly unknown[] | DrawnByType | ((world: World) => readonly unknown[]) | undefined
  /** Whether a revert is a failure of the exploration. By default, a call that reverts only changes nothing. */
  readonly mustSucceed?: boolean | undefined
}

export interface CallAction extends CallOptions {
  readonly kind: 'call'
  readonly contract: ContractOf
  readonly functionName: string
}

export interface PayAction extends Sending {
  readonly kind: 'pay'
  readonly to: Address
}

export interface WaitAction {
  readonly kind: 'wait'
  readonly seconds: bigint
}

export type Action = CallAction | PayAction | WaitAction

const CALL_OPTIONS = namesOf<CallOptions>({ args: true, from: true, value: true, mustSucceed: true })
const SENDING = namesOf<Sending>({ from: true, value: true })

/** Returns an action that calls a function of `contract` in a transaction. */
export function call<const abi extends Abi>(
  contract: ContractOf<abi>,
  functionName: FunctionName<abi, Writes>,
  options: CallOptions = {},
): Action {
  requireKnown('call', options, CALL_OPTIONS)
  const { address, abi } = contract
  return { kind: 'call', contract: { address, abi }, functionName: functionName as string, ...options }
}

/** Returns an action that sends ether to an account. */
export function pay(to: Address, options: Sending): Action {
  requireKnown('pay', options, SENDING)
  return { kind: 'pay', to, ...options }
}

/** Returns an action that makes a block after whole seconds: the next call has a later `block.timestamp`. */
export function wait(duration: Duration): Action {
  const seconds = durationMs('wait', duration) / 1000
  if (!Number.isInteger(seconds) || seconds === 0) {
    throw new RangeError(`wait: expected whole seconds of at least 1, got ${seconds}`)
  }
  return { kind: 'wait', seconds: BigInt(seconds) }
}
