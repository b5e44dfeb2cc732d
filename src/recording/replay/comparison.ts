/** Compares the responses of a replay with the recorded responses, in any order of arrival. */
import { isRecord } from '../../model/api/arguments.ts'
import type { RecordedAnswer, RecordedRequest } from '../recordedEvent.ts'

interface PendingComparison {
  readonly asked: PlayedRequest
  recorded: RecordedAnswer | undefined
  answered: RecordedAnswer | undefined
}

export class Comparison {
  readonly ids = new GivenIds()
  readonly #isSameVersion: boolean
  readonly #open = new Map<number, PendingComparison>()
  #difference: Difference | undefined

  /** `isSameVersion` tells whether this version of preseal made the recording. */
  constructor(isSameVersion: boolean) {
    this.#isSameVersion = isSameVersion
  }

  /** The difference on the earliest line; `undefined` if none is known. */
  get difference(): Difference | undefined {
    return this.#difference
  }

  get isComplete(): boolean {
    return this.#missing === undefined
  }

  ask(asked: PlayedRequest): void {
    const { number, answer } = asked.request
    this.#open.set(number, { asked, recorded: answer, answered: undefined })
  }

  /** Registers a recorded response that is on a later line than its request. */
  expect(number: number, recorded: RecordedAnswer): void {
    const open = this.#open.get(number)
    if (open === undefined) return
    open.recorded = recorded
    this.#compare(number, open)
  }

  answer(number: number, answered: RecordedAnswer): void {
    const open = this.#open.get(number)
    if (open === undefined) return
    open.answered = answered
    this.#compare(number, open)
  }

  /** Reports the first missing response as a difference. */
  giveUp(): void {
    const { asked, recorded } = this.#missing ?? {}
    if (asked !== undefined && recorded !== undefined) this.#judge(asked, recorded, undefined)
  }

  get #missing(): PendingComparison | undefined {
    for (const open of this.#open.values()) if (open.recorded !== undefined) return open
    return undefined
  }

  #compare(number: number, { asked, recorded, answered }: PendingComparison): void {
    if (recorded === undefined || answered === undefined) return
    this.#open.delete(number)
    this.#judge(asked, recorded, answered)
  }

  #judge(asked: PlayedRequest, recorded: RecordedAnswer, answered: RecordedAnswer | undefined): void {
    const { request, line, block, slice, time } = asked
    const { number, tick, method, params = [] } = request
    const found = differing(method, recorded, answered, this.ids, this.#isSameVersion)
    if (found === undefined || (this.#difference !== undefined && this.#difference.line < line)) return
    this.#difference = { line, request: number, tick, block, slice, time, method, params, ...found }
  }
}

/** The first member that differs, with the recorded value and the value in the replay (`undefined` if absent). */
export interface Differing {
  /** The path of the member, such as `result.transactions[0].hash`. */
  readonly path: string
  readonly recorded: unknown
  readonly answered: unknown
}

/** Returns the first difference of two JSON values, except in members named in `ignored`; `undefined` if none. */
export function difference(
  recorded: unknown,
  answered: unknown,
  path: string,
  ignored: ReadonlySet<string> = new Set(),
): Differing | undefined {
  if (Object.is(recorded, answered)) return undefined
  const areArrays = Array.isArray(recorded) && Array.isArray(answered)
  if (!areArrays && !(isRecord(recorded) && isRecord(answered))) return { path, recorded, answered }
  const before = recorded as Readonly<Record<string, unknown>>
  const after = answered as Readonly<Record<string, unknown>>
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (ignored.has(name)) continue
    const member = areArrays ? `${path}[${name}]` : `${path}.${name}`
    const found = difference(before[name], after[name], member, ignored)
    if (found !== undefined) return found
  }
  return undefined
}

/** The first response that differs from the recorded response. */
export interface Difference extends Differing {
  /** The line of the request in the recording, counted from 1. */
  readonly line: number
  /** The number of the request, counted from 1. */
  readonly request: number
  /** Number of ticks before the request. */
  readonly tick: number
  /**
   * `block` is the number of the newest block (sealed or pre-confirmed) when the request was sent, `slice` the number
   * of its slices (0 if sealed), `time` the chain's time in milliseconds since 1970; `undefined` for another node.
   */
  readonly block: number | undefined
  readonly slice: number | undefined
  readonly time: number | undefined
  readonly method: string
  readonly params: readonly unknown[]
}

interface PlayedRequest extends Pick<Difference, 'line' | 'block' | 'slice' | 'time'> {
  readonly request: RecordedRequest
}

