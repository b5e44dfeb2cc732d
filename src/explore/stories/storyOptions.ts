/** The app that stories are played against, the limits of the search, and its result. */
import type { Devnet } from '../../devnet/devnet.ts'
import type { Values } from '../exploreOptions.ts'
import type { FaultKind, Story } from './storyText.ts'

/** The start of each story: a fixture, or anything that returns a new devnet with values. */
export interface StoryStart<V extends Values> {
  use(options?: { readonly rhythm?: 'manual' | undefined }): Promise<V>
}

export interface AppOptions<V extends Values, App> {
  /**
   * Starts the app on a devnet of its own. After the story, `close` or `Symbol.asyncDispose` of the app is called, if
   * it has one, and the devnet is closed.
   */
  run(devnet: Devnet, values: V): App | Promise<App>
  /** The acts of users, in order: functions that send transactions, with `until: 'accepted'`, and make no ticks. */
  readonly acts?: readonly ((devnet: Devnet, values: V, app: Awaited<App>) => unknown)[] | undefined
  /** Checks the app when all is quiet, without faults, and sealed. The story fails if it returns `false` or throws. */
  holds(app: Awaited<App>, devnet: Devnet, values: V): unknown
  /** Checks the app after each act and each tick. The story fails if it returns `false` or throws. */
  readonly always?: ((app: Awaited<App>, devnet: Devnet, values: V) => unknown) | undefined
  /** Called after each step, when the app has made no request for some turns of the event loop, to wait for more. */
  readonly settle?: (() => unknown) | undefined
  /**
   * Moves the fake timers of the app forward by milliseconds, once a tick, such as `vi.advanceTimersByTimeAsync`. By
   * default the timers of the app are real, and no story waits for them.
   */
  readonly advance?: ((ms: number) => unknown) | undefined
}

export interface EveryStoryOptions<V extends Values, App> extends AppOptions<V, App> {
  /** The kinds of faults. By default all but `unanswered`, because requests in process have no time limit. */
  readonly faults?: readonly FaultKind[] | undefined
  /** The maximum number of faults in the stories of the systematic search. Default: 2. */
  readonly maxFaults?: number | undefined
  /** The number of ticks with faults after the last act. By default the ticks of two blocks, and two more. */
  readonly ticks?: number | undefined
  /** The maximum number of stories. By default there is no maximum. */
  readonly stories?: number | undefined
  /** The time limit in seconds. Default: 3. Half of it is for random stories, if there are too many others. */
  readonly seconds?: number | undefined
  /** The seed of random stories. Default: 1. */
  readonly seed?: number | undefined
  /** Called after each story with the numbers so far. */
  readonly onProgress?: ((covered: StoriesCovered) => void) | undefined
  /** Plays only this story: the text in the message of `StoryFailed`. */
  readonly story?: Story | string | undefined
}

/** The numbers of stories that were played so far. */
export type StoriesCovered = Pick<Stories, 'stories' | 'faults' | 'random'>

/** The coverage of `everyStory`. */
export interface Stories {
  /** The coverage in one sentence. */
  readonly sentence: string
  /** The number of stories of the systematic search. */
  readonly stories: number
  /** The number of faults up to which all stories were played. */
  readonly faults: number
  /** Whether all stories with up to `maxFaults` faults were played. */
  readonly isComplete: boolean
  /** The number of random stories. */
  readonly random: number
}
