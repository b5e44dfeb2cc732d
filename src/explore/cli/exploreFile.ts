/** `preseal explore FILE`: runs the explorations of a module, shows their progress, and prints what they found. */
import { counted, errorText } from '../../model/api/text.ts'
import type { CommandOutput } from '../../terminal/feature.ts'
import { FileFailed } from '../../terminal/files.ts'
import { Progress } from '../../terminal/progress.ts'
import type { Covered } from '../exploreOptions.ts'
import type { StoriesCovered } from '../stories/storyOptions.ts'
import type { StoryStep } from '../story.ts'
import type { ExploreFileOptions } from '../workers/exported.ts'
import { type Explore, explorationsOf } from '../workers/fileExplorations.ts'

/** Returns the exit code: 1 if a rule is broken or an app fails. Throws `FileFailed`. */
export async function exploreFile(
  file: string,
  options: ExploreFileOptions,
  isJson: boolean,
  output: CommandOutput,
): Promise<number> {
  let code = 0
  for (const [name, explore] of await explorationsOf(file, options)) {
    const result = await explored(name, explore, output)
    if (!result.holds) code = 1
    if (isJson) output.print(JSON.stringify({ event: 'explored', name, ...result }))
    else if (!result.holds || output.format !== 'silent') output.print(`${name}: ${result.message}`)
  }
  return code
}

interface Result {
  readonly holds: boolean
  readonly message: string
  readonly story?: readonly string[]
}

async function explored(name: string, explore: Explore, output: CommandOutput): Promise<Result> {
  let covered: Covered | StoriesCovered | undefined
  const begunMs = performance.now()
  const progress = new Progress(`explore ${name}`, output, () => {
    if (covered === undefined) return { text: '' }
    return { text: progressText(covered, (performance.now() - begunMs) / 1000), fields: { ...covered } }
  })
  try {
    const { sentence } = await explore((now) => {
      covered = now as Covered | StoriesCovered
      progress.update()
    })
    return { holds: true, message: sentence }
  } catch (error) {
    const story = storyOf(error)
    if (story === undefined) throw new FileFailed(`explore ${name}: ${errorText(error)}`, { cause: error })
    return { holds: false, message: (error as Error).message, story }
  } finally {
    progress.end()
  }
}

/** Returns the story that an error tells; `undefined` for other errors. */
function storyOf(error: unknown): readonly string[] | undefined {
  // The module has classes of its own, so the name of the class is compared.
  switch (error instanceof Error ? error.name : undefined) {
    case 'RuleBroken':
      return (error as Error & { readonly story: readonly StoryStep[] }).story.map(({ text }) => text)
    case 'StoryFailed':
      return (error as Error & { readonly lines: readonly string[] }).lines
    default:
      return undefined
  }
}

function progressText(covered: Covered | StoriesCovered, seconds: number): string {
  const shown = (count: number) => count.toLocaleString('en')
  const perSecond = (count: number) => `${shown(Math.round(count / seconds))} a second`
  if ('stories' in covered) {
    const { stories, random, faults } = covered
    const kind = random > 0 ? `${shown(random)} of them random` : `with up to ${counted(faults + 1, 'fault')}`
    return `${shown(stories + random)} stories, ${kind}, ${perSecond(stories + random)}`
  }
  const { states, depth, calls, known, sequences, randomCalls } = covered
  if (sequences > 0) {
    return `${counted(sequences, 'sequence')}, ${counted(randomCalls, 'call')}, ${perSecond(randomCalls)}`
  }
  const within = `${counted(states, 'state')} within ${counted(depth + 1, 'action')}`
  return `${within}, ${counted(calls, 'call')}, ${shown(known)} known, ${perSecond(calls)}`
}
