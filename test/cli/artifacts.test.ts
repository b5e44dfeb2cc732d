/** `preseal` in the folder of a project: it says whose artifacts it reads, and notices a recompile. */
import { mkdir, readFile, rename } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askAt } from '../support/clients/askAt.ts'
import { written } from '../support/compilers/artifacts.ts'
import { type ToolProject, toolProject } from '../support/compilers/toolProjects.ts'
import { temporaryFolder } from '../support/processes/files.ts'
import { type Running, startCliIn } from '../support/processes/process.ts'

function start(folder: string, ...flags: string[]): Running {
  const process = startCliIn(folder, '--port', '0', '--rhythm', 'instant', ...flags)
  onTestFinished(() => process.kill('SIGKILL'))
  return process
}

async function urlOf(preseal: Running): Promise<string> {
  const [, url] = await preseal.printed(/^Listening on (\S+)$/m)
  return `http://${url}`
}

/** Sends a transaction that creates a contract, and ends when it is included. */
async function create(url: string, data: string): Promise<void> {
  const [from] = await askAt<string[]>(url, 'eth_accounts')
  await askAt(url, 'eth_sendTransaction', { from, data, gas: '0x200000' })
}

/** Solidity's own code of the library in the project. */
async function sumOf(path: (...names: string[]) => string): Promise<string> {
  return JSON.parse(await readFile(path('out/Sum.sol/Sum.json'), 'utf8')).bytecode.object
}

describe('preseal in a folder with', () => {
  it.each<[ToolProject, string]>([
    ['foundry', 'reads artifacts in out (foundry.toml)'],
    ['hardhat2', 'reads artifacts in artifacts (hardhat.config.js)'],
    ['hardhat3', 'reads artifacts in artifacts (hardhat.config.ts)'],
  ])('a project of %s says whose artifacts it reads', async (tool, line) => {
    const path = await toolProject(tool)
    const preseal = start(path())
    await urlOf(preseal)
    expect(preseal.stdout.split('\n')).toContain(line)
  })

  it('nothing says nothing of artifacts', async () => {
    const path = await temporaryFolder()
    const preseal = start(path())
    await urlOf(preseal)
    expect(preseal.stdout).not.toContain('artifacts')
  })

  it('--artifacts names contracts by a folder that is elsewhere', async () => {
    const path = await toolProject('foundry')
    const preseal = start((await temporaryFolder())(), '--artifacts', path('out'))
    await create(await urlOf(preseal), await sumOf(path))
    await preseal.printed(/ → new Sum 0x/)
    expect(preseal.stdout).not.toMatch(/^reads artifacts/m)
  })

  it.each([
    ['none', 'an existing folder or file at '],
    ['.', 'JSON files of Foundry, Hardhat or solc in '],
    ['other.json', 'build info or artifacts of Foundry or Hardhat (abi and bytecode), or '],
    ['input.json', 'build info or artifacts of Foundry or Hardhat (abi and bytecode), or '],
    ['other.json,none.json', 'an existing folder or file at '],
  ])('--artifacts %s is refused where it leads to no contract', async (given, expected) => {
    const path = await temporaryFolder()
    if (given !== '.') {
      await written(path('other.json'), '{"name":"other"}')
      await written(path('input.json'), '{"language":"Solidity","sources":{"A.sol":{"content":""}}}')
    }
    const { code, stderr } = await start(path(), '--artifacts', given).ended
    expect(code).toBe(2)
    expect(stderr).toContain(`preseal: --artifacts: expected ${expected}`)
  })

  it('a project that is compiled later knows its contracts from then on', async () => {
    const path = await toolProject('foundry')
    await rename(path('out'), path('later'))
    const preseal = start(path(), '--json')
    const [line] = await preseal.printed(/^\{"event":"listening".*\}$/m)
    expect(preseal.stdout).toContain(
      '{"event":"artifacts","folder":"out","file":"foundry.toml","isThere":false}',
    )
    const { url } = JSON.parse(line)
    await mkdir(path('out'))
    await rename(path('later/Sum.sol'), path('out/Sum.sol'))
    const code = await sumOf(path)
    await create(url, code)
    await preseal.printed(/"contract":"Sum"/)
    // The compiler writes it again, under another name.
    const text = JSON.stringify({ abi: [], contractName: 'Total', bytecode: code, deployedBytecode: '0x00' })
    await written(path('out/Sum.sol/Sum.json'), text)
    await create(url, code)
    await preseal.printed(/"contract":"Total"/)
  })
})
