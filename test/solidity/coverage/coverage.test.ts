/** Coverage from hits, for one small contract; `project.test.ts` covers all of Solidity. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { collectHits, reportHits } from '../../../src/engine/hits.ts'
import type { Devnet } from '../../../src/index.ts'
import type { Compilation } from '../../../src/solidity/artifacts/compilation.ts'
import { CollectedCode, readHits, writtenHits } from '../../../src/solidity/coverage/codeHits.ts'
import { coverageOf } from '../../../src/solidity/coverage/coverage.ts'
import { started } from '../../support/clients/clients.ts'
import { findIn } from '../../support/compilers/coverageProject.ts'
import { compiled, contractOf } from '../../support/compilers/solidity.ts'

const SOURCE = `// Größe: bytes are not characters.
contract Gate {
  uint256 public immutable limit;

  constructor(uint256 most) {
    limit = most;
  }

  function pass(uint256 value) external view returns (bool) {
    require(value < limit, unicode"zu groß");
    if (value == 0) return false;
    return true;
  }
}
`

const uint = { name: 'value', type: 'uint256' } as const
const ABI = [
  { type: 'constructor', inputs: [uint], stateMutability: 'nonpayable' },
  { type: 'function', name: 'pass', inputs: [uint], outputs: [{ type: 'bool' }], stateMutability: 'view' },
] as const

let compilation: Compilation
beforeAll(() => {
  compilation = compiled({
    'src/Gate.sol': SOURCE,
    'lib/Other.sol': 'contract Other { function f() external {} }',
  })
})

afterEach(() => collectHits(undefined))

const given = () => ({ compilations: [compilation], find: findIn(compilation), counts: () => true })

const deployed = (devnet: Devnet, limit: bigint) =>
  devnet.deploy(
    { abi: ABI, bytecode: `0x${contractOf(compilation, 'Gate').output.evm!.bytecode!.object}` },
    { args: [limit] },
  )

async function collecting(use: (devnet: Devnet) => Promise<unknown>): Promise<CollectedCode> {
  const collected = new CollectedCode()
  collectHits(collected)
  await use(await started({ rhythm: 'manual' }))
  reportHits()
  return collected
}

describe('coverage', () => {
  it('counts what reads, reverts and constructors ran, once each', async () => {
    const collected = await collecting(async (devnet) => {
      const gate = await deployed(devnet, 5n)
      const other = await deployed(devnet, 9n)
      for (const value of [1n, 2n]) await devnet.read({ ...gate, functionName: 'pass', args: [value] })
      await devnet.read({ ...other, functionName: 'pass', args: [8n] })
      await expect(devnet.read({ ...gate, functionName: 'pass', args: [5n] })).rejects.toThrow('zu groß')
    })
    const { statementMap, s, f, fnMap, b, branchMap } = coverageOf(collected.hits(), given())['src/Gate.sol']!
    const lines = Object.entries(statementMap).map(([key, { start }]) => [start.line, start.column, s[key]])
    expect(lines).toEqual([
      [6, 4, 2],
      [10, 4, 4],
      [11, 8, 3],
      [11, 20, 0],
      [12, 4, 3],
    ])
    expect(Object.values(fnMap).map(({ name, line }, i) => [name, line, f[i]])).toEqual([
      ['Gate.constructor', 5, 2],
      ['Gate.pass', 9, 4],
    ])
    expect(Object.values(branchMap).map(({ type, line }, i) => [type, line, b[i]])).toEqual([
      ['require', 10, [1, 3]],
      ['if', 11, [0, 3]],
    ])
  })

  it('leaves out the sources that do not count', () => {
    const coverage = coverageOf([], { ...given(), counts: (path) => !path.startsWith('lib/') })
    expect(Object.keys(coverage)).toEqual(['src/Gate.sol'])
  })

  it('has no branches for empty clauses of try and switch, but for clauses with empty blocks', () => {
    const own = compiled({
      'Empty.sol': `contract Empty {
  function clauses(Empty e) external { try e.clauses(e) {} catch {} }
  function blocks(Empty e) external { try e.blocks(e) { {} } catch { {} } }
  function cases(uint256 i) external pure { assembly { switch i case 0 { {} } default {} } }
}`,
    })
    const { branchMap } = coverageOf([], { ...given(), compilations: [own] })['Empty.sol']!
    const branches = Object.values(branchMap).map(({ type, line, locations }) => [
      type,
      line,
      locations.length,
    ])
    expect(branches).toEqual([
      ['try', 3, 2],
      ['switch', 4, 1],
    ])
  })

  it('keeps one code of creations with different arguments', async () => {
    const collected = await collecting(async (devnet) => {
      await deployed(devnet, 1n)
      await deployed(devnet, 2n ** 200n)
    })
    expect(collected.hits().filter(({ isCreation }) => isCreation)).toHaveLength(1)
  })

  it('is the same from hits that several processes wrote', async () => {
    const passing = (value: bigint) =>
      collecting(async (devnet) => {
        const gate = await deployed(devnet, 5n)
        await devnet.read({ ...gate, functionName: 'pass', args: [value] })
      })
    const processes = [await passing(0n), await passing(1n)].map((collected) => collected.hits())
    const codes = new Map(processes.flat().map(({ key, code }) => [key, code]))
    const written = processes.map((hits) => JSON.parse(JSON.stringify(writtenHits(hits))))
    const coverage = coverageOf(
      readHits(written, (key) => codes.get(key)),
      given(),
    )
    expect(Object.values(coverage['src/Gate.sol']!.s)).toEqual([2, 2, 2, 1, 1])
  })
})
