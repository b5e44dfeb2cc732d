/** The explorations that a module exports. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isRecord } from '../../model/api/arguments.ts'
import { errorText, fileErrorText } from '../../model/api/text.ts'
import { FileFailed } from '../../terminal/files.ts'
import { importModule } from '../../terminal/modules.ts'
import type { Definition } from '../definition.ts'
import type { Limits } from '../explore.ts'
import type { Explored } from '../exploreOptions.ts'
import type { StoryLimits } from '../stories/everyStory.ts'
import type { Stories } from '../stories/storyOptions.ts'

/** The limits of explorations of both kinds. Each exploration has those of its kind. */
export type FileLimits = Omit<Limits & StoryLimits, 'onProgress'>

export interface ExploreFileOptions extends FileLimits {
  /** The number of threads that play, with that of the caller. Default: 1. The result does not depend on it. */
  readonly workers?: number | undefined
}

/** The limits of an exploration of one kind or the other, and the receiver of its progress. */
type AnyLimits = FileLimits & { readonly onProgress?: (covered: object) => void }
type AnyExploration = Definition<AnyLimits, Explored | Stories>

/** Returns the explorations that a module exports. Throws `FileFailed`. */
export async function explorationsIn(file: string): Promise<ReadonlyMap<string, AnyExploration>> {
  const path = resolve(file)
  await stat(path).catch((error) => {
    throw new FileFailed(`explore ${file}: ${fileErrorText(error)}`, { cause: error })
  })
  const exported = await importModule(path).catch((error) => {
    throw new FileFailed(`explore ${file} cannot be loaded: ${errorText(error)}`, { cause: error })
  })
  const found = Object.entries(exported).filter((entry): entry is [string, AnyExploration] =>
    isExploration(entry[1]),
  )
  if (found.length > 0) return new Map(found)
  const names = Object.keys(exported).join(', ') || 'nothing'
  throw new FileFailed(
    `explore ${file}: expected exports made by defineExploration or defineStories, got ${names}`,
  )
}

function isExploration(value: unknown): value is AnyExploration {
  return isRecord(value) && typeof value.exploreIn === 'function'
}
