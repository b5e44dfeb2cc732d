/**
 * A suite of a thousand tests that use a deployed fixture, as a user of vitest would write it: with a fork for each test, beside the
 * same tests over anvil with a snapshot for each. Ours is the package as it is published, built for this.
 *
 * Each side is ten files of a hundred tests in one worker that is not isolated, with one viem client for all of them; the sides run
 * in turn. Then the same with a client for each test, and files of one test each, in workers of their own: the time of a file
 * before its first test.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { install } from '../build/install.ts'
import { emptyFolder, ROOT } from '../package/folders.ts'
import { summary } from './measure.ts'
import { besideAnvil, startAnvil } from './peers/anvil.ts'
import { beside, type Row, rowOf, type Thoroughness } from './row.ts'
import type { Told } from './suite/many.ts'

const EFFORTS = { full: { rounds: 3, files: 10 }, quick: { rounds: 1, files: 2 } } as const

export default async function* suite(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const { rounds, files } = EFFORTS[thoroughness]
  await using home = await emptyFolder()
  const folder = home.path
  await using anvil = await startAnvil([])
  await prepare(folder)
  const ours: Told[][] = []
  const apart: Told[][] = []
  const theirs: Told[][] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await played(folder, 'preseal', files))
    apart.push(await played(folder, 'preseal', files, {}, 'beginApart'))
    if (anvil !== undefined) theirs.push(await played(folder, 'anvil', files, { ANVIL_URL: anvil.url }))
  }
  const name = `${files * 100} tests of a transfer and a read with viem`
  const median = (runs: readonly Told[][], of: 'tests' | 'added') =>
    runs.map((told) => summary(told.flatMap((file) => file[of])).median * 1000)
  const [own, others] = [median(ours, 'tests'), median(theirs, 'tests')]
  const toAnvil = besideAnvil(own, others, 'anvil over HTTP, snapshot and revert')
  yield rowOf(`${name}: one test`, own, { peer: toAnvil, goal: { ratioAtMost: 1 / 5 } })
  yield rowOf(`${name}: one test, with a client of its own`, median(apart, 'tests'))
  const [added, taken] = [median(ours, 'added'), median(theirs, 'added')]
  yield rowOf(`${name}: what a test waits for its chain (use and close)`, added, {
    peer: besideAnvil(added, taken, "anvil's snapshot and revert"),
    goal: { below: 1_000 },
  })
  const [first, last] = [ours.map((told) => told[0]!.bytes!), ours.map((told) => told.at(-1)!.bytes!)]
  const peer = beside('after the first hundred', last, first)
  yield rowOf(`${name}: memory after the last`, last, { unit: 'bytes', peer, goal: { ratioAtMost: 1.2 } })
  yield* ofFiles(folder, files)
}

/** The steps of `suite/file.ts`, in order. */
const STEPS = [
  'import viem',
  'import preseal/testing',
  'the first devnet, and a fixture built on it',
  'the first test',
  'the second test',
]
const FIRST_FIXTURE = 2

async function* ofFiles(folder: string, files: number): AsyncGenerator<Row> {
  await writeFiles(folder, 'file', files, () => `import './file.ts'\n`)
  const played = (await vitest(folder, 'file', ['--isolate'], {})) as number[][]
  for (const [i, step] of STEPS.entries()) {
    yield rowOf(
      `a file in a worker of its own: ${step}`,
      played.map((ms) => ms[i]! * 1000),
      { goal: i === FIRST_FIXTURE ? { below: 30_000 } : undefined },
    )
  }
}

/** One run of all files on one side. */
async function played(
  folder: string,
  side: 'preseal' | 'anvil',
  files: number,
  env: Record<string, string> = {},
  begin: 'begin' | 'beginApart' = 'begin',
): Promise<Told[]> {
  const text = `import { ${begin} } from './${side}.ts'\nimport { many } from './many.ts'\nmany(${begin})\n`
  await writeFiles(folder, side, files, () => text)
  return (await vitest(folder, side, ['--no-isolate'], { ...env, FILES: String(files) })) as Told[]
}

function writeFiles(folder: string, side: string, files: number, text: () => string): Promise<unknown> {
  const names = Array.from({ length: files }, (_, i) => `${side}-${i}.test.ts`)
  return Promise.all(names.map((name) => writeFile(join(folder, HOME, name), text())))
}

/** Runs the test files of `side`, one after the other. Returns their reports. */
async function vitest(
  folder: string,
  side: string,
  flags: readonly string[],
  env: Record<string, string>,
): Promise<unknown[]> {
  const told = join(folder, `told-${side}.jsonl`)
  await rm(told, { force: true })
  const program = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const workers = ['--pool=forks', '--maxWorkers=1', '--execArgv=--expose-gc']
  const all = ['run', ...workers, ...flags, `${HOME}/${side}-`]
  const child = spawn(process.execPath, [program, ...all], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env, TOLD: told, NODE_ENV: 'test', VITEST: '' },
  })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`vitest ended with ${code}:\n${output}`)
  return (await readFile(told, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Folder of the tests, at the same depth as here, so that their relative imports hold. */
const HOME = 'scripts/bench/suite'

async function prepare(folder: string): Promise<void> {
  const copied = ['body', 'preseal', 'anvil', 'many', 'file'].map((name) => `${HOME}/${name}.ts`)
  await install(folder)
  for (const name of [HOME, 'fixtures/contracts']) await mkdir(join(folder, name), { recursive: true })
  await Promise.all([
    ...['viem', 'vitest'].map((name) =>
      symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'junction'),
    ),
    ...[...copied, 'fixtures/contracts/Token.ts'].map((name) =>
      copyFile(join(ROOT, name), join(folder, name)),
    ),
    writeFile(join(folder, 'package.json'), '{ "type": "module" }\n'),
  ])
}
