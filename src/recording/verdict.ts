/** Whether a chain answers as it was recorded. */
import { type Differing, difference } from './difference.ts'
import type { GivenIds } from './givenIds.ts'
import type { RecordedAnswer, RecordedRequest } from './recordedEvent.ts'

/** The first answer that was another than in the recording. */
export interface Difference extends Differing {
  /** Of the recording, where the request stands; counted from 1. */
  readonly line: number
  /** Which request it was, counted from 1. */
  readonly request: number
  /** How many ticks were made before it. */
  readonly tick: number
  /**
   * What was the pending block then, with how many slices (0: it is sealed), and what time it was there (milliseconds since
   * 1970). Of another node nobody knows.
   */
  readonly block: number | undefined
  readonly slice: number | undefined
  readonly time: number | undefined
  readonly method: string
  readonly params: readonly unknown[]
}

/** A request that was played, and where. */
export interface PlayedRequest extends Pick<Difference, 'line' | 'block' | 'slice' | 'time'> {
  readonly request: RecordedRequest
}

/** What an answer may differ in, and is the same all the same. */
export interface Tolerance {
  readonly ids: GivenIds
  /** Whether it is the version of preseal that recorded. */
  readonly isSameVersion: boolean
}

/** Methods that answer which version it is. */
const TELLING_VERSIONS = new Set(['web3_clientVersion', 'anvil_metadata', 'hardhat_metadata'])

/** What differs between what was recorded and what was answered here; and learns which id was given here, if so. */
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
    ids.learn(method, recorded.result, answered.result)
    if (ids.isGiving(method) || (!isSameVersion && TELLING_VERSIONS.has(method))) return undefined
    return difference(recorded.result, asJson(answered.result), 'result')
  }
  if (answered?.kind === 'error' && recorded.kind === 'error') {
    return difference(recorded.error, asJson(answered.error), 'error')
  }
  if (answered?.kind === recorded.kind) return undefined
  return { path: 'answer', recorded: shownAnswer(recorded), answered: shownAnswer(answered) }
}

/** As whoever asks gets it. */
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
