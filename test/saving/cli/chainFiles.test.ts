/** Files that the command line writes and reads for a devnet, without a process of its own. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Devnet } from '../../../src/index.ts'
import { createDevnet } from '../../../src/index.ts'
import { importFile, readGenesis } from '../../../src/saving/cli/feature.ts'
import { findStateFile, StateDump } from '../../../src/saving/cli/stateFiles.ts'
import { FileFailed, replaceFile, temporaryPathOf } from '../../../src/terminal/files.ts'

const SILENT = { format: 'silent', print: () => {} } as const

let folder: string
let files = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-files-'))
})
afterEach(() => vi.useRealTimers())
afterAll(() => rm(folder, { recursive: true }))

/** A name that nothing has yet. */
const fresh = () => join(folder, `${files++}`)

async function written(text: string): Promise<string> {
  const file = fresh()
  await writeFile(file, text)
  return file
}

async function failure(promise: Promise<unknown>): Promise<FileFailed> {
  const error = await promise.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(FileFailed)
  return error as FileFailed
}

describe('a file that is replaced', () => {
  it('is the old one until the new one is whole, and nothing is left beside it', async () => {
    const file = await written('old')
    await replaceFile(file, '--flag', async (target) => {
      await writeFile(target, 'new')
      expect([target, await readFile(file, 'utf8')]).toEqual([temporaryPathOf(file), 'old'])
    })
    expect(await readFile(file, 'utf8')).toBe('new')
    await expect(readFile(temporaryPathOf(file))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('stays where the new one cannot be written, without the part of it that was', async () => {
    const file = await written('old')
    const writing = replaceFile(file, '--flag', async (target) => {
      await writeFile(target, 'ne')
      throw new Error('the disk is full')
    })
    expect((await failure(writing)).message).toBe(`--flag ${file}: the disk is full`)
    expect(await readFile(file, 'utf8')).toBe('old')
    await expect(readFile(temporaryPathOf(file))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('in a folder that is not there is named, with what is missing', async () => {
    const file = join(fresh(), 'state')
    const writing = replaceFile(file, '--flag', (target) => writeFile(target, 'new'))
    expect((await failure(writing)).message).toBe(`--flag ${file}: there is no such file or directory`)
  })
})

describe('a genesis.json', () => {
  it.each([
    ['null', 'expected a genesis.json, an object, got null'],
    ['5', 'expected a genesis.json, an object, got 5'],
    [`"${'x'.repeat(60)}"`, `expected a genesis.json, an object, got "${'x'.repeat(39)}`],
    ['{', 'not JSON: '],
  ])('is refused: %s', async (text, message) => {
    const file = await written(text)
    const { message: said } = await failure(readGenesis(file))
    expect(said.startsWith(`--init ${file}: ${message}`)).toBe(true)
    expect(said.length).toBeLessThan(file.length + 100)
  })
})

describe('a file of blocks', () => {
  it('is imported with the size of the whole told beside each progress, and named where it is none', async () => {
    await using one = await createDevnet({ rhythm: 'manual' })
    const genesis = one.genesis()
    for (let i = 0; i < 3; i++) await one.mine()
    const bytes = Buffer.concat([...one.export()])
    const file = fresh()
    await writeFile(file, bytes)
    await using other = await createDevnet({ rhythm: 'manual', genesis })
    const totals = new Set<number>()
    const found = { file, totalBytes: bytes.length }
    const outcome = await importFile(other, found, 'devnet', ({ totalBytes }) => totals.add(totalBytes))
    expect(outcome.imported).toBe(3)
    expect([...totals]).toEqual([bytes.length])
    const text = { file: await written('no blocks'), totalBytes: 9 }
    expect((await failure(importFile(other, text, 'devnet', () => {}))).message).toMatch(
      `--import ${text.file}: `,
    )
  })
})

describe('a state file to begin with', () => {
  const find = (file: string, mayBeMissing: boolean) => findStateFile({ file, flag: '--state', mayBeMissing })

  it('may be missing the first time alone, and only if nothing else is wrong with it', async () => {
    expect(await find(fresh(), true)).toBeUndefined()
    expect((await failure(find(fresh(), false))).message).toContain('there is no such file')
    // Below a file there can be none, which is another error than that there is none.
    const below = join(await written('x'), 'state')
    expect((await failure(find(below, true))).message).toContain('ENOTDIR')
  })

  it('is the state.json of a folder', async () => {
    const directory = fresh()
    await mkdir(directory)
    await writeFile(join(directory, 'state.json'), 'four')
    expect(await find(directory, false)).toEqual({
      file: join(directory, 'state.json'),
      flag: '--state',
      totalBytes: 4,
    })
  })
})

describe('a state that is written', () => {
  /** A devnet of which only the state is asked: `state` at that time. */
  function dumping(everyMs: number | undefined) {
    const file = fresh()
    const devnet = { state: 'first' }
    const failures: unknown[] = []
    const asked = {
      dump: () => {
        if (devnet.state === '') throw new Error('no state')
        return [Buffer.from(devnet.state)]
      },
    } as unknown as Devnet
    const dump = new StateDump(asked, { file, flag: '--state', everyMs } as never, SILENT, (error) =>
      failures.push(error),
    )
    return { file, devnet, dump, failures, content: () => readFile(file, 'utf8').catch(() => undefined) }
  }

  it('is written at the end alone, unless an interval is given', async () => {
    const { dump, content } = dumping(undefined)
    dump.begin()
    expect(await content()).toBeUndefined()
    await dump.end()
    expect(await content()).toBe('first')
  })

  it('is not written before there is one worth more than that in the file', async () => {
    const { dump, content } = dumping(undefined)
    await dump.end()
    expect(await content()).toBeUndefined()
  })

  it('is written again and again, after a failure too, and a last time at the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { dump, devnet, content, failures } = dumping(1_000)
    const written = async (isSo: () => Promise<boolean> | boolean) => {
      vi.advanceTimersByTime(1_000)
      // Files take their own time; the clock stands still meanwhile.
      while (!(await isSo()) || vi.getTimerCount() === 0) await readdir(folder)
    }
    dump.begin()
    await written(async () => (await content()) === 'first')
    devnet.state = ''
    await written(() => failures.length > 0)
    devnet.state = 'second'
    await written(async () => (await content()) === 'second')
    devnet.state = 'last'
    await dump.end()
    await endsWith('last', devnet, content)
  })

  it('is written once more where it ends while it is written, and then no more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { dump, devnet, content } = dumping(1_000)
    dump.begin()
    vi.advanceTimersByTime(1_000)
    devnet.state = 'last'
    await dump.end()
    await endsWith('last', devnet, content)
  })

  /** Asserts that `text` is what was written, and that nothing is written any more. */
  async function endsWith(
    text: string,
    devnet: { state: string },
    content: () => Promise<string | undefined>,
  ) {
    expect(await content()).toBe(text)
    devnet.state = 'never'
    vi.advanceTimersByTime(10_000)
    for (let i = 0; i < 10; i++) await readdir(folder)
    expect(await content()).toBe(text)
  }
})
