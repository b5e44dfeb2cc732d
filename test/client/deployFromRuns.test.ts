/** Contracts that are deployed by their names, out of what solc answered. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDevnet } from '../../src/index.ts'
import { compiled } from '../support/compilers/solidity.ts'

const ONE = { 'a/One.sol': 'contract One { function one() external pure returns (uint256) { return 1; } }' }

describe('a contract by its name', () => {
  it('is found in a run of solc', async () => {
    const devnet = await createDevnet({ rhythm: 'manual', artifacts: [compiled(ONE)] })
    const one = await devnet.deploy('One')
    expect(await devnet.read({ ...one, functionName: 'one' })).toBe(1n)
    await expect(devnet.deploy('Two')).rejects.toThrow(
      'deploy: there is no contract Two in the artifacts that were given; there are One',
    )
  })

  it('is not proposed by the names of the files that solc wrote', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'preseal-'))
    const { input, output } = compiled(ONE)
    writeFileSync(join(folder, 'input.json'), JSON.stringify(input))
    writeFileSync(join(folder, 'output.json'), JSON.stringify(output))
    const devnet = await createDevnet({ rhythm: 'manual', artifacts: [folder] })
    await expect(devnet.deploy('Two')).rejects.toThrow(
      `deploy: there is no contract Two in ${folder}; there are One`,
    )
    rmSync(folder, { recursive: true })
  })

  it('needs its source file where several runs of solc have one', async () => {
    const both = { ...ONE, 'b/One.sol': 'contract One { uint256 public two; }' }
    const devnet = await createDevnet({ rhythm: 'manual' })
    devnet.artifacts.add(compiled(both))
    await expect(devnet.deploy('One')).rejects.toThrow('deploy: 2 contracts are named One: a/One.sol:One')
    const { abi } = await devnet.deploy('b/One.sol:One')
    expect(abi).toMatchObject([{ name: 'two' }])
  })
})
