/** `--dump-state`, `--load-state`, `--state`: a devnet of one process goes on in another, whatever ended the first. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseFlags } from '../../../src/cli/invocation.ts'
import { createDevnet } from '../../../src/index.ts'
import { dumped, fileOf, linesOf } from '../../support/chains/stateFiles.ts'
import { askAt } from '../../support/clients/askAt.ts'
import { type Ended, type Running, startCli } from '../../support/processes/process.ts'
import { withRandom } from '../../support/random/random.ts'

const running: Running[] = []
let folder: string
let files = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-state-'))
})
afterEach(() => {
  for (const process of running.splice(0)) process.kill('SIGKILL')
})
afterAll(() => rm(folder, { recursive: true }))

/** A name that nothing has yet. */
function fresh(): string {
  return join(folder, `${files++}`)
}

async function written(content: string | Uint8Array): Promise<string> {
  const file = fresh()
  await writeFile(file, content)
  return file
}

function start(...flags: string[]): Running {
  const process = startCli('--port', '0', '--rhythm', 'manual', '--json', ...flags)
  running.push(process)
  return process
}

/** Asks a devnet that listens. */
async function listening(
  process: Running,
): Promise<(method: string, ...params: unknown[]) => Promise<unknown>> {
  const [line] = await process.printed(/^\{"event":"listening".*\}$/m)
  const { url } = JSON.parse(line)
  return (method, ...params) => askAt(url, method, ...params)
}

function ended(process: Running, signal: NodeJS.Signals): Promise<Ended> {
  process.kill(signal)
  return process.ended
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(1)
}

