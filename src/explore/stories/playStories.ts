/** Searches the stories in which an app fails, and says what was covered. */
import { counted, errorText, proposal } from '../../model/api/text.ts'
import { processMs } from '../../work/eventLoop.ts'
import type { Values } from '../exploreOptions.ts'
import { told } from '../found.ts'
import { type Play, Pool, type Thread } from '../pool.ts'
import { withEscaped } from './escaped.ts'
import { type Played, Player } from './play.ts'
import { type RandomStoryOptions, randomStory } from './randomStory.ts'
import { Search, type StoryTask } from './search.ts'
import { shrunk } from './shrink.ts'
import { StoryFailed } from './storyFailed.ts'
import type { EveryStoryOptions, Stories, StoriesCovered, StoryStart } from './storyOptions.ts'
import { FAULT_KINDS, type FaultKind, type Story, story } from './storyText.ts'

const SECONDS = 3
const MAX_FAULTS = 2
/** The time limit for shrinking, as a share of that for the search. Both fit into the usual time limit of a test. */
const SHRINK_SHARE = 1 / 3

/** See `everyStory`. `threads` play a part of the stories. */
export async function playStories<V extends Values, App>(
  start: StoryStart<V>,
  options: EveryStoryOptions<V, App>,
  threads: readonly Thread[] = [],
): Promise<Stories> {
  const { advance, seconds = SECONDS, seed = 1, story: given, onProgress } = options
  const player = new Player(start, options)
  const timers = advance === undefined ? 'real timers' : 'fake timers'

  return withEscaped(
    (error) => player.onEscaped(error),
    async () => {
      const drawn = await drawnFrom(start, options)
      if (given !== undefined) return replayed(given)
      const limitMs = seconds * 1000
      const search = new Search({
        ...drawn,
        stories: options.stories ?? Number.POSITIVE_INFINITY,
        endMs: processMs() + limitMs,
        now: processMs,
        pool: poolOf(playerOf(player, drawn), threads),
        onPlayed: () => onProgress?.(progressOf(search)),
      })
      const failed = (await search.systematic()) ?? (await search.random())
      const covered = sentenceOf(search, { seed, timers, limits: { seconds, stories: options.stories } })
      if (failed === undefined)
        return { ...progressOf(search), sentence: covered, isComplete: search.isComplete }
      throw await toldAgain(await failure(failed, covered, processMs() + SHRINK_SHARE * limitMs))
    },
  ).finally(() => player.close())

  async function replayed(given: Story | string): Promise<Stories> {
    const played = await player.play(typeof given === 'string' ? story(given) : given)
    if (played.failure !== undefined)
      throw await toldAgain(new StoryFailed(played, `covered: this story, with ${timers}`, true))
    const missed = played.missed === 0 ? '' : `, in which ${counted(played.missed, 'fault')} had no occasion`
    const sentence = `covered: this story${missed}, with ${timers}`
    return { sentence, stories: 1, faults: 0, isComplete: false, random: 0 }
  }

  function toldAgain(error: StoryFailed): Promise<StoryFailed> {
    return told(error, (begin) => player.play(story(error.story), undefined, begin))
  }

  async function failure(found: Played, covered: string, endMs: number): Promise<StoryFailed> {
    const again = await player.play(found.story)
    if (again.failure?.part !== found.failure?.part) return new StoryFailed(found, covered, false)
    const shortest = await shrunk(
      again,
      (moves) => player.play(moves),
      () => processMs() >= endMs,
    )
    return new StoryFailed(shortest, covered, true)
  }
}

/** Plays stories in a worker thread, which has no other work. */
export async function storiesOf<V extends Values, App>(
  start: StoryStart<V>,
  options: EveryStoryOptions<V, App>,
): Promise<Play> {
  const player = new Player(start, options)
  const play = playerOf(player, await drawnFrom(start, options))
  // Between two stories, too, an error that escaped must not end the thread.
  void withEscaped(
    (error) => player.onEscaped(error),
    () => new Promise<never>(() => {}),
  )
  return async (task) => {
    const { failure, ...played } = await play(task as StoryTask)
    // Errors of the app may not be cloneable.
    return { ...played, failure: failure && { ...failure, error: new Error(errorText(failure.error)) } }
  }
}

