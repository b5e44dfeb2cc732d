/** The error for a story in which the app fails: in words, and as text that replays it. */
import { counted, errorText } from '../../model/api/text.ts'
import { storyLines, withStory } from '../found.ts'
import type { Failure, Played } from './play.ts'
import { faultCount, storyText } from './storyText.ts'

/** Thrown by `everyStory` for the shortest story that was found in which the app fails. `cause` is the app's error. */
export class StoryFailed extends Error {
  /** The text that `story` parses, to replay the story. */
  readonly story: string
  /** The number of faults in the story. */
  readonly faults: number
  /** The events of the story in words, in order. */
  readonly lines: readonly string[]
  /** The part that failed: `holds`, `always`, `run`, an act such as `act 1`, or `escaped`: an error that nothing caught. */
  readonly part: Failure['part']

  constructor({ story, lines, failure }: Played, covered: string, isRepeatable: boolean) {
    const { part, error } = failure!
    const text = storyText(story)
    const faults = faultCount(story)
    const all = [...lines, `${WHEN[part] ?? `${part} fails`}: ${errorText(error)}`]
    const found = {
      failed: `the app fails in a story with ${counted(faults, 'fault')}: ${errorText(error)}`,
      steps: all,
      notes: [...(isRepeatable ? [] : [NOT_REPEATABLE]), covered],
      code: `story: story('${text}')`,
    }
    const message = [...storyLines(found), `Replay it with this option: ${found.code}`]
    super(message.join('\n'), { cause: error })
    withStory(this, found)
    this.name = 'StoryFailed'
    this.story = text
    this.faults = faults
    this.lines = all
    this.part = part
  }
}

const WHEN: Partial<Record<Failure['part'], string>> = {
  run: 'the app does not start',
  always: '`always` fails',
  holds: 'when all is quiet, `holds` fails',
  escaped: 'an error of the app that nothing caught',
}

const NOT_REPEATABLE =
  'The story passed when it was played again: the app depends on chance or real time, or the option `settle` is needed.'
