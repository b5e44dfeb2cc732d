/** The chains of a running test. They are recorded in memory from their beginning, and reported if the test fails. */
import type { Devnet } from '../../devnet/devnet.ts'
import { type ObservedDevnet, observeDevnets } from '../../devnet/events.ts'
import type { FoundStory, PlayAgain } from '../../explore/found.ts'
import { type Recording, record } from '../../recording/record.ts'

/** Maximum number of recorded chains per test: a test may create thousands, and each report has more than 1 MB. */
export const MOST_CHAINS = 10

export type RecordedChain =
  | { readonly kind: 'here'; readonly devnet: Devnet; readonly recording: Recording }
  /** A chain of another process. `report` resolves to the HTML of the chain's report, with the heading `title`. */
  | { readonly kind: 'elsewhere'; readonly report: (title: string) => Promise<string> }
  /** A chain that has no recording, with the reason. */
  | { readonly kind: 'none'; readonly problem: string }

/** A story that an exploration found, and the chain on which it was played again. */
export interface RecordedStory {
  readonly found: FoundStory
  readonly chain: RecordedChain
}

/** The running tests that are reported if they fail. */
const running = new Set<RecordedChains>()
let stopObserving: (() => void) | undefined

export class RecordedChains {
  readonly #chains = new Map<ObservedDevnet, Promise<RecordedChain>>()
  readonly #elsewhere: RecordedChain[] = []
  /** Number of chains that are not recorded, because there are more than `MOST_CHAINS`. */
  leftOut = 0
  hasBegun = false
  /** The story that an exploration of the test found last. */
  story: RecordedStory | undefined

  /** Must be called before the test's setup, so that devnets of the setup are not assigned to another running test. */
  constructor() {
    running.add(this)
    stopObserving ??= observeDevnets((devnet, origin) => {
      creatingTest(origin)?.add(devnet)
      return undefined
    })
  }

  /** Begins the test: records `devnet`, its forks, and other devnets that the test creates. */
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
    for (const chain of [...chains, this.story?.chain]) if (chain?.kind === 'here') chain.recording.end()
    return [...chains, ...this.#elsewhere.splice(0)]
  }

  has(devnet: ObservedDevnet): boolean {
    return this.#chains.has(devnet)
  }

  addElsewhere(report: (title: string) => Promise<string>): void {
    this.#elsewhere.push({ kind: 'elsewhere', report })
  }

  add(devnet: ObservedDevnet): void {
    if (this.#chains.has(devnet)) return
    if (this.#chains.size < MOST_CHAINS) this.#chains.set(devnet, this.#record(devnet))
    else this.leftOut++
  }

  async addStory(found: FoundStory, devnet: Devnet): Promise<void> {
    this.story = { found, chain: await this.#record(devnet) }
  }

  async #record(observed: ObservedDevnet): Promise<RecordedChain> {
    // The type `ObservedDevnet` has fewer members than `Devnet`, but each observed devnet is a `Devnet`.
    const devnet = observed as Devnet
    // A forked devnet may rerun transactions that follow its fork block. The recording begins after this rerun.
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

/** Records a story that the only running test found, while it is played again. */
export async function recordStory(found: FoundStory, playAgain: PlayAgain): Promise<void> {
  const test = creatingTest(undefined)
  if (test === undefined) return
  // The test fails with the error of the story, whatever happens now.
  await playAgain((devnet) => test.addStory(found, devnet)).catch(() => {})
}

/** Returns the test that created a devnet: the test of its origin, or the only running test. */
function creatingTest(origin: ObservedDevnet | undefined): RecordedChains | undefined {
  const all = [...running]
  if (origin !== undefined) return all.find((test) => test.has(origin))
  const [only, another] = all
  return another === undefined && only?.hasBegun ? only : undefined
}

const RECORDED = 'the test records it itself (devnet.record)'