function playerOf(
  player: Pick<Player<never, never>, 'play'>,
  options: RandomStoryOptions,
): Play<StoryTask, Played> {
  return (task) => {
    if ('story' in task) return player.play(task.story)
    const { story, pick } = randomStory(task.random, task.methods, options)
    return player.play(story, pick)
  }
}

function poolOf(play: Play<StoryTask, Played>, threads: readonly Thread[]): Pool<StoryTask, Played> {
  const pool = new Pool<StoryTask, Played>()
  pool.add(play)
  for (const thread of threads) thread.ready.then(() => pool.add(thread.play as Play<StoryTask, Played>))
  return pool
}

/** Returns the options from which stories are made. */
async function drawnFrom<V extends Values, App>(
  start: StoryStart<V>,
  options: EveryStoryOptions<V, App>,
): Promise<RandomStoryOptions> {
  const { acts = [], faults, maxFaults = MAX_FAULTS, seed = 1 } = options
  const kinds = requireKinds(faults ?? FAULT_KINDS.filter((kind) => kind !== 'unanswered'))
  const ticksPerBlock = await ticksPerBlockOf(start)
  const ticks = options.ticks ?? 2 * Math.max(1, ticksPerBlock) + 2
  return { acts: acts.length, kinds, maxFaults, ticks, ticksPerBlock, seed }
}

function requireKinds(kinds: readonly FaultKind[]): readonly FaultKind[] {
  const unknown = kinds.find((kind) => !FAULT_KINDS.includes(kind))
  if (unknown === undefined) return FAULT_KINDS.filter((kind) => kinds.includes(kind))
  throw new TypeError(
    `everyStory: faults: there is no kind of fault "${unknown}"; ${proposal(unknown, FAULT_KINDS)}`,
  )
}

async function ticksPerBlockOf(start: StoryStart<Values>): Promise<number> {
  const { devnet } = await start.use({ rhythm: 'manual' })
  const { rhythm, ticksPerBlock } = devnet.settings
  await devnet.close()
  if (rhythm === 'manual') return ticksPerBlock
  throw new TypeError(`everyStory: expected devnets with the rhythm manual, got ${rhythm}`)
}

function progressOf({ stories, complete, randomStories }: Search): StoriesCovered {
  return { stories, faults: complete, random: randomStories }
}

interface Sentence {
  readonly seed: number
  readonly timers: string
  readonly limits: { readonly seconds: number; readonly stories: number | undefined }
}

/** Returns what was covered, in one sentence. */
function sentenceOf(search: Search, { seed, timers, limits }: Sentence): string {
  const { counts, complete, ticks, randomStories, endedBy } = search
  const all = counts.slice(0, complete + 1).reduce((sum, count) => sum + count, 0)
  const more = counts[complete + 1] ?? 0
  const within = `in ${counted(ticks, 'tick')}`
  const each = all === 1 ? 'the story' : `all ${storyCount(all)}`
  const upTo = complete === 0 ? 'without faults' : `with up to ${counted(complete, 'fault')}`
  const systematic = [
    ...(complete < 0 ? [] : [`${each} ${upTo} ${within}`]),
    ...(more === 0 ? [] : [`${storyCount(more)} with ${counted(complete + 1, 'fault')}`]),
  ].join(' and ')
  const random = randomStories === 0 ? '' : `; random: ${storyCount(randomStories)} from the seed ${seed}`
  const limit = { stories: storyCount(limits.stories ?? 0), seconds: counted(limits.seconds, 'second') }
  const end = endedBy === undefined ? '' : `; ended by the limit of ${limit[endedBy]}`
  return `covered: ${systematic}${random}, with ${timers}${end}`
}

function storyCount(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'story' : 'stories'}`
}
