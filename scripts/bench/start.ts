/**
 * The time of a process from its start to its first answer, beside one that only makes an EthereumJS VM and runs the same
 * code, and beside Node alone; and the time of the second devnet of a process. anvil's start is shown for comparison.
 *
 * Ours is the package as it is published, built for this; the floor is bundled in the same way.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, writeFile } from 'node:fs/promises'
import module from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Store } from '../../fixtures/contracts/Store.ts'
import { ask } from '../ask.ts'
import { BUNDLING } from '../build/dist.ts'
import { install } from '../build/install.ts'
import { emptyFolder } from '../package/folders.ts'
import { startCli } from '../startCli.ts'
import { contest, nowUs } from './measure.ts'
import { ANVIL_IS_ABSENT, startAnvil } from './peers/anvil.ts'
import { beside, type Row, rowOf, type Thoroughness } from './row.ts'

/** The result of the call: 42. */
const ANSWER = `0x${'2a'.padStart(64, '0')}`

export default async function* start(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const rounds = thoroughness === 'full' ? 15 : 1
  await using folder = await emptyFolder()
  await prepare(folder.path)
  yield* ofPackage(folder.path, rounds)
  yield* ofCommandLine(join(folder.path, 'node_modules/preseal/dist/cli.js'), rounds)
  yield await ofAnvil(rounds)
}

/** Puts the contenders into `folder`: the package and a script that imports it, the floor, and a script that prints a line. */
async function prepare(folder: string): Promise<void> {
  const here = (name: string) => fileURLToPath(new URL(`start/${name}`, import.meta.url))
  await Promise.all([
    install(folder),
    build({
      ...BUNDLING,
      entryPoints: [here('floor.ts')],
      outdir: folder,
      // One of its packages is CommonJS and requires modules of Node.
      banner: {
        js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
      },
      outExtension: { '.js': '.mjs' },
    }),
    copyFile(here('preseal.mjs'), join(folder, 'preseal.mjs')),
    writeFile(join(folder, 'bare.mjs'), `console.log('${ANSWER}')`),
  ])
}

async function* ofPackage(folder: string, rounds: number): AsyncGenerator<Row> {
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
  const toVm = beside('a bundle that makes an EthereumJS VM and runs the same code', ours, floor)
  yield rowOf(what, ours, { peer: toVm, goal: { ratioAtMost: 1.3 } })
  yield rowOf(what, ours, { peer: beside('node that prints a line', ours, bare) })
  yield rowOf('createDevnet, the first of a process', firsts.slice(1))
  yield rowOf('createDevnet, the second of a process', seconds.slice(1), { goal: { below: 5_000 } })
}

/** The time until a process prints the answer, and its later lines. Rejects where it prints something else. */
async function answered(script: string): Promise<{ microseconds: number; later: string[] }> {
  const started = nowUs()
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  let microseconds = 0
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => {
    if (lines.push(line) === 1) microseconds = nowUs() - started
  })
  const [code] = await once(child, 'close')
  if (code !== 0 || lines[0] !== ANSWER)
    throw new Error(`${script} ended with ${code} and printed ${lines.join(', ')}`)
  return { microseconds, later: lines.slice(1) }
}

async function* ofCommandLine(cli: string, rounds: number): AsyncGenerator<Row> {
  // Node keeps compiled code from the first start on, where it can.
  await firstAnswer(cli)
  const [answers, empty] = (await contest([() => firstAnswer(cli), bareNode], rounds)) as [number[], number[]]
  const canKeep = 'enableCompileCache' in module
  yield rowOf(
    "CLI from spawn to its first answer over HTTP (second start), beyond `node -e ''`",
    answers.map((answer, round) => answer - empty[round]!),
    { goal: { below: canKeep ? 90_000 : 150_000 } },
  )
}

/** Returns the microseconds from the spawn of `cli` to the first answer. Rejects if it ends before. */
async function firstAnswer(cli: string): Promise<number> {
  const started = nowUs()
  const { url, stop } = await startCli(cli)
  try {
    await ask(url, 'eth_blockNumber')
    return nowUs() - started
  } finally {
    stop()
  }
}

async function bareNode(): Promise<number> {
  const started = nowUs()
  await once(spawn(process.execPath, ['-e', ''], { stdio: 'ignore' }), 'exit')
  return nowUs() - started
}

/** From anvil's spawn to its first answer that ran a contract's code. */
async function ofAnvil(rounds: number): Promise<Row> {
  const what = 'anvil, from its spawn to its first answer to an eth_call over HTTP'
  const microseconds: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const anvil = await startAnvil()
    if (anvil === undefined) return { what, skipped: ANVIL_IS_ABSENT.absent }
    const started = performance.now()
    // Creation code runs without a contract.
    await anvil.request({ method: 'eth_call', params: [{ data: Store.bytecode }, 'latest'] })
    const ms = anvil.startMs + performance.now() - started
    await anvil.stop()
    // The first round reads the binary from the disk, and loads Node's `fetch`.
    if (round > 0) microseconds.push(ms * 1000)
  }
  return rowOf(what, microseconds)
}
