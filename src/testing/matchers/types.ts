/** What matchers accept, typed by the ABI that a test gives. */
import type {
  AbiParameter,
  AbiParametersToPrimitiveTypes,
  Abi as CompleteAbi,
  ExtractAbiError,
  ExtractAbiErrorNames,
  ExtractAbiEvent,
  ExtractAbiEventNames,
  ParseAbi,
} from 'abitype'
import type { Abi, Devnet } from '../../index.ts'
import type { OnDevnet } from './outcome.ts'
import type { BalanceOptions, Owner } from './toChangeBalance.ts'
import type { EmitOptions } from './toEmit.ts'
import type { Reason } from './toRevert.ts'

/**
 * The matchers: what is given to `expect` may be a promise, a function, the hash or receipt of a transaction, or what viem,
 * ethers, web3.js and a devnet answer when they send one. Each is to be awaited.
 *
 * A transaction that waits when its outcome is asked for is made to run, by `devnet.mine()`.
 */
export interface DevnetMatchers<R = Promise<void>> {
  /** The transaction or call fails. */
  toRevert(options?: OnDevnet): R
  /** It fails with exactly this text, one that matches the pattern (so may a decoded error), or a panic of Solidity. */
  toRevertWith(reason: Reason, options?: OnDevnet): R
  /** It fails with the error of the ABI: `args` are all arguments in a list, or some by their names. */
  toRevertWith<const A extends Abi, N extends ErrorName<A>>(
    abi: A,
    name: N,
    args?: ErrorArgs<A, N>,
    options?: OnDevnet,
  ): R
  /** It emits the event of the ABI: `args` are all arguments in a list, or some by their names. */
  toEmit<const A extends Abi, N extends EventName<A>>(
    abi: A,
    name: N,
    args?: EventArgs<A, N>,
    options?: EmitOptions,
  ): R
  /**
   * It changes the balance by so much. What the sender pays for the transaction does not count, unless `includeFee` says so.
   * Of a function that answers no transaction, all that it does counts, fees included.
   */
  toChangeBalance(devnet: Devnet, account: Owner, wei: bigint, options?: BalanceOptions): R
  /** It changes what `balanceOf(account)` of the token answers by so much. */
  toChangeTokenBalance(devnet: Devnet, token: Owner, account: Owner, amount: bigint): R
  /** It is in a slice of the block under construction, and in no sealed block yet. Nothing is made to run. */
  toBePreconfirmed(devnet?: Devnet): R
  /** It is in a sealed block. Nothing is made to run. */
  toBeSealed(devnet?: Devnet): R
}

/** The ABI with types that say what is in it, or `never` where they do not. */
type Known<A extends Abi> = A extends CompleteAbi
  ? CompleteAbi extends A
    ? never
    : A
  : A extends readonly string[]
    ? string extends A[number]
      ? never
      : ParseAbi<A> extends infer P extends CompleteAbi
        ? P
        : never
    : never

export type ErrorName<A extends Abi> = [Known<A>] extends [never] ? string : ExtractAbiErrorNames<Known<A>>
export type EventName<A extends Abi> = [Known<A>] extends [never] ? string : ExtractAbiEventNames<Known<A>>

export type ErrorArgs<A extends Abi, N extends string> = [Known<A>] extends [never]
  ? Untyped
  : Args<ExtractAbiError<Known<A>, N extends ErrorName<Known<A>> ? N : never>['inputs']>

export type EventArgs<A extends Abi, N extends string> = [Known<A>] extends [never]
  ? Untyped
  : Args<ExtractAbiEvent<Known<A>, N extends EventName<Known<A>> ? N : never>['inputs']>

type Untyped = readonly unknown[] | Readonly<Record<string, unknown>>

/** All in a list, or some by their names. */
type Args<I extends readonly AbiParameter[]> =
  | Loose<AbiParametersToPrimitiveTypes<I>>
  | {
      readonly [P in Extract<I[number], { readonly name: string }> as P['name']]?: Loose<
        AbiParametersToPrimitiveTypes<readonly [P]>[0]
      >
    }

/** Numbers may be of either kind, and addresses any text: they are compared by what they mean. */
type Loose<T> = T extends bigint | number
  ? bigint | number
  : T extends string
    ? string
    : T extends boolean
      ? T
      : { readonly [K in keyof T]: Loose<T[K]> }
