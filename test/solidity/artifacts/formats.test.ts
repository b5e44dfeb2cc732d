/** Artifacts of forge 1.7, Hardhat 2 and Hardhat 3: contracts, sources, and source ranges of instructions. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fromHex, type Hex } from '../../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../../src/index.ts'
import type { CompiledContract } from '../../../src/solidity/artifacts/compilation.ts'
import { type ToolProject, toolProject } from '../../support/compilers/toolProjects.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Each tool with its artifact folder and its names of the two sources. */
const TOOLS = [
  ['foundry', 'out', 'src/Vault.sol', 'node_modules/lib-sum/Sum.sol'],
  ['foundryTwice', 'out', 'src/Vault.sol', 'node_modules/lib-sum/Sum.sol'],
  ['foundryWithBuildInfo', 'out', 'src/Vault.sol', 'node_modules/lib-sum/Sum.sol'],
  ['foundryWithTrees', 'out', 'src/Vault.sol', 'node_modules/lib-sum/Sum.sol'],
  ['hardhat2', 'artifacts', 'contracts/Vault.sol', 'lib-sum/Sum.sol'],
  ['hardhat3', 'artifacts', 'project/contracts/Vault.sol', 'npm/lib-sum@1.0.0/Sum.sol'],
] as const satisfies readonly (readonly [ToolProject, string, string, string])[]

/** A devnet with the project's folder as the working folder. */
async function inProject(
  tool: ToolProject,
  artifacts?: string,
  change?: (files: Record<string, string>) => void,
) {
  const path = await toolProject(tool, change)
  vi.spyOn(process, 'cwd').mockReturnValue(path())
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const devnet = await createDevnet({ rhythm: 'manual', ...(artifacts && { artifacts: path(artifacts) }) })
  return { devnet, path, warn }
}

/** A contract's code from the artifact, with immutables and libraries set. */
async function deployed(devnet: Devnet, name: string): Promise<Uint8Array> {
  const libraries =
    name === 'Vault' || name === 'Maker' ? { libraries: { Sum: (await devnet.deploy('Sum')).address } } : {}
  const args = name === 'Vault' ? { args: [7n] } : {}
  const { address } = await devnet.deploy(name, { ...libraries, ...args })
  return fromHex((await devnet.request({ method: 'eth_getCode', params: [address, 'latest'] })) as Hex)
}

async function found(devnet: Devnet, code: Uint8Array, isCreation = false): Promise<CompiledContract> {
  await devnet.artifacts.load()
  const match = devnet.artifacts.find(code, isCreation)
  if (match?.kind !== 'contract') throw new Error(`expected a contract, got ${JSON.stringify(match)}`)
  return match.contract
}

/** The source text of a contract's first instruction. */
function firstText({ compilation, output }: CompiledContract): string {
  const [start, length, file] = output.evm!.deployedBytecode!.sourceMap!.split(';')[0]!.split(':').map(Number)
  const [name] = Object.entries(compilation.output.sources!).find(([, { id }]) => id === file)!
  return compilation.input.sources[name]!.content!.slice(start!, start! + length!)
}

describe.each(TOOLS)('artifacts of %s', (tool, folder, source, library) => {
  it('tell which contract code is, with its source file', async () => {
    const { devnet, warn } = await inProject(tool, folder)
    const paths = { Vault: source, Maker: source, Sum: library }
    for (const [name, sourceName] of Object.entries(paths)) {
      expect(await found(devnet, await deployed(devnet, name))).toMatchObject({ name, sourceName })
    }
    expect(warn).not.toHaveBeenCalled()
  })

  it('have the compiler’s version and settings, the text of each source, and where instructions come from', async () => {
    const { devnet } = await inProject(tool, folder)
    const vault = await found(devnet, await deployed(devnet, 'Vault'))
    expect(vault.compilation.solcVersion).toBe('0.8.37')
    expect(vault.compilation.input.settings).toMatchObject(
      tool === 'hardhat3' ? {} : { optimizer: { enabled: false, runs: 200 } },
    )
    expect(vault.compilation.input.sources[source]!.content).toMatch(/^\/\/ SPDX[\s\S]*contract Vault/)
    expect(vault.compilation.input.sources[library]!.content).toMatch(/^\/\/ SPDX[\s\S]*library Sum/)
    expect(firstText(vault)).toMatch(/^contract Vault \{[\s\S]*\}$/)
    expect(firstText(await found(devnet, await deployed(devnet, 'Maker')))).toMatch(/^contract Maker/)
    expect(firstText(await found(devnet, await deployed(devnet, 'Sum')))).toMatch(/^library Sum/)
    expect(vault.output.evm!.methodIdentifiers).toMatchObject({ 'put(uint256)': expect.any(String) })
  })

  it('name source files by their paths from the working folder', async () => {
    const { devnet } = await inProject(tool, folder)
    const { compilation } = await found(devnet, await deployed(devnet, 'Vault'))
    const file = source.replace('project/', '')
    expect(compilation.pathOf(source)).toBe(file)
    expect(compilation.pathOf(library)).toBe('node_modules/lib-sum/Sum.sol')
    expect(compilation.pathOf('gone/Gone.sol')).toBe('gone/Gone.sol')
  })

  it('of another folder name their source files by paths that lead there', async () => {
    const { path } = await inProject(tool)
    vi.spyOn(process, 'cwd').mockReturnValue(path('packages'))
    const devnet = await createDevnet({ rhythm: 'manual', artifacts: path(folder) })
    const { compilation } = await found(devnet, await deployed(devnet, 'Vault'))
    expect(compilation.pathOf(source)).toBe(`../${source.replace('project/', '')}`)
  })

  it('are found by the project’s configuration', async () => {
    const { devnet } = await inProject(tool)
    expect(await found(devnet, await deployed(devnet, 'Vault'))).toMatchObject({ name: 'Vault' })
  })

  it('are found below the folder of a project', async () => {
    const { devnet, path } = await inProject(tool, '.')
    vi.spyOn(process, 'cwd').mockReturnValue(path('packages'))
    const tooMuch = `0xe0f0d3cc${'0'.repeat(63)}9` as const
    expect(await devnet.abis.decodeError(tooMuch)).toMatchObject({ text: 'TooMuch(asked: 9)' })
  })
})
