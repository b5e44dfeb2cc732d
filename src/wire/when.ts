/** Triggers of faults in JSON. */
import type { AnyFault, Trigger } from '../model/fault.ts'
import { smallAmount } from './hex.ts'
import { InvalidValue, integer, type Parser, recordOf } from './parser.ts'

/** A fault and the trigger that starts it. */
export interface Requested {
  readonly fault: AnyFault
  readonly trigger: Trigger
}

/** When a fault happens: each time, a number of times, at a given block or slice, or by chance. */
export type When =
  | 'always'
  | { readonly times: number }
  /** At the seal of this block; for faults of slices, at its first slice or at the given one. */
  | { readonly block: number; readonly slice?: number }
  /** At each occasion with this probability. The same seed gives the same choices. */
  | { readonly probability: number; readonly seed?: number }

/** The kinds of occasion: slices have a number within their block; requests belong to no block. */
type Occasions = 'slices' | 'blocks' | 'requests'

const FORMS: Readonly<Record<Occasions, string>> = {
  slices: '"always", {times}, {block, slice?} or {probability, seed?}',
  blocks: '"always", {times}, {block} or {probability, seed?}',
  requests: '"always", {times} or {probability, seed?}',
}

/** Returns a parser of a trigger. `standing` is the default, and `seed` that of choices by chance. */
export function parseWhen(occasions: Occasions, standing: When, seed: number): Parser<Trigger> {
  return (value, path) => {
    const when = value ?? standing
    if (when === 'always') return { kind: 'next', times: Number.POSITIVE_INFINITY }
    const record = recordOf(when, path, FORMS[occasions])
    const given = Object.keys(record).filter((name) => record[name] !== undefined)
    const form = given.sort().join()
    switch (form) {
      case 'times':
        return { kind: 'next', times: parseTimes(record.times, `${path}.times`) }
      case 'block':
      case 'block,slice': {
        const isPlace = occasions === 'slices' || (occasions === 'blocks' && form === 'block')
        if (!isPlace) break
        const block = BigInt(parseBlock(record.block, `${path}.block`))
        if (form === 'block') return { kind: 'at', block }
        return { kind: 'at', block, slice: parseBlock(record.slice, `${path}.slice`) }
      }
      case 'probability':
      case 'probability,seed':
        return {
          kind: 'chance',
          probability: parseProbability(record.probability, `${path}.probability`),
          seed: form === 'probability' ? seed : parseSeed(record.seed, `${path}.seed`),
        }
    }
    throw new InvalidValue(path, `${FORMS[occasions]}, not {${form}}`, value)
  }
}

/** Returns the JSON form of a trigger. */
export function encodeWhen(trigger: Trigger): When {
  switch (trigger.kind) {
    case 'next':
      return trigger.times === Number.POSITIVE_INFINITY ? 'always' : { times: trigger.times }
    case 'at': {
      const block = Number(trigger.block)
      return trigger.slice === undefined ? { block } : { block, slice: trigger.slice }
    }
    case 'chance':
      return { probability: trigger.probability, seed: trigger.seed }
  }
}

const parseBlock = smallAmount(Number.MAX_SAFE_INTEGER)
const parseSeed = smallAmount(2 ** 32 - 1)

const parseTimes = integer(1, Number.MAX_SAFE_INTEGER, 'a whole number of at least 1')

const parseProbability: Parser<number> = (value, path) => {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw new InvalidValue(path, 'a number from 0 to 1', value)
  }
  return value
}
