/** Parses and encodes faults as JSON: `{ kind, …, when? }`. Rejects unknown members, which would have no effect. */
import { toHex } from '../bytes/hex.ts'
import { REORG, requireRoom } from '../rpc/reorgRequest.ts'
import { parseHash, smallAmount } from '../wire/hex.ts'
import {
  anything,
  arrayOf,
  InvalidValue,
  integer,
  membersOf,
  oneOf,
  optional,
  type Parser,
  recordOf,
  text,
} from '../wire/parser.ts'
import {
  type AnyFault,
  LOG_PROVIDERS,
  type LogProvider,
  type Planned,
  type RequestFault,
  type Span,
  type Trigger,
} from './fault.ts'

/** A fault as JSON, as accepted by `--faults` and `preseal_addFault`. */
export interface FaultForm {
  readonly kind: Planned['fault']['kind']
  readonly when?: When | undefined
  readonly [member: string]: unknown
}

export interface PlannedForm extends FaultForm {
  readonly id: number
  readonly when: When
}

/** The members of a kind of fault, and the occasions at which the fault can happen. */
interface Shape {
  readonly members: Readonly<Record<string, Parser<unknown>>>
  readonly occasions: 'slices' | 'blocks' | 'requests'
  readonly standing: Extract<When, 'always'> | { readonly times: 1 }
}

const ONCE = { times: 1 } as const
const parseCount = atLeastOne(1_000_000)
const parseMs = smallAmount(3_600_000)
const parseSeed = smallAmount(2 ** 32 - 1)

const parseMethod: Parser<string> = (value, path) => {
  if (typeof value !== 'string' || !/^(\w+\*?|\*)$/.test(value)) {
    throw new InvalidValue(path, 'a method, or a prefix and a star, such as "eth_*" or "*"', value)
  }
  return value
}

const parseCode = integer(-(2 ** 31), 2 ** 31, 'a JSON-RPC error code, such as -32000')
const parseStatus = integer(400, 599, 'an HTTP status from 400 to 599')

/** Parses a close code that a server may send (RFC 6455, section 7.4). */
const parseCloseCode: Parser<number> = (value, path) => {
  const code = integer(1000, 4999, CLOSE_CODES)(value, path)
  if ((code > 1014 && code < 3000) || [1004, 1005, 1006].includes(code)) {
    throw new InvalidValue(path, CLOSE_CODES, value)
  }
  return code
}

const CLOSE_CODES = 'a close code that a server may send: 1000 to 1014, 3000 to 4999'

const OF_REQUESTS = { occasions: 'requests', standing: ONCE } as const
const OF_SLICES = { occasions: 'slices', standing: ONCE } as const
const OF_BLOCKS = { occasions: 'blocks', standing: ONCE } as const
/** The shape of faults that model a permanent property of a service, and so are active until they are removed. */
const LASTING = { occasions: 'requests', standing: 'always' } as const

const SHAPES: { readonly [K in AnyFault['kind']]: Shape } = {
  omitSlice: { members: {}, ...OF_SLICES },
  duplicateSlice: { members: {}, ...OF_SLICES },
  delaySlice: { members: { slices: parseCount }, ...OF_SLICES },
  absentPending: { members: { slices: parseCount }, ...OF_SLICES },
  stalePending: { members: { slices: parseCount }, ...OF_SLICES },
  cutWebSockets: { members: { code: optional(parseCloseCode) }, ...OF_SLICES },
  dropTransaction: {
    members: { hash: optional(parseHash), lands: oneOf(['next', 'never']) },
    ...OF_BLOCKS,
  },
  sealDifferently: {
    members: {
      order: optional(oneOf(['reversed'])),
      laterSeconds: optional(atLeastOne(1_000_000)),
      prevRandao: optional(parseHash),
    },
    ...OF_BLOCKS,
  },
  reorg: { members: REORG, ...OF_BLOCKS },
  withholdBatches: { members: { l1Blocks: parseCount }, ...OF_BLOCKS },
  missL1Slots: { members: { slots: parseCount }, ...OF_BLOCKS },
  latency: {
    members: { method: optional(parseMethod), ms: span(parseMs), seed: optional(parseSeed) },
    ...LASTING,
  },
  timeout: {
    members: { method: optional(parseMethod), lost: optional(oneOf(['answer', 'request'])) },
    ...OF_REQUESTS,
  },
  httpStatus: {
    members: {
      method: optional(parseMethod),
      status: parseStatus,
      retryAfterSeconds: optional(smallAmount(86_400)),
      code: optional(parseCode),
      message: optional(text),
      body: optional(text),
    },
    ...OF_REQUESTS,
  },
  rpcError: {
    members: { method: optional(parseMethod), code: parseCode, message: text, data: anything },
    ...OF_REQUESTS,
  },
  logRange: {
    members: {
      provider: oneOf<LogProvider>(LOG_PROVIDERS),
      blocks: optional(parseCount),
      results: optional(parseCount),
    },
    ...LASTING,
  },
  contextLag: { members: { blocks: span(smallAmount(256)), seed: optional(parseSeed) }, ...LASTING },
}

