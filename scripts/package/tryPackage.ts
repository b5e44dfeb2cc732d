/**
 * Tries the package as its users will: packs it, installs it into an empty folder beside their packages, copies an example
 * of the documentation there, and runs it. `npm run try-package`, or `npm run try-package -- vitest browser` for some of
 * the rows.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import { hardhatProject } from '../../test/support/compilers/hardhatProject.ts'
import { CHROMIUM_FLAGS, findChromium, NO_CHROMIUM } from './chromium.ts'
import { begin, CommandFailed, emptyFolder, output, pack, ROOT } from './folders.ts'
import { nodeOf } from './nodeOf.ts'

interface Trial {
  readonly name: string
  /** Packages beside preseal; trials with the same list share a folder. */
  readonly packages: readonly string[]
  /** Files and folders of this repository to copy to the top of the new folder. */
  readonly files: readonly string[]
  /** Files to write, by their names. */
  readonly texts?: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The version of Node, if the packages need a newer one than this project. Trials with the same list have the same. */
  readonly node?: string
  /** It finds a Chromium in the environment's CHROMIUM, and its flags in CHROMIUM_FLAGS. */
  readonly isInBrowser?: true
}

const RUNNERS = 'test/examples/runners'

/** The limits of runners are seconds: too little on a busy machine. */
const LIMIT_MS = 300_000

const NOTHING: readonly string[] = []
const VITEST: readonly string[] = ['vitest', 'typescript']

