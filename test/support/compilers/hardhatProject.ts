/** A project as Hardhat leaves it, with a contract of `fixtures/contracts` that is compiled for the test, and its sources. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../docs/pages.ts'
import { compiled, contractOf } from './solidity.ts'

/** Returns the files of a project by their paths. */
export async function hardhatProject(name: string): Promise<Readonly<Record<string, string>>> {
  const source = await readFile(join(ROOT, `fixtures/contracts/${name}.sol`), 'utf8')
  const sourceName = `contracts/${name}.sol`
  const compilation = compiled({ [sourceName]: source })
  const { input, output, solcVersion } = compilation
  const { abi, evm } = contractOf(compilation, name).output
  const buildInfo = {
    _format: 'hh-sol-build-info-1',
    id: name,
    solcVersion,
    solcLongVersion: solcVersion,
    input,
    output,
  }
  const artifact = {
    _format: 'hh-sol-artifact-1',
    contractName: name,
    sourceName,
    abi,
    bytecode: `0x${evm!.bytecode!.object}`,
    deployedBytecode: `0x${evm!.deployedBytecode!.object}`,
    linkReferences: {},
    deployedLinkReferences: {},
  }
  return {
    'hardhat.config.ts': 'export default {}',
    [sourceName]: source,
    [`artifacts/build-info/${name}.json`]: JSON.stringify(buildInfo),
    [`artifacts/${sourceName}/${name}.json`]: JSON.stringify(artifact),
  }
}
