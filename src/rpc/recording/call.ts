/** Commands that no request asked for: time's ticks, and what is done to a devnet in process. */
import type { Hash } from '../../model/bytes/hex.ts'
import type { Mark } from '../../sequencer/sequencer.ts'
import { parseBytes, parseHash } from '../../wire/hex.ts'
import { anything, InvalidValue, type Parser } from '../../wire/parser.ts'
import type { RpcContext } from '../context.ts'
import type { FaultForm, ReorgForm } from '../faults.ts'
import { readMark } from '../stateFile.ts'

export interface Call {
  readonly name: CallName
  readonly arguments: readonly unknown[]
}

/** Does it at once: what had to be read is read. */
export type Play = () => unknown

/** The marks of a devnet that can be gone back to, by the numbers that they have in the recording. */
export type Marks = Map<number, Mark>

interface Kind {
  readonly parsers: readonly Parser<unknown>[]
  /** Reads what has to be read, and answers how it is done. */
  prepare(context: RpcContext, marks: Marks, ...given: never[]): Play | Promise<Play>
}

const number: Parser<number> = (value, path) => {
  if (typeof value !== 'number') throw new InvalidValue(path, 'a number', value)
  return value
}

const state: Parser<Uint8Array> = (value, path) => {
  if (typeof value !== 'string') throw new InvalidValue(path, 'a state file', value)
  return new TextEncoder().encode(value)
}

const CALLS = {
  tick: kind(
    [],
    ({ sequencer }) =>
      () =>
        sequencer.tick(),
  ),
  /** What waiting for a transaction does: nothing, where it is there when its turn comes. */
  tickUnlessFound: kind(
    [parseHash],
    ({ sequencer, chain }, _, hash: Hash) =>
      () =>
        sequencer.tickIf(() => chain.find(hash) === undefined),
  ),
  mineUnlessSealed: kind(
    [parseHash],
    ({ sequencer, chain }, _, hash: Hash) =>
      () =>
        sequencer.mineIf(() => chain.state.history.find(hash) === undefined),
  ),
  seal: kind(
    [],
    ({ sequencer }) =>
      () =>
        sequencer.seal(),
  ),
  mine: kind(
    [],
    ({ sequencer }) =>
      () =>
        sequencer.mine(),
  ),
  advance: kind(
    [number],
    ({ sequencer }, _, ms: number) =>
      () =>
        sequencer.advance(ms),
  ),
  import: kind(
    [parseBytes],
    ({ sequencer }, _, blocks: Uint8Array) =>
      () =>
        sequencer.import(blocks, () => {}),
  ),
  load: kind([state], async (context, _, file: Uint8Array) => {
    const mark = await readMark(context, file)
    return () => context.sequencer.load(mark)
  }),
  /** Under which number `restore` knows it. */
  snapshot: kind(
    [number],
    ({ sequencer }, marks, id: number) =>
      () =>
        marks.set(id, sequencer.mark),
  ),
  /** A snapshot that was taken elsewhere, or before: from now on it has this number. */
  bringMark: kind([number, state], async (context, marks, id: number, file: Uint8Array) => {
    const mark = await readMark(context, file)
    return () => marks.set(id, mark)
  }),
  restore: kind([number], ({ sequencer }, marks, id: number) => () => {
    const mark = marks.get(id)
    return mark && sequencer.restore(mark)
  }),
  addFault: kind(
    [anything],
    ({ faults }, _, form: FaultForm) =>
      () =>
        faults.add(form),
  ),
  removeFault: kind(
    [number],
    ({ faults }, _, id: number) =>
      () =>
        faults.remove(id),
  ),
  clearFaults: kind(
    [],
    ({ faults }) =>
      () =>
        faults.clear(),
  ),
  reorg: kind(
    [anything],
    ({ faults }, _, form: ReorgForm) =>
      () =>
        faults.reorg(form),
  ),
  /** Nothing is done; somebody saw what time it is. */
  look: kind([], () => () => {}),
} as const satisfies Record<string, Kind>

export type CallName = keyof typeof CALLS

/** Reads what has to be read for a call; what it answers carries it out. */
export function prepareCall(context: RpcContext, marks: Marks, call: Call): Play | Promise<Play> {
  const { prepare }: Kind = CALLS[call.name]
  return prepare(context, marks, ...(call.arguments as never[]))
}

/** The members `call` and `with` of a line. */
export function parseCall({ call, with: given = [] }: Record<string, unknown>): Call {
  if (typeof call !== 'string' || !Object.hasOwn(CALLS, call)) {
    throw new InvalidValue('call', `one of ${Object.keys(CALLS).join(', ')}`, call)
  }
  const name = call as CallName
  const { parsers }: Kind = CALLS[name]
  if (!Array.isArray(given)) throw new InvalidValue('with', 'an array', given)
  return { name, arguments: parsers.map((parse, i) => parse(given[i], `with[${i}]`)) }
}

function kind<G extends readonly unknown[]>(
  parsers: { readonly [K in keyof G]: Parser<unknown> },
  prepare: (context: RpcContext, marks: Marks, ...given: G) => Play | Promise<Play>,
): Kind {
  return { parsers, prepare: prepare as unknown as Kind['prepare'] }
}
