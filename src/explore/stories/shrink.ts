/** Shrinks a story that fails: fewer faults, fewer acts, fewer ticks, and then faults as late as possible. */
import { faultsAt, type Place } from './kinds.ts'
import type { Played } from './play.ts'
import { faultCount, type Move, type Story, type StoryFault, textOf, withoutLastTicks } from './storyText.ts'

/** Returns the shortest story found that fails in the same part. Ends when `isOver` returns true. */
export async function shrunk(
  failed: Played,
  play: (story: Story) => Promise<Played>,
  isOver: () => boolean,
): Promise<Played> {
  let best = failed
  const attempt = async (story: Story): Promise<boolean> => {
    if (isOver()) return false
    const played = await play(withoutLastTicks(story))
    if (played.failure?.part !== failed.failure?.part) return false
    // Without an act that the checks presuppose, a story fails even without faults.
    const needsFaults = faultCount(failed.story) > 0 && actCount(story) < actCount(best.story)
    if (needsFaults && (await play(withoutFaults(story))).failure !== undefined) return false
    if (!played.story.every(({ faults }, i) => faults.every((fault) => isPossible(fault, played.places[i]))))
      return false
    best = played
    return true
  }
  /** Attempts the candidates until none fails. Returns whether the story was changed. */
  const attemptEach = async (candidates: (story: Story) => readonly Story[]): Promise<boolean> => {
    for (let isShorter = false; ; isShorter = true) {
      let found = false
      for (const story of candidates(best.story)) {
        found = await attempt(story)
        if (found) break
      }
      if (!found) return isShorter
    }
  }
  await attempt(best.story)
  for (let isShorter = true; isShorter; ) {
    isShorter = await attemptEach(withoutOneFault)
    isShorter = (await attemptEach(withoutOneAct)) || isShorter
    isShorter = (await attemptEach(withoutOneTick)) || isShorter
  }
  await attemptEach(withOneFaultLater)
  return best
}

/** Returns whether a fault is one that the systematic search would try. */
function isPossible(fault: StoryFault, place: Place | undefined): boolean {
  return place === undefined || faultsAt(place, [fault.kind]).some((other) => textOf(other) === textOf(fault))
}

function actCount(story: Story): number {
  return story.filter(({ act }) => act !== undefined).length
}

function withoutFaults(story: Story): Story {
  return story.map((move) => ({ ...move, faults: [] }))
}

function withoutOneFault(story: Story): Story[] {
  return story
    .flatMap((move, i) =>
      move.faults.map((_, j) => story.with(i, { ...move, faults: move.faults.toSpliced(j, 1) })),
    )
    .reverse()
}

/** An act or a tick is left out, and its faults happen in the next step. */
function withoutOneAct(story: Story): Story[] {
  return story.flatMap(({ act }, i) => (act === undefined ? [] : without(story, i))).reverse()
}

function withoutOneTick(story: Story): Story[] {
  return story.flatMap(({ act }, i) => (act === undefined ? without(story, i) : [])).reverse()
}

function without(story: Story, i: number): Story[] {
  const { faults } = story[i]!
  const next = story[i + 1]
  if (faults.length === 0) return [story.toSpliced(i, 1)]
  if (next === undefined) return []
  return [story.toSpliced(i, 2, { ...next, faults: [...faults, ...next.faults] })]
}

function withOneFaultLater(story: Story): Story[] {
  return story.slice(0, -1).flatMap((move: Move, i) => {
    const next = story[i + 1]!
    const fault = move.faults.at(-1)
    if (fault === undefined) return []
    const earlier = { ...move, faults: move.faults.slice(0, -1) }
    return [story.toSpliced(i, 2, earlier, { ...next, faults: [fault, ...next.faults] })]
  })
}
