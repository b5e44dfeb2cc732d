/** Compares a response with the recorded one. */
import { type Differing, difference } from './difference.ts'
import type { GivenIds } from './givenIds.ts'
import type { RecordedAnswer, RecordedRequest } from './recordedEvent.ts'

/** The first response that differs from the recorded one. */
export interface Difference extends Differing {
  /** The line of the request in the recording, counted from 1. */
  readonly line: number
  /** The number of the request, counted from 1. */
  readonly request: number
  /** Number of ticks before the request. */
  readonly tick: number
  /**
   * The pending block at that time, the number of its slices (0: it is sealed), and the time of the chain in
   * milliseconds since 1970. `undefined` for another node.
   */
  readonly block: number | undefined
  readonly slice: number | undefined
  readonly time: number | undefined
  readonly method: string
  readonly params: readonly unknown[]
}

/** A request that was played, and its place. */
export interface PlayedRequest extends Pick<Difference, 'line' | 'block' | 'slice' | 'time'> {
  readonly request: RecordedRequest
}

/** Known differences that do not count. */
export interface Tolerance {
  readonly ids: GivenIds
  /** Whether the recording is from the same version of preseal. */
  readonly isSameVersion: boolean
}

/** Methods whose result contains the version. */
const VERSION_METHODS = new Set(['web3_clientVersion', 'anvil_metadata', 'hardhat_metadata'])

/** Methods whose result follows from artifacts and ABIs, which a recording does not have. */
const ARTIFACT_METHODS = new Set([
  'preseal_getContract',
  'preseal_getCreation',
  'preseal_getSource',
  'preseal_getSources',
  'preseal_getStorage',
  'preseal_getVariable',
  'preseal_listContracts',
])

/** Members of other results that follow from them: where in Solidity code failed. */
const OF_ARTIFACTS: ReadonlySet<string> = new Set(['stackTrace'])

/** In the answer of preseal_explain the reason of a failure, too, which is told by the ABI of its error. */
const OF_ABIS: ReadonlySet<string> = new Set([...OF_ARTIFACTS, 'reason', 'failure'])

/**
 * Returns the difference between the recorded and the actual response, if any. Registers an id that was assigned
 * here.
 */
export function verdict(
  { request, line, block, slice, time }: PlayedRequest,
  recorded: RecordedAnswer,
  answered: RecordedAnswer | undefined,
  tolerance: Tolerance,
): Difference | undefined {
  const found = differing(request.method, recorded, answered, tolerance)
  if (found === undefined) return undefined
  const { number, tick, method, params = [] } = request
  return { line, request: number, tick, block, slice, time, method, params, ...found }
}

function differing(
  method: string,
  recorded: RecordedAnswer,
  answered: RecordedAnswer | undefined,
  { ids, isSameVersion }: Tolerance,
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

/** Returns whether a result tells why a transaction failed. */
function isFailure(method: string, result: unknown): boolean {
  return method === 'preseal_explain' && typeof result === 'object' && result !== null && 'failure' in result
}

/** Returns the value as a client receives it over JSON. */
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
