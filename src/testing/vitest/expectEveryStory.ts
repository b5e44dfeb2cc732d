import { vi } from 'vitest'
import type { Values } from '../../explore/exploreOptions.ts'
import { everyStory } from '../../explore/stories/everyStory.ts'
import type {
  AppOptions,
  EveryStoryOptions,
  Stories,
  StoryStart,
} from '../../explore/stories/storyOptions.ts'
import { attributed, callSite } from '../../model/api/callSite.ts'

/**
 * Calls `everyStory`. If the test uses vitest's fake timers, they are moved forward by the time of a tick with each
 * tick, and by 15 seconds at the end of each story.
 */
export function expectEveryStory<V extends Values, App>(
  start: StoryStart<V>,
  options: EveryStoryOptions<NoInfer<V>, App>,
): Promise<Stories> {
  const advance: AppOptions<V, App>['advance'] = vi.isFakeTimers()
    ? (ms) => vi.advanceTimersByTimeAsync(ms)
    : undefined
  return attributed(callSite(expectEveryStory), () => everyStory(start, { advance, ...options }))
}
