/** The story that an exploration found, for those who observe explorations: reports of failed tests. */
import type { Devnet } from '../devnet/devnet.ts'

/** A story as plain data. */
export interface FoundStory {
  /** The rule or the part of the app that failed, and why. */
  readonly failed: string
  /** The actions, or the events, in words and in order. */
  readonly steps: readonly string[]
  /** Sentences about the search: what was covered. */
  readonly notes: readonly string[]
  /** The code that plays the story again. */
  readonly code: string
}

/** Plays a story again. `begin` is called with the devnet before the first step. */
export type PlayAgain = (begin: (devnet: Devnet) => Promise<void>) => Promise<unknown>

type StoryObserver = (found: FoundStory, playAgain: PlayAgain) => Promise<void>

const observers = new Set<StoryObserver>()

/** Calls `observer` with each story that an exploration finds, before the exploration rejects. */
export function observeStories(observer: StoryObserver): void {
  observers.add(observer)
}

/** The stories of errors. They are no members of the errors, because test runners print all members. */
const stories = new WeakMap<Error, FoundStory>()

/** Returns `error`, whose story `told` gives to the observers. */
export function withStory<E extends Error>(error: E, found: FoundStory): E {
  stories.set(error, found)
  return error
}

/** Gives the story of `error` to the observers. Resolves to `error`. */
export async function told<E extends Error>(error: E, playAgain: PlayAgain): Promise<E> {
  const found = stories.get(error)
  if (found !== undefined) for (const observer of observers) await observer(found, playAgain)
  return error
}

/** Returns the lines of an error's message up to its code. */
export function storyLines({ failed, steps, notes }: FoundStory): string[] {
  return [failed, ...steps.map((step, i) => `  ${i + 1}. ${step}`), ...notes]
}
