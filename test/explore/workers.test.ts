/** Explorations over worker threads. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { explorationsOf } from '../../src/explore/workers/fileExplorations.ts'
import { exploreFile } from '../../src/testing/index.ts'

const FILE = fileURLToPath(new URL('../../fixtures/explore/definitions.ts', import.meta.url))

/** Runs an exploration with a number of threads. Returns the text of its result or of its error. */
async function resultOf(name: string, workers: number): Promise<string> {
  const explorations = await explorationsOf(FILE, { workers })
  return explorations.get(name)!().then(
    ({ sentence }) => sentence,
    (error: Error) => error.message,
  )
}

describe('with any number of threads, the result is the same', () => {
  it.each([
    ['token', 'invariant spread does not hold after'],
    ['forgetfulIndexer', 'the app fails in a story with 1 fault'],
    ['mendedIndexer', 'covered: all'],
  ])('of %s', async (name, beginning) => {
    const alone = await resultOf(name, 1)
    expect(alone).toContain(beginning)
    expect(await resultOf(name, 2)).toBe(alone)
    expect(await resultOf(name, 3)).toBe(alone)
  })
})

/** Writes a module that exports the explorations of the fixture after `text` has run. */
async function moduleWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'preseal-workers-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'module.ts')
  await writeFile(
    file,
    `import { isMainThread } from 'node:worker_threads'\n${text}\nexport * from '${FILE}'\n`,
  )
  return file
}

describe('exploreFile', () => {
  it('rejects with the first story that is found', async () => {
    await expect(exploreFile(FILE, { workers: 2 })).rejects.toMatchObject({
      name: 'StoryFailed',
      story: 'act 1; tick 2; reorg 1 keep; tick',
    })
  })

  it('returns what each exploration covered', async () => {
    const { token, ...others } = await exploreFile(FILE, { depth: 1, length: 0, story: 'act 1; tick 2' })
    expect(token?.sentence).toContain('and 1 state in total, which is the limit')
    expect(Object.keys(others)).toEqual(['forgetfulIndexer', 'mendedIndexer'])
    expect(others.forgetfulIndexer?.sentence).toBe('covered: this story, with real timers')
  })

  it.each([
    ['ends', 'process.exit(3)', 'a worker thread of mendedIndexer ended with 3'],
    [
      'cannot import the module',
      `throw new Error('no artifacts')`,
      'module.ts cannot be loaded: no artifacts',
    ],
  ])('rejects if a thread %s', async (_, text, message) => {
    const file = await moduleWith(`if (!isMainThread) ${text}`)
    const explore = (await explorationsOf(file, { workers: 2, stories: 10_000 })).get('mendedIndexer')!
    await expect(explore()).rejects.toThrow(message)
  })

  it('refuses a number of threads that is not positive', async () => {
    await expect(exploreFile(FILE, { workers: 0 })).rejects.toThrow(
      'exploreFile: workers: expected a whole number of at least 1, got 0',
    )
  })
})
