/** The pages say what the code does: each block on them runs, is played, parsed or drawn from what is there; each link leads somewhere. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { parseFault } from '../../src/faults/faultJson.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { CONNECTION_METHODS, METHODS } from '../../src/methods/index.ts'
import { parseJsonFixture } from '../../src/testing/fixtureSchema.ts'
import { FOLLOWED } from '../support/docs/followedPage.ts'
import { type Block, PAGES, ROOT } from '../support/docs/pages.ts'
import { commandsIn, complaintAbout } from '../support/docs/shownCommands.ts'
import { type Running, startCli } from '../support/processes/process.ts'

const pages = [...PAGES.values()]
/** The API reference shows declarations, which `npm run docs -- --check` holds against the code. */
const blocks = pages.flatMap((page) => page.blocks)

function blocksIn(...languages: string[]): Block[] {
  return blocks.filter(({ language }) => languages.includes(language))
}

/** Those of pages that tutorial.test.ts does not follow: there it writes the files, and compares what is printed. */
function unfollowed(...languages: string[]): Block[] {
  return blocksIn(...languages).filter(({ place }) => !FOLLOWED.has(place.split(':')[0]!))
}

/** Those that check each language. `text` is drawn or printed: whoever shows it has a test of its own below. */
const LANGUAGES = ['ts', 'js', 'solidity', 'json', 'sh', 'yaml', 'diff', 'text']

