/** Recorded commands other than JSON-RPC requests: ticks of the clock, and calls in the same process. */

import type { Hash } from '../bytes/hex.ts'
import { FAULT_COMMANDS } from '../faults/devnetFaults.ts'
import type { RpcContext } from '../rpc/context.ts'
import type { CommandName } from '../rpc/observer.ts'
import { parseReorg } from '../rpc/reorgRequest.ts'
import { readMark } from '../saving/stateFile.ts'
import { IMPORT_RULES, type ImportRules } from '../sequencer/import/flawInHeader.ts'
import type { Mark } from '../sequencer/marks.ts'
import type { ReorgRequest } from '../sequencer/reorg.ts'
import { parseBytes, parseHash } from '../wire/hex.ts'
import { InvalidValue, type Parser } from '../wire/parser.ts'

export interface CommandCall {
  readonly name: RecordedCommand
  readonly arguments: readonly unknown[]
}

export type Play = () => unknown

/** Marks that `restore` can restore, by their numbers in the recording. */
export type Marks = Map<number, Mark>

interface Kind {
  readonly parsers: readonly Parser<unknown>[]
  prepare(context: RpcContext, marks: Marks, ...given: never[]): Play | Promise<Play>
}

export const number: Parser<number> = (value, path) => {
  if (typeof value !== 'number') throw new InvalidValue(path, 'a number', value)
  return value
}

const state: Parser<Uint8Array> = (value, path) => {
  if (typeof value !== 'string') throw new InvalidValue(path, 'a state file', value)
  return new TextEncoder().encode(value)
}

/** Parses import rules. Recordings of version 0.1 have no rules, which means `devnet`. */
const importRules: Parser<ImportRules> = (value, path) => {
  const rules = IMPORT_RULES.find((one) => one === (value ?? 'devnet'))
  if (rules === undefined) throw new InvalidValue(path, IMPORT_RULES.join(' or '), value)
  return rules
}

const COMMANDS = {
  tick: command([], ({ sequencer }) => sequencer.blocks.tick()),
  /** Makes a tick for a client that waits for a transaction, unless a block or slice already has the transaction. */
  tickUnlessFound: command([parseHash], ({ commands }, hash: Hash) => commands.tickUnlessFound(hash)),
  mineUnlessSealed: command([parseHash], ({ commands }, hash: Hash) => commands.mineUnlessSealed(hash)),
  seal: command([], ({ sequencer }) => sequencer.blocks.seal()),
  mine: command([], ({ sequencer }) => sequencer.blocks.mine()),
  advance: command([number], ({ sequencer }, ms: number) => sequencer.blocks.advance(ms)),
  import: command([parseBytes, importRules], ({ sequencer }, blocks: Uint8Array, rules: ImportRules) =>
    sequencer.imports.import(blocks, rules, () => {}),
  ),
  load: kind([state], async (context, _, file: Uint8Array) => {
    const mark = await readMark(context, file)
    return () => context.sequencer.marks.load(mark)
  }),
  /** `id` is the number by which a recorded `restore` refers to this snapshot. */
  snapshot: kind([number], ({ sequencer }, marks, id: number) => () => {
    marks.set(id, sequencer.marks.now)
  }),
  /** Adds a mark that another devnet took, with the number `id`. */
  bringMark: kind([number, state], async (context, marks, id: number, file: Uint8Array) => {
    const mark = await readMark(context, file)
    return () => marks.set(id, mark)
  }),
  restore: kind([number], ({ sequencer }, marks, id: number) => () => {
    const mark = marks.get(id)
    return mark && sequencer.marks.restore(mark)
  }),
  ...FAULT_COMMANDS,
  reorg: command([parseReorg], ({ sequencer }, request: ReorgRequest) => sequencer.blocks.reorg(request)),
  /** Does nothing. Recorded when the devnet is dumped or forked, because each recorded command sets the time. */
  look: command([], () => {}),
} as const satisfies Record<CommandName | 'snapshot' | 'bringMark' | 'restore', Kind>

type RecordedCommand = keyof typeof COMMANDS

export function prepareCommand(context: RpcContext, marks: Marks, call: CommandCall): Play | Promise<Play> {
  const { prepare }: Kind = COMMANDS[call.name]
  return prepare(context, marks, ...(call.arguments as never[]))
}

export function parseCommandCall({ call, with: given = [] }: Record<string, unknown>): CommandCall {
  if (typeof call !== 'string' || !Object.hasOwn(COMMANDS, call)) {
    throw new InvalidValue('call', `one of ${Object.keys(COMMANDS).join(', ')}`, call)
  }
  const name = call as RecordedCommand
  const { parsers }: Kind = COMMANDS[name]
  if (!Array.isArray(given)) throw new InvalidValue('with', 'an array', given)
  return { name, arguments: parsers.map((parse, i) => parse(given[i], `with[${i}]`)) }
}

function kind<G extends readonly unknown[]>(
  parsers: { readonly [K in keyof G]: Parser<unknown> },
  prepare: (context: RpcContext, marks: Marks, ...given: G) => Play | Promise<Play>,
): Kind {
  return { parsers, prepare: prepare as unknown as Kind['prepare'] }
}

function command<G extends readonly unknown[]>(
  parsers: { readonly [K in keyof G]: Parser<unknown> },
  run: (context: RpcContext, ...given: G) => unknown,
): Kind {
  return kind<G>(parsers, (context, _, ...given) => run.bind(undefined, context, ...given))
}