describe('a state file', () => {
  it('is written at the end, and is all that the next process needs', async () => {
    const file = fresh()
    const first = start('--dump-state', file, '--chain-id', '8453', '--hardfork', 'prague')
    const ask = await listening(first)
    await ask('anvil_setBalance', '0x00000000000000000000000000000000000000aa', '0x5')
    await ask('anvil_mine', '0x3')
    const { hash } = (await ask('eth_getBlockByNumber', 'latest', false)) as { hash: string }
    expect((await ended(first, 'SIGTERM')).code).toBe(0)
    expect(JSON.parse(/^\{"event":"written".*$/m.exec(first.stdout)![0])).toEqual({
      event: 'written',
      file,
      number: 3,
      hash,
    })
    const before = await readFile(file)
    expect(linesOf(before).length).toBeGreaterThan(10)

    const copy = fresh()
    const second = start('--load-state', file, '--dump-state', copy)
    const again = await listening(second)
    expect(JSON.parse(/^\{"event":"loaded".*$/m.exec(second.stdout)![0])).toEqual({
      event: 'loaded',
      file,
      number: 3,
      hash,
    })
    expect(await again('eth_chainId')).toBe('0x2105')
    expect(await again('eth_blockNumber')).toBe('0x3')
    expect(await again('eth_getBalance', '0x00000000000000000000000000000000000000aa', '0x0')).toBe('0x5')
    expect((await ended(second, 'SIGINT')).code).toBe(0)
    expect((await readFile(copy)).equals(before)).toBe(true)
  })

  it('of --state is made by the first run and goes on in the next, with the same flags', async () => {
    const file = fresh()
    const flags = ['--state', file, '--chain-id', '5', '--balance', '7', '--gas-limit', '10000000']
    for (const number of ['0x0', '0x1', '0x2']) {
      const process = start(...flags)
      const ask = await listening(process)
      expect(await ask('eth_blockNumber')).toBe(number)
      await ask('evm_mine')
      expect((await ended(process, 'SIGINT')).code).toBe(0)
    }
    // Nothing is left of the files that were written beside it.
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('of --init goes on with the same genesis', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual', chainId: 77, hardfork: 'cancun' })
    const genesis = await written(JSON.stringify(devnet.genesis()))
    const flags = ['--state', fresh(), '--init', genesis]
    for (const number of ['0x0', '0x1']) {
      const process = start(...flags)
      const ask = await listening(process)
      expect([await ask('eth_chainId'), await ask('eth_blockNumber')]).toEqual(['0x4d', number])
      await ask('evm_mine')
      await ended(process, 'SIGTERM')
    }
  })

  it('may be in a folder, packed, or of anvil', async () => {
    const directory = fresh()
    await mkdir(directory)
    const anvils = await readFile(new URL('../../../fixtures/stateFiles/anvil.json', import.meta.url))
    await writeFile(join(directory, 'state.json'), gzipSync(anvils))
    const process = start('--state', directory)
    const ask = await listening(process)
    expect(await ask('eth_blockNumber')).toBe('0x10')
    await ended(process, 'SIGTERM')
    expect((await readFile(join(directory, 'state.json'))).toString()).toMatch(/^\{"preseal":"state"/)
  })

  it('goes on with what decides its blocks: coinbase and randomness', async () => {
    await using devnet = await createDevnet({
      rhythm: 'manual',
      coinbase: '0x00000000000000000000000000000000000000cb',
      randaoSeed: `0x${'5e'.repeat(32)}`,
    })
    const process = start('--load-state', await written(dumped(devnet)))
    const ask = await listening(process)
    await ask('evm_mine')
    await devnet.mine()
    const params = ['latest', false] as const
    expect(await ask('eth_getBlockByNumber', ...params)).toEqual(
      await devnet.request({ method: 'eth_getBlockByNumber', params }),
    )
  })
})

describe('what cannot be', () => {
  it('is refused before anything is done, and the file stays as it was', async () => {
    const foreign = await written('{"name":"else"}')
    const none = fresh()
    const refusals: [string[], number, string][] = [
      [['--load-state', none], 1, `--load-state ${none}: there is no such file`],
      [['--state', foreign], 1, `--state ${foreign}: line 1: expected a state file of preseal`],
      [['--load-state', foreign, '--state', foreign], 2, '--load-state: cannot be combined with --state'],
    ]
    const outcomes = await Promise.all(refusals.map(([flags]) => start(...flags).ended))
    for (const [index, { code, stderr }] of outcomes.entries()) {
      const [flags, expected, message] = refusals[index]!
      expect([flags, stderr]).toEqual([flags, expect.stringContaining(message)])
      expect(stderr).not.toMatch(/\n\s+at /)
      expect([flags, code]).toEqual([flags, expected])
    }
    expect(await readFile(foreign, 'utf8')).toBe('{"name":"else"}')
  })

  it('are flags that contradict the file, and a file that is broken', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual', chainId: 5 })
    const state = dumped(devnet)
    const file = await written(state)
    const { config } = devnet.genesis() as { config: object }
    const later = { config: { ...config, osakaTime: 4_000_000_000 }, alloc: {} }
    await using several = await createDevnet({ rhythm: 'manual', genesis: later })
    const mixed = await written(dumped(several))
    const cut = await written(state.subarray(0, 3_000))
    const bent = await written(fileOf(linesOf(state).slice(0, -1)))
    const genesis = { config: { ...config, chainId: 6 }, alloc: {} }
    const init = await written(JSON.stringify(genesis))
    const fail = () => expect.unreachable()
    /** What the command line does with its flags. */
    const begun = async (...flags: string[]) => {
      const { options, parts } = parseFlags(['node', 'preseal', '--rhythm', 'manual', ...flags])
      const files = parts.find(({ prepare }) => prepare !== undefined)
      await using begun = await createDevnet(await files!.prepare!(options))
      await files!.load!(begun, { format: 'silent', print: fail, warn: fail, warnOfLoss: fail })
      return begun.latest.header
    }
    for (const [flags, message] of [
      [['--load-state', file, '--chain-id', '7'], `--chain-id: expected 5, as ${file} has it, got 7`],
      [
        ['--state', file, '--hardfork', 'cancun'],
        `--hardfork: expected osaka, as ${file} has it, got cancun`,
      ],
      [['--state', mixed, '--hardfork', 'osaka'], '--hardfork: expected nothing: there are several'],
      [['--load-state', file, '--balance', '7'], `--balance: expected nothing, because ${file} decides it`],
      [['--state', file, '--init', init], 'config: expected the rules of this devnet (chain id 6, osaka)'],
      [['--load-state', cut], `--load-state ${cut}: line 11: expected a whole line, and more after it`],
      [['--state', bent], `--state ${bent}: line ${linesOf(state).length}: expected the cheats, got none`],
    ] as const) {
      await expect(begun(...flags)).rejects.toThrow(message)
    }
    for (const flags of [
      ['--load-state', file, '--chain-id', '5', '--hardfork', 'osaka'],
      ['--load-state', mixed],
      ['--state', file, '--balance', '7'],
    ]) {
      expect(await begun(...flags)).toMatchObject({ number: 0n })
    }
  })

  it.each([
    [
      ['--state', 'a', '--dump-state', 'b'],
      '--dump-state: cannot be combined with --state, which loads and dumps',
    ],
    [
      ['--state', 'a', '--load-state', 'a'],
      '--load-state: cannot be combined with --state, which loads and dumps',
    ],
    [['--state-interval', '5'], '--state-interval: requires --state or --dump-state'],
    [['--load-state', 'a', '--state-interval', '5'], '--state-interval: requires --state or --dump-state'],
    [['--state', 'a', '--state-interval', '0'], 'expected seconds (above 0, at most 86400), got "0"'],
    [['--state', 'a', '--state-interval', '1e3'], 'expected seconds (above 0, at most 86400), got "1e3"'],
    [['--state', 'a', '--state-interval', '86401'], 'expected seconds (above 0, at most 86400), got "86401"'],
  ])('are the flags %j', (flags, message) => {
    expect(() => parseFlags(['node', 'preseal', ...flags])).toThrow(message)
  })

  it('is a file in a folder that is not there: said before anything runs, with code 1', async () => {
    const folder = fresh()
    const { code, stdout, stderr } = await start('--dump-state', join(folder, 'state')).ended
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(folder)
  })
})

describe('a crash', () => {
  it(
    'in the middle of a dump leaves a file that can be loaded',
    withRandom(async (random) => {
      const file = fresh()
      const name = basename(file)
      /** What is being written, if anything is. */
      const half = async () => {
        const found = (await readdir(folder)).find(
          (other) => other.startsWith(`${name}.`) && other.endsWith('.part'),
        )
        return found && join(folder, found)
      }
      // A state that takes longer to write than the time between two dumps, and is another each time: time makes blocks.
      const fixture = `${fresh()}.mjs`
      await writeFile(
        fixture,
        `export default async (devnet) => {
          const address = (i) => '0x' + i.toString(16).padStart(40, '0')
          for (let first = 1; first < 20_000; first += 1_000) {
            const addresses = Array.from({ length: 1_000 }, (_, i) => address(first + i))
            await devnet.request({ method: 'tenderly_setBalance', params: [addresses, '0x' + first.toString(16)] })
          }
          await devnet.mine()
        }`,
      )
      let number = 0
      for (let round = 0; round < 4; round++) {
        const flags = ['--state', file, '--state-interval', '0.01', '--rhythm', 'interval', '--tick', '20']
        const process = start(...flags, ...(round === 0 ? ['--fixture', fixture] : []))
        await listening(process)
        await until(async () => (await readdir(folder)).includes(name))
        await sleep(random.below(500))
        // Stands still while it is looked at, so that it is in the middle of it when it is killed.
        await until(async () => {
          process.kill('SIGSTOP')
          if ((await half()) !== undefined) return true
          process.kill('SIGCONT')
          return false
        })
        expect((await ended(process, 'SIGKILL')).code).toBe(null)
        await rm((await half())!)
        await using devnet = await createDevnet({ rhythm: 'manual' })
        const newest = await devnet.load(await readFile(file))
        expect(Number(newest.number)).toBeGreaterThanOrEqual(number)
        number = Number(newest.number)
        const params = [`0x${'4e1f'.padStart(40, '0')}`, 'latest'] as const
        expect(await devnet.request({ method: 'eth_getBalance', params })).toBe('0x4a39')
      }
    }),
  )

  it('before the file was loaded leaves it alone, whatever ends the process', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    await devnet.advance({ ms: 2_000_000 })
    const state = dumped(devnet)
    const file = await written(state)
    for (const delay of [300, 600, 900, 1_200]) {
      const process = start('--state', file)
      await sleep(delay)
      await ended(process, 'SIGTERM')
      const after = await readFile(file)
      // It was loaded, then what is written is the same.
      expect(after.equals(state)).toBe(true)
    }
  })
})
