/**
 * What a process takes from its start to its first answer, beside one that only makes an EthereumJS VM and runs the same
 * code, and beside Node that does nothing; and what the second devnet of a process takes.
 *
 * Ours is the package as it is published, built for this; the floor is bundled in the same way.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { BUNDLING } from '../build/dist.ts'
import { install } from '../build/install.ts'
import { contest, summary } from './measure.ts'
import { beside, type Row, type Thoroughness } from './row.ts'
import { bareNode, firstAnswer } from './start/firstAnswer.ts'

/** What the code answers: 42. */
const ANSWER = `0x${'2a'.padStart(64, '0')}`

export async function* start(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const rounds = thoroughness === 'full' ? 15 : 1
  const folder = await mkdtemp(join(tmpdir(), 'preseal-start-'))
  try {
    await prepare(folder)
    const firsts: number[] = []
    const seconds: number[] = []
    const [ours, floor, bare] = (await contest(
      [
        async () => {
          const { microseconds, later } = await answered(join(folder, 'preseal.mjs'))
          const { first, second } = JSON.parse(later.join('')) as { first: number; second: number }
          firsts.push(first * 1000)
          seconds.push(second * 1000)
          return microseconds
        },
        async () => (await answered(join(folder, 'floor.mjs'))).microseconds,
        async () => (await answered(join(folder, 'bare.mjs'))).microseconds,
      ],
      rounds,
    )) as [number[], number[], number[]]
    const what = 'from `node` to the first answered eth_call'
    yield {
      what,
      ours: summary(ours),
      unit: 'microseconds',
      peer: beside('a bundle that makes an EthereumJS VM and runs the same code', ours, floor),
      goals: [{ kind: 'ratioAtMost', ratio: 1.3 }],
    }
    yield {
      what,
      ours: summary(ours),
      unit: 'microseconds',
      peer: beside('node that prints a line', ours, bare),
    }
    yield {
      what: 'createDevnet, the first of a process',
      ours: summary(firsts.slice(1)),
      unit: 'microseconds',
    }
    yield {
      what: 'createDevnet, the second of a process',
      ours: summary(seconds.slice(1)),
      unit: 'microseconds',
      goals: [{ kind: 'under', microseconds: 5_000 }],
    }
    const cli = join(folder, 'node_modules/preseal/dist/cli.js')
    // Node keeps compiled code from the first start on, where it can.
    await firstAnswer(cli)
    const [answers, empty] = (await contest([() => firstAnswer(cli), bareNode], rounds)) as [
      number[],
      number[],
    ]
    const canKeep = 'enableCompileCache' in module
    yield {
      what: "CLI from spawn to its first answer over HTTP (second start), beyond `node -e ''`",
      ours: summary(answers.map((answer, round) => answer - empty[round]!)),
      unit: 'microseconds',
      goals: [{ kind: 'under', microseconds: canKeep ? 90_000 : 150_000 }],
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Puts the contenders into `folder`: the package and a script that imports it, the floor, and nothing. */
async function prepare(folder: string): Promise<void> {
  const here = (name: string) => fileURLToPath(new URL(`start/${name}`, import.meta.url))
  await Promise.all([
    install(folder),
    build({
      ...BUNDLING,
      entryPoints: [here('floor.ts')],
      outdir: folder,
      // One of its packages is CommonJS and asks for parts of Node.
      banner: {
        js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
      },
      outExtension: { '.js': '.mjs' },
    }),
    ...['preseal.mjs', 'bare.mjs'].map((name) => copyFile(here(name), join(folder, name))),
  ])
}

/** How long a process took to print the answer, and what it printed later. Rejects where it prints something else. */
async function answered(script: string): Promise<{ microseconds: number; later: string[] }> {
  const started = process.hrtime.bigint()
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  let microseconds = 0
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => {
    if (lines.push(line) === 1) microseconds = Number(process.hrtime.bigint() - started) / 1000
  })
  const [code] = await once(child, 'close')
  if (code !== 0 || lines[0] !== ANSWER)
    throw new Error(`${script} ended with ${code} and said ${lines.join(', ')}`)
  return { microseconds, later: lines.slice(1) }
}
