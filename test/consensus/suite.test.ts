/** What the consensus script reads from the command line and from a folder, and what it says of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { consensus } from '../../scripts/consensus/index.ts'
import { type Choice, filesIn, linesOf } from '../../scripts/consensus/suite.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function folderOf(files: Readonly<Record<string, Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'consensus-'))
  folders.push(folder)
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  return folder
}

/** A file of tests of which there is nothing but names, each some kilobytes long. */
function fileOf(network: string, count: number): Uint8Array {
  const filler = 'x'.repeat(5_000)
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ name: `folder/${network}${i}.json::test "${i}"`, network, filler }),
  )
  return gzipSync(`${lines.join('\n')}\n`)
}

async function named(folder: string, choice: Partial<Choice> = {}): Promise<string[]> {
  const names: string[] = []
  const all = { networks: [], only: [], oneOf: 1, ...choice }
  for await (const { name, network } of linesOf(filesIn(folder), all)) names.push(`${network} ${name}`)
  return names
}

const FILES = { 'Prague.jsonl.gz': fileOf('Prague', 300), 'Berlin.jsonl.gz': fileOf('Berlin', 200) }

describe('a folder', () => {
  it('has all tests of all its files, in their order', async () => {
    const names = await named(folderOf({ ...FILES, 'README.md': new Uint8Array(9) }))
    expect(names).toHaveLength(500)
    expect(new Set(names).size).toBe(500)
    expect(names[0]).toBe('Berlin folder/Berlin0.json::test "0"')
    expect(names[499]).toBe('Prague folder/Prague299.json::test "299"')
  })

  it('is read by as many at once as ask for lines', async () => {
    const lines = linesOf(filesIn(folderOf(FILES)), { networks: [], only: [], oneOf: 1 })
    const taken = new Set<string>()
    const take = async () => {
      for (let next = await lines.next(); next.done !== true; next = await lines.next())
        taken.add(next.value.name)
    }
    await Promise.all([take(), take(), take()])
    expect(taken.size).toBe(500)
  })

  it('has those of a network, or with a text in their names', async () => {
    const folder = folderOf(FILES)
    expect(await named(folder, { networks: ['Berlin'] })).toHaveLength(200)
    expect(await named(folder, { only: ['Prague7.json', '"8"'] })).toEqual([
      'Berlin folder/Berlin8.json::test "8"',
      'Prague folder/Prague7.json::test "7"',
      'Prague folder/Prague8.json::test "8"',
    ])
  })

  it('has a part that is always the same, with something of each file', async () => {
    const folder = folderOf({ ...FILES, 'Shanghai.jsonl.gz': fileOf('Shanghai', 1) })
    const part = await named(folder, { oneOf: 10 })
    expect(part.length).toBeGreaterThan(25)
    expect(part.length).toBeLessThan(90)
    expect(part).toContain('Shanghai folder/Shanghai0.json::test "0"')
    expect(await named(folder, { oneOf: 10 })).toEqual(part)
  })
})

/** The exit code and what was printed. */
async function run(...args: string[]): Promise<{ code: number; printed: string }> {
  const printed: string[] = []
  const code = await consensus(args, (text) => printed.push(text))
  return { code, printed: printed.join('\n') }
}

describe('the command line', () => {
  it.each<[string, string[], string]>([
    ['no folder', [], 'expected one folder, got none'],
    ['two folders', ['a', 'b'], 'expected one folder, got a b'],
    [
      'an engine that is not there',
      ['a', '--engine', 'jit'],
      '--engine: expected wasm or ethereumjs or both, got jit',
    ],
    ['no number', ['a', '--sample', 'few'], '--sample: expected a whole number from 1, got few'],
    ['zero processes', ['a', '--workers', '0'], '--workers: expected a whole number from 1, got 0'],
    ['two kinds of parts', ['a', '--quick', '--sample', '3'], 'expected --sample or --quick, got both'],
    ['a flag that is not there', ['a', '--fast'], '--fast'],
  ])('is refused with %s', async (_, args, complaint) => {
    const { code, printed } = await run(...args)
    expect(code).toBe(2)
    expect(printed).toContain(complaint)
    expect(printed).toContain('usage: npm run consensus -- FOLDER')
  })

  it('is told that a folder is not there, or has no tests', async () => {
    expect(await run('/nowhere')).toMatchObject({
      code: 2,
      printed: expect.stringContaining('/nowhere: expected a folder'),
    })
    const empty = folderOf({ 'README.md': new Uint8Array(9) })
    expect(await run(empty)).toEqual({
      code: 2,
      printed: `consensus: ${empty}: expected *.jsonl.gz files, found 1 others`,
    })
    const { code, printed } = await run(folderOf(FILES), '--network', 'Venice')
    expect([code, printed]).toEqual([2, expect.stringContaining('no test has such a network and name')])
  })

  it('is told where a file breaks off, is no gzip, or has something else in it', async () => {
    const whole = FILES['Prague.jsonl.gz']
    const place = (bytes: Uint8Array) => run(folderOf({ 'Prague.jsonl.gz': bytes }), '--only', 'none of them')
    const cut = await place(whole.subarray(0, whole.length - 20))
    expect([cut.code, cut.printed]).toEqual([
      2,
      expect.stringMatching(
        /Prague\.jsonl\.gz: expected a whole file of gzip: after line \d+: unexpected end of file/,
      ),
    ])
    const text = await place(new TextEncoder().encode('{"name":"a"}'))
    expect(text.printed).toMatch(/expected a whole file of gzip: after line 0: incorrect header check/)
    const other = await place(gzipSync('{"name":"a","network":"Prague"}\n[1]\n'))
    expect([other.code, other.printed]).toEqual([
      2,
      expect.stringMatching(/Prague\.jsonl\.gz:2: expected a test, \{"name":…,"network":…, got \[1\]$/),
    ])
  })
})
