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

const TRACER_NAMES = [...Object.keys(TRACERS), 'muxTracer']

/** Parses `TraceConfig` of execution-apis and geth. Default: the struct logger. */
export const parseTraceRequest: Parser<AnyTraceRequest> = (value, path) => {
  const record = recordOf(value, path, 'a trace configuration {tracer, tracerConfig}')
  const { tracer } = record
  if (tracer === undefined || tracer === null || tracer === '') return structRequest(record, path)
  const at = `${path}.tracerConfig`
  const config =
    optional((given, where) => recordOf(given, where, 'an object'))(record.tracerConfig, at) ?? {}
  if (tracer === 'muxTracer') return { kind: 'mux', requests: muxed(config, at) }
  const read = typeof tracer === 'string' && Object.hasOwn(TRACERS, tracer) ? TRACERS[tracer] : undefined
  if (read === undefined) {
    throw new InvalidValue(
      `${path}.tracer`,
      `one of ${TRACER_NAMES.join(', ')}, or none for the struct logger (JavaScript tracers are not run)`,
      tracer,
    )
  }
  const member: Members['member'] = (name, parser) => optional(parser)(config[name], `${at}.${name}`)
  return read({ flag: (name) => member(name, boolean) ?? false, member })
}

/** Parses the configuration of geth's muxTracer: the configuration of each tracer by its name. */
function muxed(config: Record<string, unknown>, path: string): ReadonlyMap<string, TraceRequest> {
  const requests = Object.entries(config).map(([tracer, tracerConfig]): [string, TraceRequest] => {
    const request = parseTraceRequest({ tracer, tracerConfig }, `${path}.${tracer}`)
    if (request.kind === 'source') throw new InvalidValue(path, `tracers other than ${tracer}`, tracer)
    return [tracer, request]
  })
  if (requests.length === 0)
    throw new InvalidValue(path, 'tracers by name, such as {"callTracer": {}}', config)
  return new Map(requests)
}

export const DEFAULT_TRACE: TraceRequest = {
  kind: 'struct',
  stack: true,
  storage: 'accessed',
  memory: false,
  returnData: false,
  limit: undefined,
}

/** The third parameter of debug_traceCall: a trace configuration with overrides. */
export interface TraceCallRequest {
  readonly request: AnyTraceRequest
  readonly accounts: readonly AccountOverride[]
  readonly block: BlockOverride
}

export const parseTraceCallRequest: Parser<TraceCallRequest> = (value, path) => {
  const record = recordOf(
    value,
    path,
    'a trace configuration {tracer, tracerConfig, stateOverrides, blockOverrides}',
  )
  return {
    request: parseTraceRequest(value, path),
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