/** Methods whose results contain the version of preseal. */
const VERSION_METHODS = new Set(['web3_clientVersion', 'anvil_metadata', 'hardhat_metadata'])

/** Methods whose results depend on artifacts and ABIs, which are not recorded. */
const ARTIFACT_METHODS = new Set([
  'preseal_getContract',
  'preseal_getCreation',
  'preseal_getSource',
  'preseal_getSources',
  'preseal_getStorage',
  'preseal_getVariable',
  'preseal_listContracts',
])

/** Members that depend on artifacts. They are ignored in the results of all methods. */
const OF_ARTIFACTS: ReadonlySet<string> = new Set(['stackTrace'])

/** Members that depend on artifacts or ABIs. They are ignored in the results of preseal_explain. */
const OF_ABIS: ReadonlySet<string> = new Set([...OF_ARTIFACTS, 'reason', 'failure'])

function differing(
  method: string,
  recorded: RecordedAnswer,
  answered: RecordedAnswer | undefined,
  ids: GivenIds,
  isSameVersion: boolean,
): Differing | undefined {
  if (answered?.kind === 'result' && recorded.kind === 'result') {
    ids.register(method, recorded.result, answered.result)
    if (ARTIFACT_METHODS.has(method)) return undefined
    if (ids.returnsId(method) || (!isSameVersion && VERSION_METHODS.has(method))) return undefined
    const ignored = isFailure(method, recorded.result) ? OF_ABIS : OF_ARTIFACTS
    return difference(recorded.result, asJson(answered.result), 'result', ignored)
  }
  if (answered?.kind === 'error' && recorded.kind === 'error') {
    return difference(recorded.error, asJson(answered.error), 'error')
  }
  if (answered?.kind === recorded.kind) return undefined
  return { path: 'answer', recorded: shownAnswer(recorded), answered: shownAnswer(answered) }
}

function isFailure(method: string, result: unknown): boolean {
  return method === 'preseal_explain' && typeof result === 'object' && result !== null && 'failure' in result
}

/** Returns the value as a client receives it, after conversion to JSON. */
function asJson(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value))
}

function shownAnswer(answer: RecordedAnswer | undefined): unknown {
  if (answer === undefined) return undefined
  switch (answer.kind) {
    case 'result':
      return { result: asJson(answer.result) }
    case 'error':
      return { error: asJson(answer.error) }
    case 'never':
      return { never: true }
  }
}

type IdKind = 'snapshot' | 'filter' | 'subscription' | 'fault'

const RETURNING_ID: ReadonlyMap<string, IdKind> = new Map<string, IdKind>([
  ['evm_snapshot', 'snapshot'],
  ['anvil_snapshot', 'snapshot'],
  ['eth_newFilter', 'filter'],
  ['eth_newBlockFilter', 'filter'],
  ['eth_newPendingTransactionFilter', 'filter'],
  ['eth_subscribe', 'subscription'],
  ['preseal_addFault', 'fault'],
])

/** Methods whose first parameter is an id, with the kind of the id. */
const TAKING_ID: ReadonlyMap<string, IdKind> = new Map<string, IdKind>([
  ['evm_revert', 'snapshot'],
  ['anvil_revert', 'snapshot'],
  ['eth_getFilterChanges', 'filter'],
  ['eth_getFilterLogs', 'filter'],
  ['eth_uninstallFilter', 'filter'],
  ['eth_unsubscribe', 'subscription'],
  ['preseal_removeFault', 'fault'],
])

/** Maps recorded ids of snapshots, filters, subscriptions and faults to the ids in the replay. */
export class GivenIds {
  readonly #given = new Map<string, unknown>()

  returnsId(method: string): boolean {
    return RETURNING_ID.has(method)
  }

  register(method: string, recorded: unknown, given: unknown): void {
    const kind = RETURNING_ID.get(method)
    if (kind !== undefined) this.#given.set(keyOf(kind, recorded), given)
  }

  translated(method: string, params: readonly unknown[]): readonly unknown[] {
    const kind = TAKING_ID.get(method)
    const given = kind && this.#given.get(keyOf(kind, params[0]))
    return given === undefined ? params : [given, ...params.slice(1)]
  }
}

/** Returns the same key for all spellings of an id. */
function keyOf(kind: IdKind, id: unknown): string {
  const isNumber =
    typeof id === 'number' ? Number.isSafeInteger(id) : /^(0x[0-9a-f]+|[0-9]+)$/i.test(String(id))
  return `${kind} ${isNumber ? BigInt(id as number | string) : JSON.stringify(id)}`
}
