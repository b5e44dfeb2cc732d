/** Values that an exploration chooses: from a list, from a type of an ABI, or from an arbitrary of fast-check. */
import { type Address, type Hex, toHex } from '../bytes/hex.ts'
import type { Abi } from '../solidity/abi/contract.ts'
import type { Parameter } from '../solidity/abi/decoded.ts'
import type { Random } from './random.ts'

/** Values that are worth trying: of the actors, and those in the code and the storage of contracts. */
export interface Hints {
  readonly addresses: readonly Address[]
  readonly numbers: readonly bigint[]
}

/** A value with simpler values of the same kind, the simplest first. */
export interface Drawn<T = unknown> {
  readonly value: T
  simpler(): Iterable<Drawn<T>>
}

/** A set of values. Made by `oneOf` and `argumentsOf`. */
export interface Draw<T = unknown> {
  /** All values, if they are few; `undefined` if they must be drawn. */
  readonly all?: readonly T[] | undefined
  draw(random: Random, hints: Hints): Drawn<T>
}

/** An arbitrary of fast-check. */
interface Arbitrary<T> {
  generate(random: unknown, biasFactor: number | undefined): { readonly value: T; readonly context: unknown }
  shrink(value: T, context: unknown): Iterable<{ readonly value: T; readonly context: unknown }>
}

class Choice<T> implements Draw<T> {
  readonly all: readonly T[]

  constructor(all: readonly T[]) {
    this.all = all
  }

  draw(random: Random): Drawn<T> {
    return this.#at(random.below(this.all.length))
  }

  #at(index: number): Drawn<T> {
    const at = (i: number) => this.#at(i)
    return {
      value: this.all[index]!,
      *simpler() {
        for (let i = 0; i < index; i++) yield at(i)
      },
    }
  }
}

/** Returns any of `values`, for an argument, a sender or a value of a call. List simple values first. */
export function oneOf<const T>(...values: readonly [T, ...T[]]): Draw<T> {
  return new Choice(values)
}

/** How far fast-check prefers small values and the ends of ranges: in one of this many values. */
const BIAS = 3

/** Returns the draw that a value stands for: a draw itself, an arbitrary of fast-check, or a constant. */
export function drawOf(given: unknown): Draw {
  if (typeof given === 'object' && given !== null) {
    if ('draw' in given) return given as Draw
    if ('generate' in given && 'shrink' in given) return fromArbitrary(given as Arbitrary<unknown>)
  }
  return new Choice([given])
}

function fromArbitrary(arbitrary: Arbitrary<unknown>): Draw {
  const drawn = ({ value, context }: { value: unknown; context: unknown }): Drawn => ({
    value,
    *simpler() {
      for (const next of arbitrary.shrink(value, context)) yield drawn(next)
    },
  })
  return { draw: (random) => drawn(arbitrary.generate(random, BIAS)) }
}

/** Arguments that are drawn by their types. */
export class DrawnByType {
  readonly abi: Abi
  readonly functionName: string

  constructor(abi: Abi, functionName: string) {
    this.abi = abi
    this.functionName = functionName
  }
}

/**
 * Returns arguments that are drawn by the types of a function's parameters. Numbers are drawn near 0, near the ends of
 * their type, and from the code and the storage of the contracts; addresses among the actors and the contracts. A call
 * without `args` has the arguments of its own function.
 */
export function argumentsOf(abi: Abi, functionName: string): DrawnByType {
  return new DrawnByType(abi, functionName)
}

/** Returns a draw for a parameter. */
export function drawByType(parameter: Parameter): Draw {
  return { draw: (random, hints) => drawnOf(parameter, drawnValue(parameter, random, hints)) }
}

function drawnOf(parameter: Parameter, value: unknown): Drawn {
  return {
    value,
    *simpler() {
      for (const next of simplerValues(value)) yield drawnOf(parameter, next)
    },
  }
}

/** Yields simpler values than `value`. A number comes nearer to 0. */
function* simplerValues(value: unknown): Generator<unknown> {
  if (typeof value === 'bigint' && value !== 0n) {
    yield 0n
    for (let step = value / 2n; step !== 0n; step /= 2n) yield value - step
  } else if (typeof value === 'number' && value !== 0) {
    yield 0
    for (let step = Math.trunc(value / 2); step !== 0; step = Math.trunc(step / 2)) yield value - step
  } else if (value === true) {
    yield false
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      for (const next of simplerValues(item)) yield value.with(i, next)
    }
  }
}

const MOST_ITEMS = 3

function drawnValue(parameter: Parameter, random: Random, hints: Hints): unknown {
  const { type, components = [] } = parameter
  const list = /^(.*)\[(\d*)\]$/.exec(type)
  if (list !== null) {
    const length = list[2] === '' ? random.below(MOST_ITEMS + 1) : Number(list[2])
    return Array.from({ length }, () => drawnValue({ ...parameter, type: list[1]! }, random, hints))
  }
  if (type === 'tuple') {
    return Object.fromEntries(
      components.map((part, i) => [part.name || i, drawnValue(part, random, hints)] as const),
    )
  }
  const [, unsigned, bits] = /^(u?)int(\d*)$/.exec(type) ?? []
  if (unsigned !== undefined) return integer(unsigned === '', Number(bits || 256), random, hints)
  const [, size] = /^bytes(\d*)$/.exec(type) ?? []
  if (size !== undefined) return bytes(size === '' ? random.below(65) : Number(size), random)
  switch (type) {
    case 'address':
      return random.pick(hints.addresses)
    case 'bool':
      return random.nextBoolean()
    default:
      return random.pick(['', 'a', 'preseal'])
  }
}

/** Returns an integer as viem does: a number up to 48 bits, otherwise a bigint. */
function integer(isSigned: boolean, bits: number, random: Random, { numbers }: Hints): bigint | number {
  const least = isSigned ? -(1n << BigInt(bits - 1)) : 0n
  const most = (1n << BigInt(isSigned ? bits - 1 : bits)) - 1n
  let value = magnitude(bits, random)
  if (numbers.length > 0 && random.isLucky(0.4)) value = random.pick(numbers) + BigInt(random.nextInt(-1, 1))
  if (random.isLucky(0.05)) value = most - BigInt(random.below(3))
  if (isSigned && random.nextBoolean()) value = -value
  const fitting = value < least ? least : value > most ? most : value
  return bits <= 48 ? Number(fitting) : fitting
}

/** Returns a number whose length in bits is drawn evenly, so that small numbers are as frequent as large ones. */
function magnitude(bits: number, random: Random): bigint {
  const length = BigInt(random.below(bits + 1))
  return random.nextBigInt(0n, (1n << length) - 1n)
}

function bytes(length: number, random: Random): Hex {
  return toHex(Uint8Array.from({ length }, () => random.below(256)))
}