/** Returns whether a fault is one of requests. The kind `cutWebSockets` is about connections. */
export function isOfRequests(fault: AnyFault): fault is RequestFault {
  return SHAPES[fault.kind].occasions === 'requests'
}

/** Returns a parser of a fault and its trigger. `seed` is the default seed of random choices. */
export function parseFault(seed: number): Parser<FaultRequest> {
  return (value, path) => {
    const record = recordOf(value, path, 'a fault: an object {kind, …, when?}')
    const { kind } = record
    if (!isKind(kind))
      throw new InvalidValue(`${path}.kind`, `one of ${Object.keys(SHAPES).join(', ')}`, kind)
    const { members, occasions, standing } = SHAPES[kind]
    const fault = { kind, ...membersOf(record, members, path, ['kind', 'when']) } as AnyFault
    if (fault.kind === 'reorg') requireRoom(fault, path)
    if (fault.kind === 'sealDifferently' && Object.keys(fault).length === 1) {
      throw new InvalidValue(path, 'at least one of order, laterSeconds, prevRandao', value)
    }
    return { fault, trigger: parseWhen(occasions, standing, seed)(record.when, `${path}.when`) }
  }
}

/** Parses the optional close code of a cut: `{ code? }`. */
export const parseCut: Parser<number | undefined> = (value, path) => {
  const record = recordOf(value ?? {}, path, 'an object {code?}')
  const { members } = SHAPES.cutWebSockets
  return membersOf(record, members, path).code as number | undefined
}

function isKind(kind: unknown): kind is AnyFault['kind'] {
  return typeof kind === 'string' && Object.hasOwn(SHAPES, kind)
}

function atLeastOne(max: number): Parser<number> {
  return integer(1, max, `a whole number from 1 to ${max}`)
}

function span(parse: Parser<number>): Parser<Span> {
  return (value, path) => {
    if (!Array.isArray(value)) return parse(value, path)
    if (value.length !== 2) throw new InvalidValue(path, 'a number, or an array of two: from and to', value)
    const [from, to] = arrayOf(parse)(value, path) as [number, number]
    if (from > to) throw new InvalidValue(path, 'the smaller number first', value)
    return [from, to]
  }
}

/** Returns a fault as JSON. Transactions are encoded as raw bytes in hex. */
export function encodeFault(fault: Planned['fault']): FaultForm {
  if (fault.kind !== 'reorg' || typeof fault.transactions === 'string') return { ...fault }
  return { ...fault, transactions: fault.transactions.map((block) => block.map(({ raw }) => toHex(raw))) }
}

export interface FaultRequest {
  readonly fault: AnyFault
  readonly trigger: Trigger
}

/** When a fault happens: each time, a number of times, at a given block or slice, or by chance. */
export type When =
  | 'always'
  | { readonly times: number }
  /** Triggers a block fault when this block is sealed, and a slice fault at the block's first slice or at `slice`. */
  | { readonly block: number; readonly slice?: number }
  /** Triggers the fault at each occasion with this probability. The same seed gives the same random choices. */
  | { readonly probability: number; readonly seed?: number }

/** The kinds of occasions. Slices are numbered in their block. Requests belong to no block. */
type Occasions = 'slices' | 'blocks' | 'requests'

const FORMS: Readonly<Record<Occasions, string>> = {
  slices: '"always", {times}, {block, slice?} or {probability, seed?}',
  blocks: '"always", {times}, {block} or {probability, seed?}',
  requests: '"always", {times} or {probability, seed?}',
}

/** Returns a parser of a trigger. `standing` is the default trigger, `seed` the default seed of random choices. */
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

const parseTimes = integer(1, Number.MAX_SAFE_INTEGER, 'a whole number of at least 1')

const parseProbability: Parser<number> = (value, path) => {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw new InvalidValue(path, 'a number from 0 to 1', value)
  }
  return value
}
