/** The chains of a running test, recorded in memory from their beginning, for reports of them if the test fails. */
import type { Devnet } from '../../devnet/devnet.ts'
import { type ObservedDevnet, observeDevnets } from '../../devnet/events.ts'
import { type Recording, record } from '../../recording/record.ts'

/** The number of recorded chains of a test: a report has more than 1 MB, and a test may create thousands of chains. */
export const MOST_CHAINS = 10

export type RecordedChain =
  | { readonly kind: 'here'; readonly devnet: Devnet; readonly recording: Recording }
  /** A chain of another process; `report` resolves to its document with this heading. */
  | { readonly kind: 'elsewhere'; readonly report: (title: string) => Promise<string> }
  /** A chain without a recording, and the reason. */
  | { readonly kind: 'none'; readonly problem: string }

/** The running tests that have reports if they fail. */
const running = new Set<RecordedChains>()
let stopObserving: (() => void) | undefined

export class RecordedChains {
  readonly #chains = new Map<ObservedDevnet, Promise<RecordedChain>>()
  readonly #elsewhere: RecordedChain[] = []
  /** The number of chains beyond `MOST_CHAINS`, which are not recorded. */
  leftOut = 0
  hasBegun = false

  /** Created before the test is set up: devnets that only build fixtures are not recorded. */
  constructor() {
    running.add(this)
    stopObserving ??= observeDevnets((devnet, origin) => {
      makerOf(origin)?.add(devnet)
      return undefined
    })
  }

  /** Begins the test: records `devnet`, its forks, and the devnets that the test makes. */
  async begin(devnet: Devnet): Promise<void> {
    this.hasBegun = true
    this.add(devnet)
    await this.#chains.get(devnet)
  }

  async end(): Promise<readonly RecordedChain[]> {
    running.delete(this)
    if (running.size === 0) {
      stopObserving?.()
      stopObserving = undefined
    }
    const chains = await Promise.all(this.#chains.values())
    this.#chains.clear()
    for (const chain of chains) if (chain.kind === 'here') chain.recording.end()
    return [...chains, ...this.#elsewhere.splice(0)]
  }

  has(devnet: ObservedDevnet): boolean {
    return this.#chains.has(devnet)
  }

  /** Adds a chain of another process. */
  addElsewhere(report: (title: string) => Promise<string>): void {
    this.#elsewhere.push({ kind: 'elsewhere', report })
  }

  add(devnet: ObservedDevnet): void {
    if (this.#chains.has(devnet)) return
    if (this.#chains.size < MOST_CHAINS) this.#chains.set(devnet, this.#record(devnet))
    else this.leftOut++
  }

  async #record(observed: ObservedDevnet): Promise<RecordedChain> {
    // Observers are always called with a `Devnet`.
    const devnet = observed as Devnet
    // The first transactions after a fork block may still have to be repeated; the recording begins after them.
    if (devnet.settings.fork !== undefined) await Promise.resolve()
    try {
      const recording = await record(devnet, {
        onGiveWay: (to) => {
          if (to === 'replay') this.#chains.delete(devnet)
          else this.#chains.set(devnet, Promise.resolve({ kind: 'none', problem: RECORDED }))
        },
      })
      return { kind: 'here', devnet, recording }
    } catch (error) {
      return { kind: 'none', problem: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** Returns the test that created a devnet: that of its origin, or the only running test. */
function makerOf(origin: ObservedDevnet | undefined): RecordedChains | undefined {
  const all = [...running]
  if (origin !== undefined) return all.find((test) => test.has(origin))
  const [only, another] = all
  return another === undefined && only?.hasBegun ? only : undefined
}

const RECORDED = 'the test records it itself (devnet.record)'
