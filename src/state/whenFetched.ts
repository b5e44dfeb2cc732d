/** Repeats reads and runs after fetching the values that were missing. */
import { fromBinary } from '../bytes/bytes.ts'
import { toHex } from '../bytes/hex.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import type { Work } from '../work/work.ts'
import { isMissing, missingValueKey } from './fetchingView.ts'
import {
  FetchFailed,
  type MissingValue,
  NotFetched,
  type RemoteCall,
  type RemoteState,
} from './remoteState.ts'

/** The maximum number of fetches. High, because each fetched value may lead the program to another missing value. */
const MOST_ROUNDS = 2_000

/** Work that waits for fetches. The time spent waiting does not count as running time. */
export type WaitingWork = Pick<Work, 'untimed'>

const UNCOUNTED: WaitingWork = { untimed: (promise) => promise }

/** Returns the result of `act`, which must change nothing, because each fetch repeats it. Throws `FetchFailed`. */
export function whenFetched<T>(act: () => MaybePromise<T>, work: WaitingWork = UNCOUNTED): MaybePromise<T> {
  try {
    const result = act()
    if (!(result instanceof Promise)) return result
    return result.catch((error) => afterFetch(error, act, work))
  } catch (error) {
    return afterFetch(error, act, work)
  }
}

/** Continues as `whenFetched` does after `act` threw `first`. Rethrows errors other than `NotFetched`. */
export async function afterFetch<T>(
  first: unknown,
  act: () => MaybePromise<T>,
  work: WaitingWork = UNCOUNTED,
): Promise<T> {
  const rounds = new Rounds()
  for (let error = first; ; ) {
    if (!(error instanceof NotFetched)) throw error
    await rounds.fetch(error.remote, error.values, work)
    try {
      return await act()
    } catch (next) {
      error = next
    }
  }
}

export class Rounds {
  readonly #fetched = new Set<string>()
  #count = 0

  /** Fetches the missing values. For `call` and `guesses`, see `RemoteState.fetch`. Throws `FetchFailed`. */
  async fetch(
    remote: RemoteState,
    values: readonly MissingValue[],
    work: WaitingWork,
    call?: RemoteCall,
    guesses?: readonly MissingValue[],
  ): Promise<void> {
    const missing = values.filter((value) => isMissing(remote, value))
    if (missing.length === 0) return
    const again = missing.find((value) => this.#fetched.has(missingValueKey(value)))
    if (again !== undefined)
      throw new FetchFailed(new Error(`fetched ${textOf(again)}, which is still missing`))
    if (++this.#count > MOST_ROUNDS) {
      const next = textOf(missing[0]!)
      throw new FetchFailed(
        new Error(`values were fetched ${MOST_ROUNDS} times and more are needed, the next is ${next}`),
      )
    }
    for (const value of missing) this.#fetched.add(missingValueKey(value))
    await work.untimed(fetchOf(remote, missing, call, guesses))
  }
}

async function fetchOf(
  remote: RemoteState,
  missing: readonly MissingValue[],
  call: RemoteCall | undefined,
  guesses: readonly MissingValue[] | undefined,
): Promise<void> {
  try {
    await remote.fetch(missing, call, guesses)
  } catch (error) {
    throw new FetchFailed(error)
  }
}

export function textOf(value: MissingValue): string {
  switch (value.kind) {
    case 'account':
      return `account ${value.address}`
    case 'slot':
      return `slot 0x${value.slot.toString(16)} of ${value.address}`
    case 'blockHash':
      return `the hash of block ${value.number}`
    case 'node': {
      const trie = value.address === undefined ? 'the accounts' : `the storage of ${value.address}`
      return `the node ${toHex(fromBinary(value.hash))} of the trie of ${trie}`
    }
  }
}
