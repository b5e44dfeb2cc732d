/**
 * A suite of a thousand tests that use a deployed fixture, as a user of vitest would write it: with a fork for each test, beside the
 * same tests over anvil with a snapshot for each. Ours is the package as it is published, built for this.
 *
 * Each side is ten files of a hundred tests in one worker that is not isolated, with one viem client for all of them; the sides run
 * by turns. Then the same with a client for each test, and files of one test each, in workers of their own: what a file
 * costs before its first test.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from '../build/install.ts'
import { summary } from './measure.ts'
import { ANVIL_IS_ABSENT, startAnvil } from './peers/anvil.ts'
import { beside, type Row, type Thoroughness } from './row.ts'
import type { Told } from './suite/many.ts'
import { FIRST_FIXTURE, STEPS, type Steps } from './suite/steps.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const EFFORTS = { full: { rounds: 3, files: 10 }, quick: { rounds: 1, files: 2 } } as const

export async function* suite(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const { rounds, files } = EFFORTS[thoroughness]
  const folder = await mkdtemp(join(tmpdir(), 'preseal-suite-'))
  const anvil = await startAnvil([])
  try {
    await prepare(folder)
    const ours: Told[][] = []
    const apart: Told[][] = []
    const theirs: Told[][] = []
    for (let round = 0; round < rounds; round++) {
      ours.push(await played(folder, 'preseal', files))
      apart.push(await played(folder, 'presealApart', files))
      if (anvil !== undefined) theirs.push(await played(folder, 'anvil', files, { ANVIL_URL: anvil.url }))
    }
    const name = `${files * 100} tests of a transfer and a read with viem`
    const median = (runs: readonly Told[][], of: 'tests' | 'added') =>
      runs.map((told) => summary(told.flatMap((file) => file[of])).median * 1000)
    const [own, others] = [median(ours, 'tests'), median(theirs, 'tests')]
    yield {
      what: `${name}: one test`,
      ours: summary(own),
      unit: 'microseconds',
      peer:
        anvil === undefined ? ANVIL_IS_ABSENT : beside('anvil over HTTP, snapshot and revert', own, others),
      goals: [{ kind: 'timesFaster', times: 5 }],
    }
    yield {
      what: `${name}: one test, with a client of its own`,
      ours: summary(median(apart, 'tests')),
      unit: 'microseconds',
    }
    const [added, taken] = [median(ours, 'added'), median(theirs, 'added')]
    yield {
      what: `${name}: what a test waits for its chain (use and close)`,
      ours: summary(added),
      unit: 'microseconds',
      peer: anvil === undefined ? ANVIL_IS_ABSENT : beside("anvil's snapshot and revert", added, taken),
      goals: [{ kind: 'under', microseconds: 1_000 }],
    }
    const [first, last] = [ours.map((told) => told[0]!.bytes!), ours.map((told) => told.at(-1)!.bytes!)]
    yield {
      what: `${name}: memory after the last`,
      ours: summary(last),
      unit: 'bytes',
      peer: beside('after the first hundred', last, first),
      goals: [{ kind: 'ratioAtMost', ratio: 1.2 }],
    }
    yield* ofFiles(folder, files)
  } finally {
    await anvil?.stop()
    await rm(folder, { recursive: true })
  }
}

/** What a file of tests costs, step by step. */
async function* ofFiles(folder: string, files: number): AsyncGenerator<Row> {
  await writeFiles(folder, 'file', files, () => `import './file.ts'\n`)
  const steps = (await vitest(folder, 'file', ['--isolate'], {})) as Steps[]
  for (const step of STEPS) {
    const times = steps.map((one) => one[step] * 1000)
    yield {
      what: `a file in a worker of its own: ${step}`,
      ours: summary(times),
      unit: 'microseconds',
      goals: step === FIRST_FIXTURE ? [{ kind: 'under', microseconds: 30_000 }] : [],
    }
  }
}

/** One run of all files on one side. */
async function played(
  folder: string,
  side: 'preseal' | 'presealApart' | 'anvil',
  files: number,
  env: Record<string, string> = {},
): Promise<Told[]> {
  const text = `import { begin } from './${side}.ts'\nimport { many } from './many.ts'\nmany(begin)\n`
  await writeFiles(folder, side, files, () => text)
  return (await vitest(folder, side, ['--no-isolate'], { ...env, FILES: String(files) })) as Told[]
}

function writeFiles(folder: string, side: string, files: number, text: () => string): Promise<unknown> {
  const names = Array.from({ length: files }, (_, i) => `${side}-${i}.test.ts`)
  return Promise.all(names.map((name) => writeFile(join(folder, HOME, name), text())))
}

/** Runs the test files of `side`, one after the other. Answers what they told. */
async function vitest(
  folder: string,
  side: string,
  flags: readonly string[],
  env: Record<string, string>,
): Promise<unknown[]> {
  const told = join(folder, `told-${side}.jsonl`)
  await rm(told, { force: true })
  const program = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const all = [
    'run',
    '--pool',
    'forks',
    '--maxWorkers',
    '1',
    '--execArgv=--expose-gc',
    ...flags,
    `${HOME}/${side}-`,
  ]
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

/** Where the tests stand in the folder: what they import from beside them is as far away as it is here. */
const HOME = 'scripts/bench/suite'

/** Puts the package, its peers and the sources of the tests into `folder`. */
async function prepare(folder: string): Promise<void> {
  const copied = ['body', 'preseal', 'presealApart', 'anvil', 'many', 'file', 'steps'].map(
    (name) => `${HOME}/${name}.ts`,
  )
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
