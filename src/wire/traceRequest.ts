import { type Hash, toHex } from '../bytes/hex.ts'
import type { AccountOverride, BlockOverride } from '../model/execution/call.ts'
import type { SourceRequest, TraceRequest } from '../model/execution/trace.ts'
import { parseAccountOverrides, parseBlockOverrides } from './call.ts'
import { parseBytes, parseUint8 } from './hex.ts'
import {
  arrayOf,
  boolean,
  InvalidValue,
  optional,
  type Parser,
  parseCount,
  recordOf,
  withDefault,
} from './parser.ts'

export type AnyTraceRequest = TraceRequest | SourceRequest

/** A trace configuration: a tracer and a time limit. */
export interface TraceConfig {
  readonly request: AnyTraceRequest
  /** The time limit in milliseconds; `undefined`: the default of the tracer. */
  readonly timeoutMs: number | undefined
}

type Flags = (name: string) => boolean

interface Members {
  readonly flag: Flags
  member<T>(name: string, parser: Parser<T>): T | undefined
}

const TRACERS: Record<string, (members: Members) => AnyTraceRequest> = {
  // `withSource` exists only in preseal. The other members are geth's.
  callTracer: ({ flag }) => ({
    kind: 'call',
    onlyTopCall: flag('onlyTopCall'),
    withLog: flag('withLog'),
    withSource: flag('withSource'),
  }),
  prestateTracer: ({ flag }) => ({
    kind: 'prestate',
    diffMode: flag('diffMode'),
    code: !flag('disableCode'),
    storage: !flag('disableStorage'),
    includeEmpty: flag('includeEmpty'),
  }),
  flatCallTracer: ({ flag }) => ({
    kind: 'flatCall',
    convertParityErrors: flag('convertParityErrors'),
    includePrecompiles: flag('includePrecompiles'),
  }),
  erc7562Tracer: ({ flag, member }) => ({
    kind: 'erc7562',
    withLog: flag('withLog'),
    ignoredOpcodes: member('ignoredOpcodes', parseOpcodes),
  }),
  '4byteTracer': () => ({ kind: 'fourByte' }),
  noopTracer: () => ({ kind: 'noop' }),
  // This tracer exists only in preseal.
  soliditySource: ({ flag, member }) => ({
    kind: 'source',
    limit: member('limit', parseLimit),
    disableStorage: flag('disableStorage'),
  }),
}

/** Text that may be the name of a tracer. All other text is a tracer in JavaScript. */
const NAME = /^\w*$/

const TRACER_NAMES = [...Object.keys(TRACERS), 'muxTracer']

/** Parses `TraceConfig` of execution-apis and geth. Default: the struct logger. */
export const parseTraceConfig: Parser<TraceConfig> = (value, path) => {
  const record = recordOf(value, path, 'a trace configuration {tracer, tracerConfig, timeout}')
  return {
    request: parseTracer(record, path),
    timeoutMs: optional(parseDuration)(record.timeout, `${path}.timeout`),
  }
}

function parseTracer(record: Record<string, unknown>, path: string): AnyTraceRequest {
  const { tracer } = record
  if (typeof tracer === 'string' && !NAME.test(tracer)) {
    return { kind: 'javascript', code: tracer, config: JSON.stringify(record.tracerConfig ?? {}) }
  }
  if (tracer === undefined || tracer === null || tracer === '') return structRequest(record, path)
  const at = `${path}.tracerConfig`
  const config =
    optional((given, where) => recordOf(given, where, 'an object'))(record.tracerConfig, at) ?? {}
  if (tracer === 'muxTracer') return { kind: 'mux', requests: muxed(config, at) }
  const read = typeof tracer === 'string' && Object.hasOwn(TRACERS, tracer) ? TRACERS[tracer] : undefined
  if (read === undefined) {
    throw new InvalidValue(
      `${path}.tracer`,
      `one of ${TRACER_NAMES.join(', ')}, an object in JavaScript, or none for the struct logger`,
      tracer,
    )
  }
  const member: Members['member'] = (name, parser) => optional(parser)(config[name], `${at}.${name}`)
  return read({ flag: (name) => member(name, boolean) ?? false, member })
}

/** Parses the configuration of geth's muxTracer: the configuration of each tracer by its name. */
function muxed(config: Record<string, unknown>, path: string): ReadonlyMap<string, TraceRequest> {
  const requests = Object.entries(config).map(([tracer, tracerConfig]): [string, TraceRequest] => {
    const request = parseTracer({ tracer, tracerConfig }, `${path}.${tracer}`)
    if (request.kind === 'source') throw new InvalidValue(path, `tracers other than ${tracer}`, tracer)
    return [tracer, request]
  })
  if (requests.length === 0)
    throw new InvalidValue(path, 'tracers by name, such as {"callTracer": {}}', config)
  return new Map(requests)
}

export const DEFAULT_TRACE: TraceConfig = {
  request: {
    kind: 'struct',
    stack: true,
    storage: 'accessed',
    memory: false,
    returnData: false,
    limit: undefined,
  },
  timeoutMs: undefined,
}

/** The third parameter of debug_traceCall: a trace configuration with overrides. */
export interface TraceCallConfig extends TraceConfig {
  readonly accounts: readonly AccountOverride[]
  readonly block: BlockOverride
}

export const parseTraceCallConfig: Parser<TraceCallConfig> = (value, path) => {
  const record = recordOf(
    value,
    path,
    'a trace configuration {tracer, tracerConfig, stateOverrides, blockOverrides}',
  )
  return {
    ...parseTraceConfig(value, path),
    accounts: withDefault(parseAccountOverrides, [])(record.stateOverrides, `${path}.stateOverrides`),
    block: withDefault(parseBlockOverrides, {})(record.blockOverrides, `${path}.blockOverrides`),
  }
}

function structRequest(record: Record<string, unknown>, path: string): TraceRequest {
  const flag: Flags = (name) => withDefault(boolean, false)(record[name], `${path}.${name}`)
  return {
    kind: 'struct',
    stack: !flag('disableStack'),
    // `storageAtEveryStep` exists only in preseal. The other members are geth's.
    storage: flag('disableStorage') ? 'none' : flag('storageAtEveryStep') ? 'everyStep' : 'accessed',
    memory: flag('enableMemory'),
    returnData: flag('enableReturnData'),
    limit: optional(parseLimit)(record.limit, `${path}.limit`),
  }
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}

/** Parses a duration as Go writes it, such as "5s" or "1m30s". Returns milliseconds. */
const parseDuration: Parser<number> = (value, path) => {
  const isDuration = typeof value === 'string' && /^(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(value)
  const parts = isDuration ? [...value.matchAll(/(\d+(?:\.\d*)?)(\D+)/g)] : []
  const ms = Math.ceil(parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit!]!, 0))
  if (ms === 0) throw new InvalidValue(path, 'a duration above zero, such as "5s" or "1m30s"', value)
  return ms
}

const parseOpcodes: Parser<ReadonlySet<number>> = (value, path) =>
  new Set(arrayOf(parseUint8, 'an array of opcodes')(value, path).map(Number))

/** Parses a limit. Zero means unlimited. */
const parseLimit: Parser<number | undefined> = (value, path) => parseCount(value, path) || undefined

/** Parses the first bytes of a hash, at which an iteration in hash order starts. Pads them with zeros to 32 bytes. */
export const parseHashStart: Parser<Hash> = (value, path) => {
  const bytes = parseBytes(value, path)
  if (bytes.length > 32) throw new InvalidValue(path, 'at most 32 bytes of a hash', value)
  const hash = new Uint8Array(32)
  hash.set(bytes)
  return toHex(hash)
}
