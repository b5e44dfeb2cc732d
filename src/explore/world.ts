/** The state of contracts as invariants and computed arguments read it. */
import { type Address, fromHex, type Hex, toHex } from '../bytes/hex.ts'
import type { FunctionArgs, FunctionName, FunctionResult, Views } from '../client/typed.ts'
import type { Outcome } from '../engine/engine.ts'
import { revertReason } from '../model/execution/revertReason.ts'
import { haltText } from '../rpc/errors/errors.ts'
import type { Abi } from '../solidity/abi/contract.ts'
import { type ContractOf, contractAbiOf } from './deployed.ts'

/** How a world gets at its state. */
export interface WorldReads {
  timestamp(): bigint
  /** `key` identifies the call: the contract, the function and its arguments. */
  call(to: Address, data: Uint8Array, key: string): Outcome
  balance(address: Address): bigint
}

/** The state after the actions so far. Reads are synchronous and make no transaction. */
export class World {
  readonly #reads: WorldReads

  /** @internal */
  constructor(reads: WorldReads) {
    this.#reads = reads
  }

  /** The time of the next call, in seconds since 1970. */
  get timestamp(): bigint {
    return this.#reads.timestamp()
  }

  /** Returns the balance of an account in wei. */
  balance(address: Address): bigint {
    return this.#reads.balance(address.toLowerCase() as Address)
  }

  /** Returns the result of a `view` or `pure` function, as `devnet.read` does. Throws if the call reverts. */
  read<
    const abi extends Abi,
    const name extends FunctionName<abi, Views>,
    const args extends FunctionArgs<abi, Views, name>,
  >(
    contract: ContractOf<abi>,
    functionName: name | FunctionName<abi, Views>,
    ...args: args extends readonly unknown[] ? args : never
  ): FunctionResult<abi, Views, name, args> {
    const { abi, address } = contract
    const to = address.toLowerCase() as Address
    const called = preparedOf(abi, functionName as string, args)
    const outcome = this.#reads.call(to, called.data, `${to} ${called.key}`)
    if (outcome.kind !== 'success') throw new Error(`read: ${functionName as string} ${failureText(outcome)}`)
    return called.decode(outcome.returnData) as never
  }
}

/** Returns why a run failed, such as `reverted: not the owner`. */
export function failureText(outcome: Exclude<Outcome, { kind: 'success' }>): string {
  if (outcome.kind === 'halt') return `failed: ${haltText(outcome.reason)}`
  return `reverted: ${revertReason(outcome.data) ?? (outcome.data.length === 0 ? 'no reason given' : toHex(outcome.data))}`
}

interface Prepared {
  /** The calldata as text, which identifies the call. */
  readonly key: string
  readonly data: Uint8Array
  decode(returned: Uint8Array): unknown
}

/** Calls by ABI, then by function and arguments: an invariant makes the same few calls in each state. */
const prepared = new WeakMap<Abi, Map<string, Prepared>>()
const MOST_PREPARED = 10_000

function preparedOf(abi: Abi, name: string, args: readonly unknown[]): Prepared {
  let all = prepared.get(abi)
  if (all === undefined || all.size > MOST_PREPARED) {
    all = new Map()
    prepared.set(abi, all)
  }
  const key = args.length === 0 ? name : `${name} ${args.join(' ')}`
  const isPlain = args.every((arg) => typeof arg !== 'object')
  const known = isPlain ? all.get(key) : undefined
  if (known !== undefined) return known
  const contract = contractAbiOf(abi)
  const { callable, data } = contract.call(name, args, 'read')
  const [only, ...others] = callable.outputs
  const isUint = only?.type === 'uint256' && others.length === 0
  const made: Prepared = {
    key: data,
    data: fromHex(data),
    decode(returned) {
      if (isUint && returned.length === 32) return BigInt(toHex(returned))
      const result = contract.result(callable, toHex(returned) as Hex)
      if (result === undefined)
        throw new Error(`read: ${name} answered ${toHex(returned)}, which does not fit its ABI`)
      return result.value
    },
  }
  if (isPlain) all.set(key, made)
  return made
}