describe('a block', () => {
  it('says its language, and each language is checked here', () => {
    expect(blocks.filter(({ language }) => !LANGUAGES.includes(language)).map(placeOf)).toEqual([])
  })

  it('of code stands letter by letter in a file that runs', () => {
    const files = filesThatRun()
    const nowhere = unfollowed('ts', 'js').filter(({ text }) => !files.some((file) => stands(text, file)))
    expect(nowhere.map(placeOf)).toEqual([])
  })

  it('of code imports only what users have: packages, and files of their own project', () => {
    const foreign = blocksIn('ts', 'js').flatMap(({ place, text }) =>
      [...text.matchAll(/ from '(\.\.[^']*)'/g)].map(([, file]) => `${place}: ${file}`),
    )
    expect(foreign).toEqual([])
  })

  it('of Solidity stands in a contract that is compiled', () => {
    const folder = join(ROOT, 'fixtures/contracts')
    const contracts = readdirSync(folder)
      .filter((name) => name.endsWith('.sol'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
    const nowhere = unfollowed('solidity').filter(({ text }) => !contracts.some((file) => stands(text, file)))
    expect(nowhere.map(placeOf)).toEqual([])
  })

  it('of JSON is what it pretends to be', () => {
    const wrong = blocksIn('json').flatMap((block) => {
      const complaint = jsonComplaint(block.text)
      return complaint === undefined ? [] : [`${block.place}: ${complaint}`]
    })
    expect(wrong).toEqual([])
  })

  it('of commands can be typed: flags, scripts, packages and files are there', () => {
    expect(complaints(blocksIn('sh').map(({ place, text }) => [place, commandsIn(text)]))).toEqual([])
  })

  it('of YAML is a workflow whose commands can be typed', () => {
    const commands = blocksIn('yaml').map(({ place, text }) => {
      expect(text, place).toMatch(/^on: .+$/m)
      for (const [, action] of text.matchAll(/uses: (\S+)/g)) {
        expect(action, place).toMatch(/^actions\/(checkout|setup-node|cache|upload-artifact)@v\d+$/)
      }
      return [place, [...text.matchAll(/run: (.+)/g)].map(([, command]) => command!)] as const
    })
    expect(complaints(commands)).toEqual([])
  })

  it('of changes is on a page that is followed', () => {
    expect(unfollowed('diff').map(placeOf)).toEqual([])
  })

  it('of text is one of those that have a test of their own', () => {
    const known = [...DRAWN, ...PRINTED, ...REPORTED].map(({ place }) => place)
    expect(
      unfollowed('text')
        .map(placeOf)
        .filter((place) => !known.includes(place)),
    ).toEqual([])
  })
})

/** Drawings of files and rooms: architecture.test.ts looks at them. */
const DRAWN = blocksIn('text').filter(({ place }) => place.startsWith('src/README.md:'))
/** What runs of tests print: testing/gas/page.test.ts, testing/solidityPage.test.ts and examples/explore.test.ts run them. */
const REPORTED = blocksIn('text').filter(({ place }) =>
  /^(README|docs\/explore|docs\/gas|docs\/solidity)\.md:/.test(place),
)
/** What the command line prints, with … where hashes end. */
const PRINTED = blocksIn('text').filter(({ text }) => /^block \d+ /m.test(text))

describe('a sentence', () => {
  it('names commands that can be typed', () => {
    const commands = pages.map(({ path, spans }) => {
      const shown = spans.filter((span) => /^(npx preseal|preseal|npm run) [\w-]/.test(span))
      return [path, shown.flatMap(commandsIn)] as const
    })
    expect(complaints(commands)).toEqual([])
  })

  it('names no method that is not answered', () => {
    const known = new Set([...METHODS.keys(), ...CONNECTION_METHODS.keys()])
    // The one page that says what is not here.
    const wrong = pages
      .filter(({ path }) => path !== 'docs/methods.md')
      .flatMap(({ path, spans }) =>
        spans
          .flatMap((span) => [...span.matchAll(METHOD)].map(([name]) => name))
          .filter((name) => !known.has(name))
          .map((name) => `${path}: ${name}`),
      )
    expect(wrong).toEqual([])
  })

  it('names only members that a devnet has', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const wrong = pages.flatMap(({ path, spans }) =>
      spans
        .flatMap((span) => [...span.matchAll(/\bdevnet\.(?!ts\b)(\w+)(?:\.(\w+))?/g)])
        .filter(([, member, inner]) => !has(devnet, member!, inner))
        .map(([text]) => `${path}: ${text}`),
    )
    expect(wrong).toEqual([])
  })
})

/** Not the beginning of a name, such as `debug_trace…`. */
const METHOD =
  /\b(?:eth|anvil|hardhat|evm|debug|trace|txpool|personal|wallet|miner|preseal|net|web3|base|tenderly)_[A-Za-z]\w*(?![\w…*])/g

function has(devnet: Devnet, member: string, inner: string | undefined): boolean {
  if (!(member in devnet)) return false
  const value = devnet[member as keyof Devnet] as object
  return inner === undefined || typeof value === 'function' || inner in value
}

describe('a link', () => {
  it('leads to a file that is there, and to a heading that it has', () => {
    const broken = pages.flatMap(({ path, links }) =>
      links
        .filter((link) => {
          const [file, anchor] = link.split('#') as [string, string?]
          const target = file === '' ? path : join(dirname(path), file)
          if (!existsSync(join(ROOT, target))) return true
          return anchor !== undefined && PAGES.get(target)?.anchors.has(anchor) !== true
        })
        .map((link) => `${path}: ${link}`),
    )
    expect(broken).toEqual([])
  })
})

describe('curl', () => {
  const running: Running[] = []
  let ports: { chain: string; chains: string }

  beforeAll(async () => {
    const start = async (...flags: string[]) => {
      const process = startCli(...flags, '--port', '0')
      running.push(process)
      const [, port] = await process.printed(/^Listening on 127\.0\.0\.1:(\d+)$/m)
      return port!
    }
    ports = { chain: await start('--rhythm', 'manual'), chains: await start('serve', '--rhythm', 'manual') }
  })
  afterAll(() => {
    for (const process of running) process.kill('SIGKILL')
  })

  it('is answered as it is shown, one after the other', async () => {
    const lines = blocksIn('sh').flatMap(({ place, text }) =>
      commandsIn(text)
        .filter((command) => command.startsWith('curl '))
        .map((command) => ({ place, command })),
    )
    expect(lines.length).toBeGreaterThan(0)
    for (const { place, command } of lines) {
      const port = command.includes('/c') ? ports.chains : ports.chain
      const line = command
        .replace('127.0.0.1:8545', `127.0.0.1:${port}`)
        .replace('curl', 'curl -sS --fail-with-body')
      const { stdout } = await promisify(execFile)('bash', ['-c', line])
      if (stdout !== '') expect(JSON.parse(stdout), `${place}: ${command}`).not.toHaveProperty('error')
    }
  })
})

describe('what is printed', () => {
  it('looks as it is shown', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'preseal-'))
    const fixture = join(folder, 'shop.ts')
    await writeFile(
      fixture,
      `import { Shop } from '${join(ROOT, 'fixtures/contracts/Shop.ts')}'
      export default async (devnet) => {
        devnet.abis.add({ Shop })
        const { address } = await devnet.deploy(Shop, { args: [3n] })
        return { address }
      }`,
    )
    const process = startCli('--port', '0', '--rhythm', 'instant', '--trace', '--fixture', fixture)
    const [, to] = await process.printed(/^ {2}address +(0x\w+)$/m)
    const [, port] = await process.printed(/^Listening on 127\.0\.0\.1:(\d+)$/m)
    const data = encodeFunctionData({ abi: Shop.abi, functionName: 'buy', args: [5n, 'for a friend'] })
    const order = { from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', to, data, gas: '0x186a0' }
    await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [order] }),
    })
    try {
      expect(PRINTED.length).toBeGreaterThan(0)
      for (const { text } of PRINTED) {
        const lines = text
          .trimEnd()
          .split('\n')
          .map((line) =>
            escaped(line)
              .replaceAll(/0x[0-9a-f]*…/g, '0x[0-9a-f]{64}')
              .replace(':8545/', `:${port}/`),
          )
        await process.printed(new RegExp(lines.join('\n')))
      }
    } finally {
      process.kill('SIGKILL')
      await rm(folder, { recursive: true })
    }
  })
})

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function placeOf({ place }: Block): string {
  return place
}

