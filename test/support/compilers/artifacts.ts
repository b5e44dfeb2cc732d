/** Folders as compilers write them, made of the contracts in `fixtures/contracts`. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'

/** What is known of a compiled contract. */
export interface Source {
  readonly abi: readonly unknown[]
  readonly bytecode: string
  readonly deployedBytecode?: string
}

type Link = Readonly<Record<string, Readonly<Record<string, readonly { start: number; length: number }[]>>>>

/** The text of Foundry's artifact of a contract. */
export function foundryText(
  source: string,
  name: string,
  { abi, bytecode, deployedBytecode = '0x' }: Source,
  linkReferences: Link = {},
): string {
  return JSON.stringify({
    abi,
    bytecode: { object: bytecode, sourceMap: '', linkReferences },
    deployedBytecode: { object: deployedBytecode, sourceMap: '', linkReferences: {} },
    methodIdentifiers: {},
    rawMetadata: '',
    metadata: { settings: { compilationTarget: { [source]: name } } },
    id: 0,
  })
}

/** The text of Hardhat's artifact of a contract. */
export function hardhatText(
  source: string,
  name: string,
  { abi, bytecode, deployedBytecode = '0x' }: Source,
  linkReferences: Link = {},
): string {
  return JSON.stringify({
    _format: 'hh-sol-artifact-1',
    contractName: name,
    sourceName: source,
    abi,
    bytecode,
    deployedBytecode,
    linkReferences,
    deployedLinkReferences: {},
  })
}

/** Lets the tests of a file run in a project whose contracts Foundry has compiled, as far as `process.cwd()` says. */
export function inProjectOf(contracts: Readonly<Record<string, Source>>): void {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'preseal-'))
    for (const [name, contract] of Object.entries(contracts)) {
      const text = foundryText(`contracts/${name}.sol`, name, contract)
      await written(join(folder, `out/${name}.sol/${name}.json`), text)
    }
    vi.spyOn(process, 'cwd').mockReturnValue(folder)
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await rm(folder, { recursive: true })
  })
}

/** Writes a file, and the folders above it. */
export async function written(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