const trials = async (): Promise<readonly Trial[]> => [
  {
    name: 'vitest',
    packages: VITEST,
    files: [],
    texts: {
      'first.test.ts': await firstTest(),
      'vitest.config.ts': await readFile(join(ROOT, 'test/examples/gas.config.ts'), 'utf8'),
    },
    command: ['npx', 'vitest', 'run', `--testTimeout=${LIMIT_MS}`, `--hookTimeout=${LIMIT_MS}`],
  },
  // The oldest that package.json promises, and the newest.
  ...['vitest@3.0', 'vitest'].map((runner) => ({
    name: `failing-${runner}`,
    packages: [runner],
    files: ['scripts/package/failingTest.mjs'],
    command: ['node', 'failingTest.mjs'],
  })),
  {
    name: 'types',
    packages: VITEST,
    files: [],
    texts: {
      'first.test.ts': await firstTest(),
      'tsconfig.json': strictly({ module: 'nodenext' }),
      'bundler.json': strictly({ module: 'esnext', moduleResolution: 'bundler' }),
    },
    command: ['npx', 'tsc', '--build', 'tsconfig.json', 'bundler.json'],
  },
  {
    name: 'page',
    packages: NOTHING,
    files: ['scripts/package/askForPage.mjs'],
    command: ['node', 'askForPage.mjs'],
  },
  { name: 'script', packages: NOTHING, files: [`${RUNNERS}/script.mjs`], command: ['node', 'script.mjs'] },
  {
    name: 'node:test',
    packages: NOTHING,
    files: [`${RUNNERS}/nodeTest.test.mjs`],
    command: [
      ...['node', '--test', '--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...['--test-reporter=preseal/node-test/gas', '--test-reporter-destination=stdout'],
    ],
  },
  {
    name: 'jest',
    packages: ['jest'],
    files: [`${RUNNERS}/jest.test.mjs`, `${RUNNERS}/jestFrames.test.mjs`],
    texts: await hardhatProject('Shop'),
    command: ['npx', 'jest', `--testTimeout=${LIMIT_MS}`],
    environment: { NODE_OPTIONS: '--experimental-vm-modules' },
  },
  {
    name: 'hardhat',
    packages: [
      ...[
        'hardhat@3',
        'hardhat-ethers',
        'hardhat-ethers-chai-matchers',
        'hardhat-ignition',
        'hardhat-ignition-ethers',
      ],
      ...[
        'hardhat-mocha',
        'hardhat-network-helpers',
        'hardhat-node-test-runner',
        'hardhat-viem',
        'ethers',
        'viem',
      ],
      ...['mocha', 'chai', 'solc@0.8.37', 'typescript', '@types/node', '@types/mocha', '@types/chai'],
    ].map((name) => (name.startsWith('hardhat-') ? `@nomicfoundation/${name}` : name)),
    files: ['test/examples/hardhat', 'test/hardhat/suite', 'scripts/package/tryHardhat.mjs'],
    command: ['node', 'tryHardhat.mjs'],
    node: '22',
  },
  {
    name: 'playwright',
    packages: ['@playwright/test'],
    files: [`${RUNNERS}/playwright.spec.mjs`],
    command: ['npx', 'playwright', 'test', `--timeout=${LIMIT_MS}`],
    isInBrowser: true,
  },
  {
    name: 'browser',
    packages: ['vite@8', 'viem', 'playwright-core'],
    files: ['scripts/package/browser', 'fixtures/contracts/Shop.ts'],
    command: ['node', 'run.mjs'],
    isInBrowser: true,
  },
]

async function firstTest(): Promise<string> {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  const [, code] = /^## First test.*?```ts\n(.*?)```/ms.exec(readme) ?? []
  if (code === undefined) throw new Error('README.md: there is no first test')
  return code
}

/** A strict compiler configuration, which checks the declarations of packages, too, with the library of ES2022. */
function strictly(resolution: object): string {
  const compilerOptions = { strict: true, skipLibCheck: false, noEmit: true, target: 'es2022', ...resolution }
  return JSON.stringify({ compilerOptions, files: ['first.test.ts'] })
}

/** Makes a folder with the package and `packages`, and runs the trials there, one after the other. */
async function attemptAll(
  trials: readonly Trial[],
  packages: readonly string[],
  tarball: string,
): Promise<void> {
  const environment = await environmentOf(trials[0]!.node)
  await using home = await emptyFolder()
  const folder = home.path
  const seconds = stopwatch()
  const names = trials.map(({ name }) => name).join(', ')
  try {
    await begin(folder, [tarball, ...packages], environment)
    console.log(`${names}: installed (${seconds()} s)`)
    for (const trial of trials) await attempt(trial, folder, environment)
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    console.log(`${names}: failed\n${error.message}`)
    process.exitCode = 1
  }
}

/** The environment of commands that run on a version of Node; by default on ours. */
async function environmentOf(version: string | undefined): Promise<Readonly<Record<string, string>>> {
  if (version === undefined) return {}
  const node = await nodeOf(version)
  return node === undefined ? {} : { PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
}

async function attempt(
  trial: Trial,
  folder: string,
  ofNode: Readonly<Record<string, string>>,
): Promise<void> {
  const { name, files, texts = {}, command, environment, isInBrowser } = trial
  const seconds = stopwatch()
  for (const file of files) await copyInto(folder, file)
  for (const [file, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  const browser = isInBrowser && { CHROMIUM: chromium!, CHROMIUM_FLAGS: CHROMIUM_FLAGS.join(' ') }
  await output(folder, command, { ...ofNode, ...environment, ...browser })
  console.log(`${name}: works (${seconds()} s)`)
}

function stopwatch(): () => string {
  const startMs = performance.now()
  return () => ((performance.now() - startMs) / 1000).toFixed(1)
}

/** A file keeps its name; the files of a folder go to the top. */
async function copyInto(folder: string, path: string): Promise<void> {
  const isFile = /\.\w+$/.test(path)
  await cp(join(ROOT, path), isFile ? join(folder, basename(path)) : folder, { recursive: true })
}

const chromium = findChromium()
const wanted = process.argv.slice(2)
const all = await trials()
const unknown = wanted.filter((name) => !all.some((trial) => trial.name === name))
if (unknown.length > 0)
  throw new Error(`there is no trial ${unknown}; there are ${all.map(({ name }) => name)}`)
const tried = all.filter(({ name, isInBrowser }) => {
  if (wanted.length > 0 && !wanted.includes(name)) return false
  const isPassedOver = isInBrowser && chromium === undefined
  if (isPassedOver) console.log(`${name}: passed over, ${NO_CHROMIUM}`)
  return !isPassedOver
})
await using folder = await emptyFolder()
const { file } = await pack(folder.path)
// npm takes longer than most trials, so trials with the same packages share a folder.
for (const packages of new Set(tried.map((trial) => trial.packages))) {
  await attemptAll(
    tried.filter((trial) => trial.packages === packages),
    packages,
    file,
  )
}
