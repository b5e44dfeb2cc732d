/** All matchers, for `expect` of test runners and for `assertThat`. */
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
import { thrownAt } from '../../model/api/callSite.ts'
import { frameText } from '../../solidity/stackTrace/format.ts'
import type { RunnerState } from '../gas/snapshots.ts'
import { type CostOptions, type ExpectedGas, toCostGas } from '../gas/toCostGas.ts'
import type { OnDevnet } from './outcome.ts'
import { type BalanceOptions, type Owner, toChangeBalance, toChangeTokenBalance } from './toChangeBalance.ts'
import { type EmitOptions, toEmit } from './toEmit.ts'
import { type Reason, toBePreconfirmed, toBeSealed, toRevert, toRevertWith } from './toRevert.ts'
import { atTest, FRAME, locatedBy, type Matcher, testSite, type Verdict, wrapped } from './verdict.ts'

/** @internal All matchers as they are before `traced`: their errors do not have the stack trace of the test. */
export const MATCHERS = {
  toRevert,
  toRevertWith,
  toEmit,
  toCostGas,
  toChangeBalance,
  toChangeTokenBalance,
  toBePreconfirmed,
  toBeSealed,
}

/** Returns matchers whose errors have the stack trace of the test. */
function traced<All extends Readonly<Record<string, Matcher>>>(matchers: All): All {
  return wrapped(matchers, (matcher) => {
    // Jest and Playwright bind `this` to an object whose member `isNot` is true after `expect(…).not`.
    return async function called(this: { readonly isNot?: boolean } | undefined, ...all: unknown[]) {
      const site = testSite(called)
      try {
        const { pass, message, where } = await matcher.apply(this, all)
        // The runner creates the error from the message alone, so the frames are added to the message.
        const frames = pass === (this?.isNot ?? false) ? await linesOf(where) : []
        return { pass, message: () => [message(), ...frames].join(FRAME) }
      } catch (error) {
        throw atTest(site, error)
      }
    }
  }) as All
}

async function linesOf(where: Verdict['where']): Promise<readonly string[]> {
  return ((await where?.())?.frames ?? []).map(frameText)
}

/** All matchers, for `expect.extend(matchers)` of Jest and Playwright. `preseal/vitest` adds them to `expect`. */
export const matchers = traced(MATCHERS)

/** The error of a failed assertion. Test runners recognise it by its code, that of `node:assert`. */
export class AssertionFailed extends Error {
  readonly code = 'ERR_ASSERTION'
  readonly generatedMessage = false

  constructor(message: string) {
    super(message)
    this.name = 'AssertionError'
  }
}

/** Returns the matchers for a value: `await assertThat(hash).not.toEmit(…)`. They reject with `AssertionFailed`. */
export function assertThat(given: unknown): DevnetMatchers & { readonly not: DevnetMatchers } {
  return { ...bound(given, true), not: bound(given, false) }
}

function bound(given: unknown, wanted: boolean): DevnetMatchers {
  return wrapped(MATCHERS, (matcher) => {
    return async function called(...expected: unknown[]) {
      const site = testSite(called)
      const state: RunnerState = { isNot: !wanted, site }
      const { pass, message, where } = await matcher.call(state, given, ...expected).catch((error) => {
        throw atTest(site, error)
      })
      if (pass !== wanted) throw thrownAt(site, await locatedBy(where, new AssertionFailed(message())))
    }
  }) as DevnetMatchers
}

/**
 * The matchers. The value given to `expect` can be the hash or receipt of a transaction, the result of sending one with
 * viem, ethers, web3.js or a devnet, or a promise or function that gives such a value. Each matcher must be awaited. A
 * matcher that needs the outcome of a waiting transaction mines with `devnet.mine()`.
 */
export interface DevnetMatchers<R = Promise<void>> {
  /** Passes if the transaction or call fails. */
  toRevert(options?: OnDevnet): R
  /** Passes if the transaction or call fails with exactly this text, a match of the pattern, or this Solidity panic. */
  toRevertWith(reason: Reason, options?: OnDevnet): R
  /** Passes if the transaction or call fails with this error. `args` has all arguments in a list, or some by name. */
  toRevertWith<const A extends Abi, N extends ErrorName<A>>(
    abi: A,
    name: N,
    args?: ErrorArgs<A, N>,
    options?: OnDevnet,
  ): R
  /** Passes if the transaction emits this event of the ABI. `args` has all arguments in a list, or some by name. */
  toEmit<const A extends Abi, N extends EventName<A>>(
    abi: A,
    name: N,
    args?: EventArgs<A, N>,
    options?: EmitOptions,
  ): R
  /**
   * Passes if the transaction, or an estimate given as a number, uses this gas or gas in this range. By default, or
   * with the name of a snapshot, compares with `__snapshots__/<test file>.gas.json`, and writes a missing entry.
   */
  toCostGas(expected?: ExpectedGas, options?: CostOptions): R
  /**
   * Passes if the transaction changes the account's balance by `wei`. The sender's fee counts only with `includeFee`.
   * If `expect` gets a function whose result is not a transaction, all changes count, including fees.
   */
  toChangeBalance(devnet: Devnet, account: Owner, wei: bigint, options?: BalanceOptions): R
  /** Passes if the transaction changes the result of `balanceOf(account)` of the token by `amount`. */
  toChangeTokenBalance(devnet: Devnet, token: Owner, account: Owner, amount: bigint): R
  /** Passes if the transaction is in a slice of the block under construction, and in no sealed block. Mines nothing. */
  toBePreconfirmed(devnet?: Devnet): R
  /** Passes if the transaction is in a sealed block. Mines nothing. */
  toBeSealed(devnet?: Devnet): R
}

/** `A` if the type lists the items of the ABI, otherwise `never`. */
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

type Args<I extends readonly AbiParameter[]> =
  | Loose<AbiParametersToPrimitiveTypes<I>>
  | {
      readonly [P in Extract<I[number], { readonly name: string }> as P['name']]?: Loose<
        AbiParametersToPrimitiveTypes<readonly [P]>[0]
      >
    }

/** The type of an expected value: any kind of number for a number, and any text for an address. */
type Loose<T> = T extends bigint | number
  ? bigint | number
  : T extends string
    ? string
    : T extends boolean
      ? T
      : { readonly [K in keyof T]: Loose<T[K]> }
