import type { Dialect } from '../wire/dialect.ts'
import { ConflictingValues, InvalidValue, type Parser } from '../wire/parser.ts'
import type { RpcContext, SendContext } from './context.ts'
import { Problem } from './errors/problem.ts'
import type { ReadContext } from './readContext.ts'
import type { Subscriptions } from './subscriptions.ts'

export type Answering<C extends ReadContext = RpcContext> = (
  context: C,
  params: readonly unknown[],
) => unknown

/** The parsers of positional parameters, from which the documentation of methods is generated. */
export interface Parsed {
  readonly parsers: readonly Parser<unknown>[]
}

export interface Method<C extends ReadContext = RpcContext> extends Answering<C>, Parsed {
  /** Whether the method may take long. The context of such a method has the `work` of its request. */
  readonly isLong: boolean
}

export interface ConnectionMethod extends Parsed {
  (subscriptions: Subscriptions): Answering
}

export type Parsers<A extends readonly unknown[]> = { readonly [K in keyof A]: Parser<A[K]> }

/** Returns the parsers of positional parameters. A method without parsers takes no parameters. */
export function params<A extends readonly unknown[]>(...parsers: Parsers<A>): Parsers<A> {
  return parsers
}

/** Makes a method that parses its parameters and passes them to `answer`. */
type MakeMethod<C extends ReadContext> = <A extends readonly unknown[]>(
  parsers: Parsers<A>,
  answer: (context: C, ...args: A) => unknown,
) => Method<C>

interface MethodsOf<C extends ReadContext> extends MakeMethod<C> {
  /** Makes a method that may take long, with a context for one request. `context.work` pauses and ends the method. */
  readonly long: MakeMethod<C>
}

function methodsOf<C extends ReadContext>(): MethodsOf<C> {
  const make =
    (isLong: boolean): MakeMethod<RpcContext> =>
    (parsers, answer) => {
      const answering: Answering = (context, given) => answer(context, ...parseParams(parsers, given))
      return Object.assign(answering, { parsers, isLong })
    }
  return Object.assign(make(false), { long: make(true) }) as unknown as MethodsOf<C>
}

/** Makes a method that reads, without a command in the sequencer's queue. */
export const read = methodsOf<ReadContext>()

export const send = methodsOf<SendContext>()

/** Makes a method that changes the devnet: time, blocks, accounts, faults. */
export const steer = methodsOf<RpcContext>()

export function readIn<A extends readonly unknown[]>(
  parsersIn: (dialect: Dialect) => Parsers<A>,
  answer: (context: ReadContext, ...args: A) => unknown,
): Method<ReadContext> {
  const parsers = { base: parsersIn('base'), geth: parsersIn('geth'), hardhat: parsersIn('hardhat') }
  const answering: Answering<ReadContext> = (context, given) =>
    answer(context, ...parseParams(parsers[context.options.dialect], given))
  return Object.assign(answering, { parsers: parsers.base, isLong: false })
}

/** Parses parameters. Throws a `Problem` that names the wrong one. */
export function parseParams<A extends readonly unknown[]>(parsers: Parsers<A>, given: readonly unknown[]): A {
  if (given.length > parsers.length) {
    const detail = `expected at most ${parsers.length} parameters, got ${given.length}`
    throw new Problem({ kind: 'invalidParams', argument: parsers.length, detail })
  }
  // The length is given, because an array that grows by `push` reserves memory for 17 items.
  const parsed = new Array<unknown>(parsers.length)
  for (let argument = 0; argument < parsers.length; argument++) {
    try {
      parsed[argument] = parsers[argument]!(given[argument], PATHS[argument] ?? `params[${argument}]`)
    } catch (error) {
      throw toProblem(error, argument)
    }
  }
  return parsed as unknown as A
}

/** Paths of parameters for errors, created once. */
const PATHS = Array.from({ length: 4 }, (_, argument) => `params[${argument}]`)

function toProblem(error: unknown, argument: number): unknown {
  if (error instanceof InvalidValue)
    return new Problem({ kind: 'invalidParams', argument, detail: error.message })
  if (error instanceof ConflictingValues) {
    return new Problem({ kind: 'conflictingValues', argument, conflict: error.kind, detail: error.message })
  }
  return error
}
