/** What the conformance script reads from the command line and from the folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { conformance } from '../../scripts/conformance/index.ts'
import { readSuite } from '../../scripts/conformance/suite.ts'
import { createDevnet } from '../../src/index.ts'

const HASH = `0x${'11'.repeat(32)}`
const heads = { headBlockHash: HASH, safeBlockHash: HASH, finalizedBlockHash: HASH }
const io = '>> {"id":1}\n<< {"id":1}\n'

const FOLDER: Readonly<Record<string, string>> = {
  'chain.rlp': '',
  'genesis.json': '{"config":{}}',
  'headfcu.json': JSON.stringify({ params: [heads, null] }),
  'eth_call/call-contract.io': io,
  'eth_call/call.io': io,
  'eth_callMany/call.io': io,
  'eth_call/README.md': 'no file to play',
}

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** The exit code and what was printed. */
async function run(...args: string[]): Promise<{ code: number; printed: string }> {
  const printed: string[] = []
  const code = await conformance(args, (text) => printed.push(text))
  return { code, printed: printed.join('\n') }
}

describe('a folder', () => {
  const named = (only: string[]) => readSuite(folderOf(FOLDER), only).files.map(({ name }) => name)

  it('has a chain, heads and files, in the order that hive plays them in', () => {
    const { genesis, chain, heads, files } = readSuite(folderOf(FOLDER))
    expect(genesis).toEqual({ config: {} })
    expect(chain).toHaveLength(0)
    expect(heads).toEqual({ latest: HASH, safe: HASH, finalized: HASH })
    expect(files.map(({ name }) => name)).toEqual([
      'eth_call/call-contract',
      'eth_call/call',
      'eth_callMany/call',
    ])
  })

  it('is played in part where methods or files are named', () => {
    expect(named(['eth_call'])).toEqual(['eth_call/call-contract', 'eth_call/call'])
    expect(named(['eth_call/call.io', 'eth_callMany'])).toEqual(['eth_call/call', 'eth_callMany/call'])
  })
})

describe('the command line', () => {
  it.each<[string, string[], RegExp]>([
    ['no folder', [], /expected one folder, got none\nusage: /],
    ['two folders', ['a', 'b'], /expected one folder, got a b/],
    ['an unknown dialect', ['a', '--dialect', 'reth'], /expected dialect geth or base, got reth/],
    ['an unknown flag', ['a', '--fast'], /Unknown option '--fast'/],
  ])('is refused with %s', async (_, args, message) => {
    const { code, printed } = await run(...args)
    expect(code).toBe(2)
    expect(printed).toMatch(message)
  })

  it.each(['chain.rlp', 'genesis.json', 'headfcu.json'])(
    'is refused with a folder without %s',
    async (file) => {
      const { [file]: _, ...rest } = FOLDER
      const { code, printed } = await run(folderOf(rest))
      expect(code).toBe(2)
      expect(printed).toMatch(`has no ${file}`)
    },
  )

  it.each<[string, Record<string, string>, RegExp]>([
    ['a genesis that is no JSON', { 'genesis.json': '{' }, /genesis\.json: expected a JSON object, got \{/],
    ['no heads', { 'headfcu.json': '{}' }, /headfcu\.json: expected headBlockHash/],
    ['a file that cannot be read', { 'eth_call/x.io': 'hello' }, /eth_call\/x\.io:1: expected/],
  ])('is refused with a folder with %s', async (_, files, message) => {
    const { code, printed } = await run(folderOf({ ...FOLDER, ...files }))
    expect(code).toBe(2)
    expect(printed).toMatch(message)
  })

  it('is refused where it names what the folder has not', async () => {
    const { code, printed } = await run(folderOf(FOLDER), '--only', 'eth_none')
    expect(code).toBe(2)
    expect(printed).toContain('expected files eth_none in ')
  })
})

describe('the whole', () => {
  const genesis = {
    config: { chainId: 7, homesteadBlock: 0 },
    difficulty: '0x1',
    gasLimit: '0x1c9c380',
    alloc: {},
  }
  const asks = (result: string) =>
    `>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId"}\n<< {"jsonrpc":"2.0","id":1,"result":"${result}"}`

  /** A folder whose chain is its genesis alone; `files` replace or join those it has. */
  async function genesisFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
    await using devnet = await createDevnet({ genesis, rhythm: 'manual' })
    const block = await devnet.request({ method: 'eth_getBlockByNumber', params: ['0x0', false] })
    const { hash } = block as { hash: string }
    const params = [{ headBlockHash: hash, safeBlockHash: hash, finalizedBlockHash: hash }, null]
    return folderOf({
      'chain.rlp': '',
      'genesis.json': JSON.stringify(genesis),
      'headfcu.json': JSON.stringify({ params }),
      'eth_chainId/get.io': asks('0x7'),
      ...files,
    })
  }

  it('passes where all files do', async () => {
    const { code, printed } = await run(await genesisFolder())
    expect(printed).toContain('1 of 1 files pass in dialect geth')
    expect(code).toBe(0)
  })

  it('fails where one file does', async () => {
    const folder = await genesisFolder({ 'eth_chainId/other.io': asks('0x8') })
    const { code, printed } = await run(folder, '--dialect', 'base')
    expect(printed).toContain('eth_chainId/other.io:1\n  $.result: expected "0x8", got "0x7"\n')
    expect(printed).toContain('1 of 2 files pass in dialect base; 1 fail')
    expect(code).toBe(1)
  })

  it.each<[string, Record<string, string>, RegExp]>([
    ['ends elsewhere', { 'headfcu.json': FOLDER['headfcu.json']! }, /expected latest to be block 0x1111/],
    ['cannot be imported', { 'chain.rlp': 'x' }, /import: /],
    ['cannot begin', { 'genesis.json': '{}' }, /genesis/],
  ])('fails where the chain %s', async (_, files, message) => {
    const { code, printed } = await run(await genesisFolder(files))
    expect(printed).toMatch(message)
    expect(code).toBe(1)
  })
})
