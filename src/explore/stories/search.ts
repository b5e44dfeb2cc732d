/** Plays stories: all of them, by number of faults, and then random ones. */
import type { Random } from '../random.ts'
import { faultsAt, type Place } from './kinds.ts'
import type { Played } from './play.ts'
import { FAULT_KINDS, type FaultKind, type Move, type Story, type StoryFault, textOf } from './storyText.ts'

export interface SearchOptions {
  readonly acts: number
  readonly kinds: readonly FaultKind[]
  readonly maxFaults: number
  /** The number of ticks after the last act. */
  readonly ticks: number
  readonly ticksPerBlock: number
  readonly random: Random
  /** The maximum number of stories, and the time at which the search ends. */
  readonly stories: number
  readonly endMs: number
  now(): number
  play(story: Story, pick?: (place: Place, move: Move) => readonly StoryFault[]): Promise<Played>
}

/** The chance of a fault in a step of a random story where one is possible. */
const CHANCE = 0.3
/** The number of faults by which a random story may exceed `maxFaults`. */
const MORE_FAULTS = 3

export class Search {
  /** The number of stories by their number of faults. */
  readonly counts: number[] = []
  /** The number of faults up to which all stories were played; -1 if there is none. */
  complete = -1
  randomStories = 0
  /** The limit that ended the search; `undefined` if it played all stories, or found one that fails. */
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
    const { maxFaults, play } = this.#options
    let parents: Played[] = []
    for (let faults = 0; faults <= maxFaults; faults++) {
      const played: Played[] = []
      this.counts[faults] = 0
      const stories = faults === 0 ? this.#calmStories() : childrenOf(parents, this.#options.kinds)
      for (const story of stories) {
        if (faults > 0 && this.#isOver(faults === 1 ? 1 : 0.5)) return undefined
        const one = await play(story)
        if (one.missed > 0) continue
        this.counts[faults]!++
        if (one.failure !== undefined) return one
        this.#learn(one)
        if (faults < maxFaults) played.push(one)
      }
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
    const { random, maxFaults, kinds, ticksPerBlock, ticks, play } = this.#options
    const most = !this.isComplete ? Number.POSITIVE_INFINITY : maxFaults === 0 ? 0 : this.stories
    while (this.randomStories < most && !this.#isOver(1)) {
      const gaps = [0, 1, Math.max(1, ticksPerBlock), 2 * Math.max(1, ticksPerBlock)]
      const story = this.#calmStory(() => random.pick(gaps), ticks + random.below(ticks + 1))
      let left = 1 + random.below(maxFaults + MORE_FAULTS)
      const played = await play(story, (place) => {
        const options = faultsAt({ ...place, requests: [...this.#methods] }, kinds)
        if (left === 0 || options.length === 0 || !random.isLucky(CHANCE)) return []
        left--
        const kind = random.pick([...new Set(options.map((option) => option.kind))])
        return [random.pick(options.filter((option) => option.kind === kind))]
      })
      this.randomStories++
      if (played.failure !== undefined) return played
      this.#learn(played)
    }
    return undefined
  }

  #isOver(share: number): boolean {
    const { now, endMs, stories } = this.#options
    const played = this.stories + this.randomStories
    if (played >= Math.ceil(share * stories)) this.endedBy = 'stories'
    else if (now() - this.#beginMs >= share * (endMs - this.#beginMs)) this.endedBy = 'seconds'
    else return false
    return true
  }

  #learn({ places }: Played): void {
    for (const { requests } of places) for (const method of requests) this.#methods.add(method)
  }

  /** The stories without faults: with the acts in successive slices, in one slice, and in successive blocks. */
  #calmStories(): readonly Story[] {
    const { ticksPerBlock, ticks, acts } = this.#options
    const gaps = acts < 2 ? [1] : [...new Set([1, 0, Math.max(1, ticksPerBlock)])]
    const stories = gaps.map((gap) => this.#calmStory(() => gap, ticks))
    this.ticks = Math.max(...stories.map((story) => story.filter(({ act }) => act === undefined).length))
    return stories
  }

  #calmStory(gap: () => number, ticks: number): Story {
    const moves: Move[] = []
    const addTicks = (count: number) => {
      for (let i = 0; i < count; i++) moves.push({ faults: [] })
    }
    for (let act = 1; act <= this.#options.acts; act++) {
      if (act > 1) addTicks(gap())
      moves.push({ act, faults: [] })
    }
    addTicks(ticks)
    return moves
  }
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
