/** `preseal explore FILE`, with modules whose explorations end in each way. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandOf } from '../../../src/cli/command.ts'
import { explorations } from '../../../src/explore/cli/feature.ts'
import type { Format } from '../../../src/terminal/progress.ts'

let folder: string
let files = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-explore-'))
})
afterAll(() => rm(folder, { recursive: true }))

const HOLDS = `export const holds = {
  limits: ['seed'],
  exploreIn: async (threads, { seed, depth }) => ({ sentence: 'all with seed ' + seed + (depth ?? '') }),
}\n`
const BROKEN = `export const broken = {
  limits: [],
  async exploreIn() {
    throw Object.assign(new Error('invariant fair does not hold'), {
      name: 'RuleBroken',
      story: [{ text: 'deposit(1) by alice' }],
    })
  },
}\n`

/** Runs the command on a module with this text. Returns the exit code and the printed lines. */
async function explored(text: string, ...flags: string[]) {
  const file = join(folder, `explorations${files++}.mjs`)
  await writeFile(file, text)
  return run(file, ...flags)
}

async function run(file: string, ...flags: string[]) {
  const lines: string[] = []
  const command = commandOf(['node', 'preseal', 'explore', file, ...flags])
  const parsed = explorations.subcommand!.parse(command, undefined)
  const output = { format: parsed.format as Format, print: (line: string) => lines.push(line) }
  const code = await parsed.run({ ...output, warn: () => {}, warnOfLoss: () => {} })
  return { code, lines }
}

describe('preseal explore', () => {
  it('prints what each exploration of the module covered, and ends with 0', async () => {
    expect(await explored(HOLDS + HOLDS.replace('holds', 'too'), '--seed', '7', '--depth', '2')).toEqual({
      code: 0,
      lines: ['holds: all with seed 7', 'too: all with seed 7'],
    })
  })

  it('prints the story that breaks a rule, and ends with 1', async () => {
    expect(await explored(BROKEN + HOLDS, '--silent')).toEqual({
      code: 1,
      lines: ['broken: invariant fair does not hold'],
    })
  })

  it('prints JSON lines', async () => {
    const { code, lines } = await explored(BROKEN + HOLDS, '--json')
    expect(code).toBe(1)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        event: 'explored',
        name: 'broken',
        holds: false,
        message: 'invariant fair does not hold',
        story: ['deposit(1) by alice'],
      },
      { event: 'explored', name: 'holds', holds: true, message: 'all with seed undefined' },
    ])
  })

  it.each([
    [
      `export const n = 1, text = 'a'\n`,
      'expected exports made by defineExploration or defineStories, got n, text',
    ],
    [`throw new Error('no artifacts')\n`, 'cannot be loaded: no artifacts'],
    [
      `export const bad = { limits: [], exploreIn: async () => { throw new TypeError('actions: none') } }\n`,
      'explore bad: actions: none',
    ],
  ])('tells what is wrong with the module %j', async (text, message) => {
    await expect(explored(text)).rejects.toThrow(message)
  })

  it('tells that there is no such file', async () => {
    await expect(run(join(folder, 'none.ts'))).rejects.toThrow(
      /none\.ts: there is no such file or directory$/,
    )
  })

  it('refuses limits that are no numbers', async () => {
    await expect(explored(HOLDS, '--depth', '0')).rejects.toThrow(
      '--depth: expected actions (a whole number of at least 1), got "0"',
    )
  })
})
