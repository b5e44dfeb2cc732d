/** `preseal explore FILE`: runs the explorations of a module, shows their progress, and prints what they found. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isRecord } from '../../model/api/arguments.ts'
import { counted, errorText, fileErrorText } from '../../model/api/text.ts'
import type { CommandOutput } from '../../terminal/feature.ts'
import { FileFailed } from '../../terminal/files.ts'
import { importModule } from '../../terminal/modules.ts'
import { Progress } from '../../terminal/progress.ts'
import type { Exploration, Limits } from '../explore.ts'
import type { Covered } from '../exploreOptions.ts'
import type { StoryStep } from '../story.ts'

/** Returns the exit code: 1 if a rule is broken. Throws `FileFailed`. */
export async function exploreFile(
  file: string,
  limits: Limits,
  isJson: boolean,
  output: CommandOutput,
): Promise<number> {
  let code = 0
  for (const [name, exploration] of await explorationsIn(file)) {
    const result = await explored(name, exploration, limits, output)
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

async function explored(
  name: string,
  exploration: Exploration,
  limits: Limits,
  output: CommandOutput,
): Promise<Result> {
  let covered: Covered | undefined
  const progress = new Progress(`explore ${name}`, output, () => stateOf(covered))
  const onProgress = (now: Covered) => {
    covered = now
    progress.update()
  }
  try {
    const { sentence } = await exploration.explore({ ...limits, onProgress })
    return { holds: true, message: sentence }
  } catch (error) {
    // The module has classes of its own, so the name of the class is compared.
    if (!(error instanceof Error) || error.name !== 'RuleBroken') {
      throw new FileFailed(`explore ${name}: ${errorText(error)}`, { cause: error })
    }
    const { story } = error as Error & { readonly story: readonly StoryStep[] }
    return { holds: false, message: error.message, story: story.map(({ text }) => text) }
  } finally {
    progress.end()
  }
}

function stateOf(covered: Covered | undefined) {
  if (covered === undefined) return { text: '' }
  const { states, depth, calls, sequences, randomCalls } = covered
  const text =
    sequences > 0
      ? `${counted(sequences, 'sequence')}, ${counted(randomCalls, 'call')}`
      : `${counted(states, 'state')} within ${counted(depth + 1, 'action')}, ${counted(calls, 'call')}`
  return { text, fields: { ...covered } }
}

async function explorationsIn(file: string): Promise<readonly (readonly [string, Exploration])[]> {
  const path = resolve(file)
  await stat(path).catch((error) => {
    throw new FileFailed(`explore ${file}: ${fileErrorText(error)}`, { cause: error })
  })
  const exported = await importModule(path).catch((error) => {
    throw new FileFailed(`explore ${file} cannot be loaded: ${errorText(error)}`, { cause: error })
  })
  const found = Object.entries(exported).filter((entry): entry is [string, Exploration] =>
    isExploration(entry[1]),
  )
  if (found.length > 0) return found
  const names = Object.keys(exported).join(', ') || 'nothing'
  throw new FileFailed(`explore ${file}: expected exports made by defineExploration, got ${names}`)
}

function isExploration(value: unknown): value is Exploration {
  return isRecord(value) && typeof value.explore === 'function'
}
