/** Random stories: a story follows from the seed and its number, so each thread can play any story. */
import { numberOfSeed } from '../../model/pseudorandom.ts'
import { Random } from '../random.ts'
import { faultsAt } from './kinds.ts'
import type { Pick } from './play.ts'
import { calmStory, type FaultKind, type Story } from './storyText.ts'

export interface RandomStoryOptions {
  readonly acts: number
  readonly kinds: readonly FaultKind[]
  readonly maxFaults: number
  /** The number of ticks after the last act; random stories have up to twice as many. */
  readonly ticks: number
  readonly ticksPerBlock: number
  readonly seed: number
}

/** The chance of a fault in a step where one is possible. */
const CHANCE = 0.3
/** The number of faults by which a random story may exceed `maxFaults`. */
const MORE_FAULTS = 3

/** Returns the acts and ticks of a random story, and the choice of its faults. `methods`: those that the app requests. */
export function randomStory(
  number: number,
  methods: readonly string[],
  { acts, kinds, maxFaults, ticks, ticksPerBlock, seed }: RandomStoryOptions,
): { readonly story: Story; readonly pick: Pick } {
  const random = new Random(numberOfSeed(seed) + number)
  const block = Math.max(1, ticksPerBlock)
  const gaps = [0, 1, block, 2 * block]
  const story = calmStory(acts, () => random.pick(gaps), ticks + random.below(ticks + 1))
  let left = 1 + random.below(maxFaults + MORE_FAULTS)
  const pick: Pick = (place) => {
    const options = faultsAt({ ...place, requests: methods }, kinds)
    if (left === 0 || options.length === 0 || !random.isLucky(CHANCE)) return []
    left--
    const kind = random.pick([...new Set(options.map((option) => option.kind))])
    return [random.pick(options.filter((option) => option.kind === kind))]
  }
  return { story, pick }
}
