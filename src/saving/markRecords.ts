/** The records of a mark, and the mark from its records: the chain, waiting transactions, the clock and the cheats. */
import type { Retention } from '../chain/history.ts'
import { Pool, type PoolContents } from '../pool/pool.ts'
import { type Cheats, NO_CHEATS } from '../sequencer/cheats.ts'
import type { ClockMark } from '../sequencer/clock.ts'
import type { Mark } from '../sequencer/marks.ts'
import type { RemoteState } from '../state/remoteState.ts'
import { ChainRebuilder, type RecordMismatch } from './chainRebuilder.ts'
import { chainRecords } from './chainRecords.ts'
import type { Saved, SavedRecord } from './format/records.ts'

/** Yields the records of `mark` after the head, on demand. */
export function* markRecords({ chain, pool, clock, cheats }: Mark): Generator<SavedRecord> {
  yield* chainRecords(chain)
  for (const transaction of inOrderOfArrival(pool)) yield { kind: 'waiting', transaction }
  yield { kind: 'clock', clock: { ...clock, shiftedMs: clock.shiftedMs ?? 0 } }
  yield { kind: 'cheats', cheats }
}

function inOrderOfArrival({ byHash }: PoolContents) {
  return [...byHash.entries()]
    .map(([, pooled]) => pooled)
    .sort((a, b) => a.arrival - b.arrival)
    .map(({ transaction }) => transaction)
}

/** Rebuilds a mark: call `add` for each record in order, then `finish`. */
export class MarkRebuilder {
  readonly #chain: ChainRebuilder
  readonly #pool = new Pool()
  #clock: ClockMark | undefined
  #cheats: Cheats | undefined

  /** `keep`: the history to keep. `first`: the number of the first block. `remote`: the remote state of a fork. */
  constructor(keep: Retention, first: bigint, remote?: RemoteState) {
    this.#chain = new ChainRebuilder(keep, first, remote)
  }

  /** Adds the next record. Returns a misfit if it cannot follow the records before it. */
  add(record: SavedRecord): RecordMismatch | undefined {
    switch (record.kind) {
      case 'fetched':
        return { expected: 'another record here', received: `the answer to ${record.method}` }
      case 'waiting':
        this.#pool.add(record.transaction)
        return undefined
      case 'clock':
        this.#clock = clockOf(record.clock)
        return undefined
      case 'cheats':
        this.#cheats = cheatsOf(record.cheats)
        return undefined
      default:
        return this.#chain.add(record)
    }
  }

  /** Returns the mark after the last record, or the missing record. */
  finish(): Mark | RecordMismatch {
    const chain = this.#chain.finish()
    if ('expected' in chain) return chain
    if (this.#clock === undefined) return { expected: 'the clock', received: 'none' }
    if (this.#cheats === undefined) return { expected: 'the cheats', received: 'none' }
    return { chain, pool: this.#pool.contents, clock: this.#clock, cheats: this.#cheats }
  }
}

function clockOf({ nowMs, lastTickMs, shiftedMs }: Required<ClockMark>): ClockMark {
  const mark = { nowMs, lastTickMs }
  return shiftedMs === 0 ? mark : { ...mark, shiftedMs }
}

function cheatsOf({ next, ...cheats }: Saved<'cheats'>['cheats']): Cheats {
  return {
    ...NO_CHEATS,
    ...(cheats as Partial<Cheats>),
    next: Object.keys(next).length === 0 ? NO_CHEATS.next : (next as Cheats['next']),
  }
}
