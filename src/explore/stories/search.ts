/** Plays stories: all of them, by number of faults, and then random ones. */
import type { Pool } from '../pool.ts'
import { faultsAt } from './kinds.ts'
import type { Played } from './play.ts'
import type { RandomStoryOptions } from './randomStory.ts'
import { calmStory, FAULT_KINDS, type FaultKind, type Story, type StoryFault, textOf } from './storyText.ts'

/** A story to play, or the number of a random one, with the methods that the app requests. */
export type StoryTask =
  | { readonly story: Story }
  | { readonly random: number; readonly methods: readonly string[] }

export interface SearchOptions extends RandomStoryOptions {
  /** The maximum number of stories, and the time at which the search ends. */
  readonly stories: number
  readonly endMs: number
  now(): number
  /** The players of stories. The results are read in the order of the stories, so their number changes nothing. */
  readonly pool: Pool<StoryTask, Played>
  /** Called after each story. */
  onPlayed(): void
}

export class Search {
  /** The number of stories by their number of faults. */
  readonly counts: number[] = []
  /** The number of faults up to which all stories were played; -1 if there is none. */
  complete = -1
  randomStories = 0
  /** The limit that ended the search; `undefined` if it played all stories. */
  endedBy: 'stories' | 'seconds' | undefined
  /** The largest number of ticks of a story of the systematic search. */
  ticks = 0
  readonly #options: SearchOptions
  readonly #beginMs: number
  readonly #methods = new Set<string>()

  constructor(options: SearchOptions) {
    this.#options = options
    this.#beginMs = options.now()
  }

  get stories(): number {
    return this.counts.reduce((sum, count) => sum + count, 0)
  }

  get isComplete(): boolean {
    return this.complete >= this.#options.maxFaults
  }

  /**
   * Plays all stories with few faults first, until one fails or the time is over: for stories of two and more faults,
   * half of the time. Returns the failed one.
   */
  async systematic(): Promise<Played | undefined> {
    const { maxFaults, kinds, onPlayed } = this.#options
    let parents: Played[] = []
    for (let faults = 0; faults <= maxFaults; faults++) {
      const played: Played[] = []
      this.counts[faults] = 0
      const stories = faults === 0 ? this.#calmStories() : childrenOf(parents, kinds)
      const share = faults === 0 ? undefined : faults === 1 ? 1 : 0.5
      for await (const one of this.#played(tasksOf(stories), share)) {
        if (one.missed > 0) continue
        this.counts[faults]!++
        onPlayed()
        if (one.failure !== undefined) return one
        for (const { requests } of one.places) for (const method of requests) this.#methods.add(method)
        if (faults < maxFaults) played.push(one)
      }
      if (this.endedBy !== undefined) return undefined
      this.complete = faults
      parents = played
    }
    return undefined
  }

  /**
   * Plays random stories, until one fails or the time is over: after a complete systematic search, as many as that
   * played, with more faults. Returns the failed one.
   */
  async random(): Promise<Played | undefined> {
    const { maxFaults, onPlayed } = this.#options
    const most = !this.isComplete ? Number.POSITIVE_INFINITY : maxFaults === 0 ? 0 : this.stories
    for await (const one of this.#played(randomTasks([...this.#methods], most), 1)) {
      this.randomStories++
      onPlayed()
      if (one.failure !== undefined) return one
    }
    return undefined
  }

  /** Yields the results of tasks in their order, until the time is over. More tasks are begun than there are players. */
  async *#played(tasks: Iterable<StoryTask>, share: number | undefined): AsyncGenerator<Played> {
    const { pool } = this.#options
    const running: Promise<Played>[] = []
    this.endedBy = undefined
    try {
      for (const task of tasks) {
        const most = pool.size === 1 ? 1 : 2 * pool.size
        while (
          running.length > 0 &&
          (running.length >= most || this.#limit(share, running.length) !== undefined)
        ) {
          yield running.shift()!
        }
        this.endedBy = this.#limit(share, 0)
        if (this.endedBy !== undefined) break
        const playing = pool.run(task)
        playing.catch(() => {}) // It is awaited later.
        running.push(playing)
      }
      while (running.length > 0) yield running.shift()!
    } finally {
      await Promise.allSettled(running)
    }
  }

  /** Returns the limit that a share of is reached. `begun`: the number of stories that are being played. */
  #limit(share: number | undefined, begun: number): 'stories' | 'seconds' | undefined {
    if (share === undefined) return undefined
    const { now, endMs, stories } = this.#options
    if (this.stories + this.randomStories + begun >= Math.ceil(share * stories)) return 'stories'
    return now() - this.#beginMs >= share * (endMs - this.#beginMs) ? 'seconds' : undefined
  }

  /** The stories without faults: with the acts in successive slices, in one slice, and in successive blocks. */
  #calmStories(): readonly Story[] {
    const { ticksPerBlock, ticks, acts } = this.#options
    const gaps = acts < 2 ? [1] : [...new Set([1, 0, Math.max(1, ticksPerBlock)])]
    const stories = gaps.map((gap) => calmStory(acts, () => gap, ticks))
    this.ticks = Math.max(...stories.map((story) => story.filter(({ act }) => act === undefined).length))
    return stories
  }
}

function* tasksOf(stories: Iterable<Story>): Generator<StoryTask> {
  for (const story of stories) yield { story }
}

function* randomTasks(methods: readonly string[], most: number): Generator<StoryTask> {
  for (let random = 1; random <= most; random++) yield { random, methods }
}

/** Yields the stories with one fault more than `parents`, after their last fault. So each story comes once. */
function* childrenOf(parents: readonly Played[], kinds: readonly FaultKind[]): Generator<Story> {
  for (const { story, places } of parents) {
    const last = story.findLastIndex(({ faults }) => faults.length > 0)
    for (let i = Math.max(0, last); i < story.length; i++) {
      const move = story[i]!
      for (const fault of faultsAfter(move.faults.at(-1), faultsAt(places[i]!, kinds))) {
        yield story.with(i, { ...move, faults: [...move.faults, fault] })
      }
    }
  }
}

/** Returns the faults that come after `last` in the order in which faults are tried. */
function faultsAfter(last: StoryFault | undefined, faults: readonly StoryFault[]): readonly StoryFault[] {
  if (last === undefined) return faults
  const at = faults.findIndex((fault) => textOf(fault) === textOf(last))
  if (at !== -1) return faults.slice(at + 1)
  return faults.filter(({ kind }) => FAULT_KINDS.indexOf(kind) > FAULT_KINDS.indexOf(last.kind))
}
