/** Parses and encodes traces of Parity's `trace` namespace like alloy's `rpc-types-trace`, which anvil and reth use. */
import type { Address } from '../bytes/hex.ts'
import type { Call } from '../model/execution/call.ts'
import type { FlatFrame, PrestateAccount, StateDiff } from '../model/execution/trace.ts'
import { parseCall } from './call.ts'
import { encodeFlatFrame } from './encodeTrace.ts'
import { encodeBytes, encodeQuantity, encodeWord, parseUint64 } from './hex.ts'
import { arrayOf, InvalidValue, type JsonObject, type Parser, parseCount } from './parser.ts'

export type TraceKind = 'trace' | 'stateDiff'

export interface TraceResults {
  readonly frames: readonly FlatFrame[]
  readonly diff: StateDiff | undefined
}

const parseTraceKind: Parser<TraceKind> = (value, path) => {
  if (value === 'trace' || value === 'stateDiff') return value
  const instead = value === 'vmTrace' ? ' (each step: debug_traceTransaction without a tracer)' : ''
  throw new InvalidValue(path, `"trace" or "stateDiff"${instead}`, value)
}

export const parseTraceKinds: Parser<TraceKind[]> = arrayOf(
  parseTraceKind,
  'an array of kinds of traces, such as ["trace", "stateDiff"]',
)

const parseTracedCall: Parser<[Call, TraceKind[]]> = (value, path) => {
  if (!Array.isArray(value) || value.length !== 2) throw new InvalidValue(path, 'a pair [call, kinds]', value)
  return [parseCall(value[0], `${path}[0]`), parseTraceKinds(value[1], `${path}[1]`)]
}

export const parseTracedCalls: Parser<[Call, TraceKind[]][]> = arrayOf(
  parseTracedCall,
  'an array of pairs [call, kinds]',
)

const parseIndex: Parser<number> = (value, path) =>
  typeof value === 'number' ? parseCount(value, path) : Number(parseUint64(value, path))

export const parseIndices: Parser<number[]> = arrayOf(parseIndex, 'an array of indices')

export function encodeTraceResults({ frames, diff }: TraceResults, kinds: readonly TraceKind[]): JsonObject {
  return {
    output: encodeBytes(frames[0]?.output ?? new Uint8Array()),
    trace: kinds.includes('trace') ? frames.map(encodeFlatFrame) : [],
    stateDiff: diff === undefined ? null : encodeStateDiff(diff, createdIn(frames)),
    vmTrace: null,
  }
}

function createdIn(frames: readonly FlatFrame[]): ReadonlySet<Address> {
  const created = frames.filter(({ kind, error }) => kind.startsWith('CREATE') && error === undefined)
  return new Set(created.flatMap(({ to }) => (to === undefined ? [] : [to])))
}

function encodeStateDiff({ pre, post }: StateDiff, created: ReadonlySet<Address>): JsonObject {
  const addresses = [...new Set([...pre.keys(), ...post.keys()])].sort()
  return Object.fromEntries(
    addresses.map((address) => [
      address,
      encodeAccountDiff(pre.get(address), post.get(address), created.has(address)),
    ]),
  )
}

/**
 * Encodes how an account changed. Each member is `{"+": new}` for a contract created at an empty address, `{"-":
 * old}` for a destroyed account, `{"*": {from, to}}` for a changed value, or `"="` if unchanged.
 */
function encodeAccountDiff(
  old: PrestateAccount | undefined,
  now: PrestateAccount | undefined,
  isCreated: boolean,
): JsonObject {
  const { balance = 0n, nonce = 0n, code = EMPTY } = old ?? {}
  const change = now === undefined ? removed : isCreated && balance === 0n ? added : changed
  return {
    balance: change(encodeQuantity(balance), encodeQuantity(now?.balance ?? balance)),
    code: change(encodeBytes(code), encodeBytes(now?.code ?? code)),
    nonce: change(encodeQuantity(nonce), encodeQuantity(now?.nonce ?? nonce)),
    storage: Object.fromEntries(
      slotsOf(old, now).map((slot) => [
        encodeWord(slot),
        change(encodeWord(old?.storage.get(slot) ?? 0n), encodeWord(now?.storage.get(slot) ?? 0n)),
      ]),
    ),
  }
}

const EMPTY = new Uint8Array()

function slotsOf(...accounts: readonly (PrestateAccount | undefined)[]): bigint[] {
  const slots = new Set(accounts.flatMap((account) => [...(account?.storage.keys() ?? [])]))
  return [...slots].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

type Change = (from: string, to: string) => unknown

const added: Change = (_, to) => ({ '+': to })
const removed: Change = (from) => ({ '-': from })
const changed: Change = (from, to) => (from === to ? '=' : { '*': { from, to } })
