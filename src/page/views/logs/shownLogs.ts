/** The logs of a list that goes on: each once, as the last thing that was told of it. */
import type { LogAnswer } from '../../source/answers.ts'

export type LogState = 'preconfirmed' | 'sealed' | 'reorged'

export interface ShownLog {
  readonly key: string
  readonly log: LogAnswer
  readonly state: LogState
}

/** More are left out: the oldest first. */
const MOST = 5_000

/** Logs by their place, the newest last. */
export class ShownLogs {
  #byPlace = new Map<string, ShownLog>()
  readonly #most: number
  /** How many were left out. */
  leftOut = 0

  constructor(most = MOST) {
    this.#most = most
  }

  /** Adds logs of an answer, or of a subscription: pre-confirmed ones if `isPending`. */
  add(logs: readonly LogAnswer[], isPending: boolean): void {
    for (const log of logs) {
      const key = placeOf(log)
      if (log.removed) {
        this.#remove(log)
        continue
      }
      const known = this.#byPlace.get(key)
      // A slice may be told after its block.
      if (isPending && known?.state === 'sealed') continue
      // Its place in the list is that of its first word; another log at this place is another one.
      this.#byPlace.set(key, { key, log, state: isPending ? 'preconfirmed' : 'sealed' })
    }
    while (this.#byPlace.size > this.#most) {
      this.#byPlace.delete(this.#byPlace.keys().next().value!)
      this.leftOut++
    }
  }

  /** Whether there is room for older ones. */
  get hasRoom(): boolean {
    return this.#byPlace.size < this.#most
  }

  /** Adds sealed logs from before all that are here, the oldest of them first. */
  addOlder(logs: readonly LogAnswer[]): void {
    const cut = Math.max(0, logs.length - (this.#most - this.#byPlace.size))
    this.leftOut += cut
    const older = logs.slice(cut).map((log): [string, ShownLog] => {
      const key = placeOf(log)
      return [key, { key, log, state: 'sealed' }]
    })
    this.#byPlace = new Map([...older, ...this.#byPlace])
  }

  /** Keeps a log that is not on the chain any more beside the one that takes its place. */
  #remove(log: LogAnswer): void {
    const key = placeOf(log)
    const known = this.#byPlace.get(key)
    const gone = { key: `${key} ${log.transactionHash} gone`, log, state: 'reorged' } as const
    if (known !== undefined && known.log.transactionHash === log.transactionHash) this.#byPlace.delete(key)
    this.#byPlace.set(gone.key, gone)
  }

  /** All that is shown, the newest first. */
  list(): readonly ShownLog[] {
    return [...this.#byPlace.values()].reverse()
  }
}

function placeOf({ blockNumber, logIndex }: LogAnswer): string {
  return `${Number(blockNumber)} ${Number(logIndex)}`
}
