/** Computes the outcome of a request under the planned faults. All functions are pure. */
import type { RpcError } from '../rpc/errors/errors.ts'
import type { HttpPart } from '../rpc/request.ts'
import { draw, type Occasion, triggered } from './dueFaults.ts'
import type { Planned, RequestFault, Span } from './fault.ts'
import type { LogRefusal } from './logRefusals.ts'

export type Ending =
  | { readonly kind: 'answered' }
  | { readonly kind: 'lost'; readonly what: 'answer' | 'request' }
  | { readonly kind: 'refused'; readonly error: RpcError; readonly http?: HttpPart }

interface RequestOutcome {
  readonly ending: Ending
  readonly lateMs: number
  readonly due: readonly RequestFault[]
  readonly planned: readonly Planned<RequestFault>[]
}

type LogRange = Extract<RequestFault, { kind: 'logRange' }>

/** The prefix of methods that faults never affect, because they control faults. */
const CONTROL = 'preseal_'

const NOWHERE: Occasion = { block: 0n }

/** Returns the outcome of a request. The delays of all due faults are added. Of the other faults, the first applies. */
export function requestOutcome(
  planned: readonly Planned<RequestFault>[],
  method: string,
  refusedLogs: (fault: LogRange) => LogRefusal | undefined,
): RequestOutcome {
  let lateMs = 0
  let ending: Ending = { kind: 'answered' }
  const selected = selectDrawn(planned, (fault) => {
    const possible = possibleEnding(fault, method, ending, refusedLogs)
    if (possible === undefined) return undefined
    return (drawn) => {
      ending = possible
      lateMs += drawn
    }
  })
  return { ...selected, ending, lateMs }
}

/** Returns how many blocks a call's context lags (`undefined` without a fault), and the faults that remain planned. */
export function dueContextLag(
  planned: readonly Planned<RequestFault>[],
): Pick<RequestOutcome, 'due' | 'planned'> & { readonly lag: number | undefined } {
  let lag: number | undefined
  const selected = selectDrawn(planned, (fault) => {
    if (lag !== undefined || fault.kind !== 'contextLag') return undefined
    return (drawn) => {
      lag = drawn
    }
  })
  return { ...selected, lag }
}

/** Selects the due faults for which `concerns` returns a function, and passes the drawn number to this function. */
function selectDrawn(
  planned: readonly Planned<RequestFault>[],
  concerns: (fault: RequestFault) => ((drawn: number) => void) | undefined,
): Pick<RequestOutcome, 'due' | 'planned'> {
  const due: RequestFault[] = []
  const left: Planned<RequestFault>[] = []
  for (const one of planned) {
    const { fault } = one
    const happen = concerns(fault)
    if (happen === undefined) {
      left.push(one)
      continue
    }
    const { happens, next } = triggered(one, NOWHERE)
    const drawn = happens ? drawnFrom(fault, one.id) : { value: 0, fault }
    if (next !== undefined) left.push({ ...next, fault: drawn.fault })
    if (!happens) continue
    due.push(fault)
    happen(drawn.value)
  }
  return { due, planned: left }
}

/** Returns how a request that would end as `ending` ends with `fault`; `undefined` if the fault has no effect. */
function possibleEnding(
  fault: RequestFault,
  method: string,
  ending: Ending,
  refusedLogs: (fault: LogRange) => LogRefusal | undefined,
): Ending | undefined {
  if (!concerns(fault, method)) return undefined
  if (fault.kind === 'latency') return ending
  return ending.kind === 'answered' ? endingOf(fault, refusedLogs) : undefined
}

function concerns(fault: RequestFault, method: string): boolean {
  if (method.startsWith(CONTROL)) return false
  if (fault.kind === 'logRange') return method === 'eth_getLogs'
  if (fault.kind === 'contextLag') return false
  const { method: pattern = '*' } = fault
  return pattern.endsWith('*') ? method.startsWith(pattern.slice(0, -1)) : method === pattern
}

function endingOf(
  fault: Exclude<RequestFault, { kind: 'latency' }>,
  refusedLogs: (fault: LogRange) => LogRefusal | undefined,
): Ending | undefined {
  switch (fault.kind) {
    case 'timeout':
      return { kind: 'lost', what: fault.lost ?? 'answer' }
    case 'httpStatus':
      return refusedByHttp(fault)
    case 'rpcError': {
      const { code, message, data } = fault
      return { kind: 'refused', error: data === undefined ? { code, message } : { code, message, data } }
    }
    case 'logRange': {
      const refusal = refusedLogs(fault)
      return refusal && { kind: 'refused', error: refusal.error, http: { status: refusal.status } }
    }
    case 'contextLag':
      return undefined
  }
}

/** Errors of proxyd, the proxy of Base's nodes, keyed by HTTP status (ethereum-optimism/infra, proxyd/backend.go). */
const HTTP_ERRORS: Readonly<Record<number, RpcError>> = {
  429: { code: -32016, message: 'over rate limit' },
  500: { code: -32000, message: 'internal error' },
  503: { code: -32011, message: 'no backend is currently healthy to serve traffic' },
  504: { code: -32015, message: 'gateway timeout' },
}

function refusedByHttp(fault: Extract<RequestFault, { kind: 'httpStatus' }>): Ending {
  const { status, body } = fault
  const usual = HTTP_ERRORS[status] ?? { code: -32000, message: `HTTP status ${status}` }
  const retryAfterSeconds = fault.retryAfterSeconds ?? (status === 429 ? 1 : undefined)
  return {
    kind: 'refused',
    error: { code: fault.code ?? usual.code, message: fault.message ?? usual.message },
    http: {
      status,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(body === undefined ? {} : { body }),
    },
  }
}

/** Returns the number drawn from the fault's range, and the fault with its next seed. */
function drawnFrom(fault: RequestFault, id: number): { value: number; fault: RequestFault } {
  if (fault.kind !== 'latency' && fault.kind !== 'contextLag') return { value: 0, fault }
  const span: Span = fault.kind === 'latency' ? fault.ms : fault.blocks
  if (typeof span === 'number') return { value: span, fault }
  const [from, to] = span
  const { value, seed } = draw(fault.seed ?? id)
  return { value: from + Math.floor(value * (to - from + 1)), fault: { ...fault, seed } }
}