function complaints(commands: Iterable<readonly [place: string, commands: readonly string[]]>): string[] {
  return [...commands].flatMap(([place, shown]) =>
    shown.flatMap((command) => {
      const complaint = complaintAbout(command)
      return complaint === undefined ? [] : [`${place}: ${command}: ${complaint}`]
    }),
  )
}

/** The texts of examples that tests or scripts run: they are tests, or such a one names them. */
function filesThatRun(): string[] {
  const all = ['test', 'scripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(ROOT, folder, name))
      .filter((name) => /\.m?[jt]s$/.test(name)),
  )
  const texts = new Map(all.map((name) => [name, readFileSync(name, 'utf8')]))
  const isTest = (name: string) => name.endsWith('.test.ts')
  const isNamed = (name: string) =>
    [...texts].some(([other, text]) => other !== name && text.includes(basename(name)))
  return all
    .filter((name) => name.startsWith(join(ROOT, 'test/examples')) && (isTest(name) || isNamed(name)))
    .map((name) => texts.get(name)!)
}

/** Whether a block is whole lines of a file, perhaps further to the right there. */
function stands(block: string, file: string): boolean {
  return ['', '  ', '    '].some((margin) =>
    `\n${file}`.includes(`\n${block.replaceAll(/^(?=.)/gm, margin)}`),
  )
}

/** What is wrong with JSON that is shown: a fault, a fixture, or a message of JSON-RPC. */
function jsonComplaint(text: string): string | undefined {
  try {
    const json = JSON.parse(text)
    if (json.jsonrpc === '2.0')
      return METHODS.has(json.method) ? undefined : `there is no method ${json.method}`
    if (Array.isArray(json)) for (const fault of json) parseFault(1)(fault, 'fault')
    else if (typeof json.kind === 'string') parseFault(1)(json, 'fault')
    else parseJsonFixture(json)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
