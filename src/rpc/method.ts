/** A method: how its parameters are read, and what it answers. */
import { ConflictingValues, InvalidValue, type Parser } from '../wire/parser.ts'
import type { RpcContext } from './context.ts'
import type { Dialect } from './errors.ts'
import { Problem } from './problem.ts'

/** Answers with a JSON value, or with a promise of one where code has to run. */
export type Answering = (context: RpcContext, params: readonly unknown[]) => unknown

/** How each parameter is read, in their order: what the docs tell of a method comes from here. */
export interface Parsed {
  readonly parsers: readonly Parser<unknown>[]
}

export interface Method extends Answering, Parsed {
  /** Whether it may take long: then its context has the `work` of the request. */
  readonly isLong: boolean
}

export type Parsers<A extends readonly unknown[]> = { readonly [K in keyof A]: Parser<A[K]> }

/** The parsers of positional parameters; a method with none takes none. */
export function params<A extends readonly unknown[]>(...parsers: Parsers<A>): Parsers<A> {
  return parsers
}

/** A method whose parameters are read by `parsers`, in their order, and handed to `answer`. */
export function method<A extends readonly unknown[]>(
  parsers: Parsers<A>,
  answer: (context: RpcContext, ...args: A) => unknown,
): Method {
  const answering: Answering = (context, given) => answer(context, ...parseParams(parsers, given))
  return Object.assign(answering, { parsers, isLong: false })
}

/**
 * A method that may take long, because it runs code or goes through many things: the context that it gets is that of the one
 * request, whose `work` pauses and ends where its time is over.
 */
export function longMethod<A extends readonly unknown[]>(
  parsers: Parsers<A>,
  answer: (context: RpcContext, ...args: A) => unknown,
): Method {
  return Object.assign(method(parsers, answer), { isLong: true })
}

/** A method whose parameters are read in one way or another, by the dialect of the devnet. */
export function methodIn<A extends readonly unknown[]>(
  parsersIn: (dialect: Dialect) => Parsers<A>,
  answer: (context: RpcContext, ...args: A) => unknown,
): Method {
  const parsers = { base: parsersIn('base'), geth: parsersIn('geth') }
  const answering: Answering = (context, given) =>
    answer(context, ...parseParams(parsers[context.options.dialect], given))
  return Object.assign(answering, { parsers: parsers.base, isLong: false })
}

function parseParams<A extends readonly unknown[]>(parsers: Parsers<A>, given: readonly unknown[]): A {
  if (given.length > parsers.length) {
    const detail = `expected at most ${parsers.length} parameters, got ${given.length}`
    throw new Problem({ kind: 'invalidParams', argument: parsers.length, detail })
  }
  return parsers.map((parse, argument) => {
    try {
      return parse(given[argument], `params[${argument}]`)
    } catch (error) {
      throw toProblem(error, argument)
    }
  }) as unknown as A
}

function toProblem(error: unknown, argument: number): unknown {
  if (error instanceof InvalidValue)
    return new Problem({ kind: 'invalidParams', argument, detail: error.message })
  if (error instanceof ConflictingValues) {
    return new Problem({ kind: 'conflictingFees', argument, detail: error.message })
  }
  return error
}
