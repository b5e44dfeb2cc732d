/** Unusable artifacts are reported once and break nothing else. */
import { appendFile, readdir, readFile, truncate, utimes, writeFile } from 'node:fs/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Reverter } from '../../../fixtures/contracts/Reverter.ts'
import { Token } from '../../../fixtures/contracts/Token.ts'
import { fromHex, type Hex } from '../../../src/bytes/hex.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../../src/index.ts'
import { written } from '../../support/compilers/artifacts.ts'
import { compiled, contractOf } from '../../support/compilers/solidity.ts'
import { toolProject } from '../../support/compilers/toolProjects.ts'
import { temporaryFolder } from '../../support/processes/files.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** A devnet and its reported problems. */
async function begun(artifacts: DevnetOptions['artifacts']): Promise<{ devnet: Devnet; said: string[] }> {
  const said: string[] = []
  vi.spyOn(console, 'warn').mockImplementation((text) => said.push(text))
  return { devnet: await createDevnet({ rhythm: 'manual', artifacts }), said }
}

/** A test that needs no artifacts: a contract, a transaction, an event, and each kind of revert. */
async function plainTest(devnet: Devnet): Promise<void> {
  const token = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
  const owner = devnet.accounts[0]!.address
  const { logs } = await devnet.write({ ...token, functionName: 'mint', args: [owner, 5n] })
  expect(logs[0]).toMatchObject({ eventName: 'Transfer' })
  await expect(devnet.write({ ...token, functionName: 'transfer', args: [owner, 9n] })).rejects.toThrow(
    /^transfer reverted: /,
  )
  const reverter = await devnet.deploy(Reverter)
  await expect(
    devnet.request({ method: 'eth_call', params: [{ to: reverter.address, data: '0x12345678' }, 'latest'] }),
  ).rejects.toThrow(/revert/)
  expect(await devnet.abis.decodeError('0x12345678')).toBe(undefined)
}

/** Plays the plain test twice. Returns the reported problems without the folder's path. */
async function saidBy(artifacts: DevnetOptions['artifacts'], folder?: string): Promise<string[]> {
  const { devnet, said } = await begun(artifacts)
  await plainTest(devnet)
  await plainTest(devnet.fork())
  return said.map((text) => (folder === undefined ? text : text.replaceAll(folder, '…')))
}

describe('a folder of artifacts', () => {
  it('that is not there is refused', async () => {
    const path = await temporaryFolder()
    await expect(begun(path('out'))).rejects.toThrow(
      `option artifacts: expected an existing folder or file at ${path('out')} (compile first), got "${path('out')}"`,
    )
    const { devnet } = await begun([])
    expect(() => devnet.artifacts.add(path('out'))).toThrow(
      `artifacts.add: expected an existing folder or file at ${path('out')} (compile first), got "${path('out')}"`,
    )
  })

  it('that has no JSON is refused', async () => {
    const path = await temporaryFolder()
    await written(path('notes.txt'), 'Not JSON.')
    await written(path('node_modules/a/package.json'), '{}')
    await expect(begun(path())).rejects.toThrow(
      `option artifacts: expected JSON files of Foundry, Hardhat or solc in ${path()} (compile first), got "${path()}"`,
    )
  })

  it('that has only other JSON is said', async () => {
    const path = await temporaryFolder()
    await written(path('solc.json'), '{"language":"Solidity","sources":{}}')
    expect(await saidBy(path(), path())).toEqual([
      "preseal: artifacts: …: no contract was found; expected build info or artifacts of Foundry or Hardhat, or solc's standard JSON",
    ])
  })

  it('that may not be read is said', async () => {
    const path = await temporaryFolder()
    await written(path('out/A.json'), '{}')
    const { promises } = process.getBuiltinModule('node:fs')
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' })
    vi.spyOn(promises, 'readdir').mockRejectedValue(denied)
    expect(await saidBy(path('out'), path())).toEqual([
      'preseal: artifacts: …/out was skipped: it cannot be read',
    ])
  })

  it('is used without the files that may not be read', async () => {
    const path = await toolProject('hardhat2')
    const { promises } = process.getBuiltinModule('node:fs')
    const { readFile } = promises
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' })
    vi.spyOn(promises, 'readFile').mockImplementation(async (file, ...rest) => {
      if (String(file).includes('build-info')) throw denied
      return readFile(file, ...rest) as never
    })
    const [said, ...others] = await saidBy(path('artifacts'), path())
    expect(said).toMatch(
      /^preseal: artifacts: …\/artifacts\/build-info\/\w+\.json was skipped: it cannot be read \(EACCES\)$/,
    )
    expect(others).toEqual([])
  })

  it.each([
    [
      'foreign JSON',
      '{"name":"x","version":"1"}',
      'it is neither build info nor an artifact nor JSON of solc',
    ],
    ['an array', '[1, 2, 3]', 'it is neither build info nor an artifact nor JSON of solc'],
    ['cut off', '{"id":"1","input":{"sources":{"A.sol":{"content":"contr', 'it is not JSON, or was cut off'],
    ['empty', '', 'it is not JSON, or was cut off'],
    ['no JSON', 'pragma solidity ^0.8.0;', 'it is not JSON, or was cut off'],
  ])('with build info that is %s is used without it, which is said once', async (_, text, reason) => {
    const path = await toolProject('hardhat2')
    await written(path('artifacts/build-info/bad.json'), text)
    const { devnet, said } = await begun(path('artifacts'))
    await plainTest(devnet)
    await plainTest(devnet)
    expect(said).toEqual([
      `preseal: artifacts: ${path('artifacts/build-info/bad.json')} was skipped: ${reason}`,
    ])
    expect((await devnet.artifacts.contracts()).map(({ name }) => name).sort()).toEqual([
      'Maker',
      'Sum',
      'Vault',
    ])
  })

  it.each([
    ['members of other types', { input: 5, output: 'x' }],
    ['contracts that are lists', { input: { sources: [] }, output: { contracts: [], sources: 7 } }],
    [
      'contracts that are nothing',
      { input: {}, output: { contracts: { 'A.sol': null, 'B.sol': { B: null } } } },
    ],
    [
      'references of another form',
      {
        input: { language: 'Solidity' },
        output: {
          contracts: {
            'A.sol': {
              A: {
                abi: [null, 3, { no: 'type' }, { type: 'error', name: 'E', inputs: 5 }],
                evm: {
                  bytecode: { object: '6000', linkReferences: { a: 5, b: { c: [{ start: 'x' }] } } },
                  deployedBytecode: {
                    object: '60xx',
                    immutableReferences: { 1: [{ start: 9, length: 99 }] },
                  },
                },
              },
            },
          },
        },
      },
    ],
  ])('with build info that has %s breaks nothing', async (_, json) => {
    const path = await temporaryFolder()
    await written(path('build-info/a.json'), JSON.stringify(json))
    const said = await saidBy(path(), path())
    expect(said.filter((text) => !text.includes('no contract was found'))).toEqual([])
  })

  it('that is being written is read again when the compiler is done', async () => {
    const path = await toolProject('hardhat2')
    const [name] = await readdir(path('artifacts/build-info'))
    const file = path('artifacts/build-info', name!)
    const whole = await readFile(file)
    await truncate(file, whole.length / 2)
    const { devnet, said } = await begun(path('artifacts'))
    await plainTest(devnet)
    expect(said).toHaveLength(1)
    expect(said[0]).toContain('it is not JSON, or was cut off')
    await writeFile(file, whole)
    await utimes(file, new Date(), new Date(Date.now() + 5_000))
    const [vault] = (await devnet.artifacts.contracts()).filter(({ name }) => name === 'Vault')
    expect(vault!.compilation.output.sources).toHaveProperty(['contracts/Vault.sol', 'ast'])
  })

  it('that is a file is read as what it is', async () => {
    const path = await temporaryFolder()
    await written(path('file.json'), '{"some":"thing"}')
    expect(await saidBy(path('file.json'), path())).toEqual([
      'preseal: artifacts: …/file.json was skipped: it is neither build info nor an artifact nor JSON of solc',
    ])
  })
})

describe('sources', () => {
  it('that are gone, or not as they were compiled, are said when they are asked for; names stay', async () => {
    const path = await toolProject('foundry')
    await appendFile(path('src/Vault.sol'), '// Changed.')
    const { devnet, said } = await begun(path('out'))
    await plainTest(devnet)
    expect(said).toEqual([])
    const [sum] = (await devnet.artifacts.contracts()).filter(({ name }) => name === 'Sum')
    const { sources } = sum!.compilation.input
    expect(sources['node_modules/lib-sum/Sum.sol']!.content).toContain('library Sum')
    expect(sources['src/Vault.sol']).toEqual({})
    expect(said).toEqual([
      'preseal: artifacts: src/Vault.sol: the file changed after it was compiled, so its lines are not shown; compile again',
    ])
    expect((await devnet.artifacts.contracts()).map(({ qualifiedName }) => qualifiedName)).toHaveLength(3)
  })
})

describe('what another compiler wrote', () => {
  const counter = compiled({ 'Counter.sol': 'contract Counter { uint256 public count; error Full(); }' })
  const run = { input: counter.input, output: counter.output }
  const code = fromHex(`0x${contractOf(counter, 'Counter').output.evm!.deployedBytecode!.object}` as Hex)

  it.each([
    ['Vyper', { ...run, input: { ...run.input, language: 'Vyper' } }, 'expected Solidity, got Vyper'],
    [
      'solc 0.4',
      { ...run, solcVersion: '0.4.26+commit.4563c3fc' },
      'expected solc 0.5.0 or newer, got 0.4.26',
    ],
  ])('is used for names and ABIs: %s', async (_, artifacts, reason) => {
    const { devnet, said } = await begun({ ...artifacts, output: structuredClone(artifacts.output) })
    await plainTest(devnet)
    expect(said).toEqual([`preseal: artifacts: only names and ABIs of Counter.sol are known: ${reason}`])
    const match = devnet.artifacts.find(code, false)
    if (match?.kind !== 'contract') throw new Error('expected a contract')
    expect(match.contract).toMatchObject({ name: 'Counter', sourceName: 'Counter.sol' })
    expect(match.contract.output.evm!.deployedBytecode).not.toHaveProperty('sourceMap')
    expect(match.contract.compilation.output.sources).toEqual({})
    expect(await devnet.abis.decodeError('0x7b38b76e')).toBe(undefined)
    expect(devnet.artifacts.merged!.abi).toHaveLength(2)
  })

  it('as an artifact of Vyper is used for names and ABIs', async () => {
    const path = await temporaryFolder()
    const { abi, evm } = contractOf(counter, 'Counter').output
    const text = JSON.stringify({
      _format: 'hh-vyper-artifact-1',
      contractName: 'Ledger',
      sourceName: 'contracts/Ledger.vy',
      abi,
      bytecode: `0x${evm!.bytecode!.object}`,
      deployedBytecode: `0x${evm!.deployedBytecode!.object}`,
    })
    await written(path('artifacts/contracts/Ledger.vy/Ledger.json'), text)
    const { devnet, said } = await begun(path('artifacts'))
    await plainTest(devnet)
    expect(devnet.artifacts.find(code, false)).toMatchObject({ contract: { name: 'Ledger' } })
    expect(said).toEqual([])
  })
})

describe('a run of solc', () => {
  it('whose files cannot be read is said', async () => {
    const path = await temporaryFolder()
    await written(path('input.json'), '{"language":"Solidity","sources":{}}')
    await written(path('half.json'), '{"contracts":{')
    await expect(begun({ input: path('input.json'), output: path('output.json') })).rejects.toThrow(
      `option artifacts: expected an existing folder or file at ${path('output.json')} (compile first), got "${path('output.json')}"`,
    )
    vi.restoreAllMocks()
    const half = await saidBy({ input: path('input.json'), output: path('half.json') }, path())
    expect(half).toEqual(['preseal: artifacts: …/half.json was skipped: it is not JSON, or was cut off'])
  })

  it('without runtime code is said, because deployed contracts are not recognized', async () => {
    const { input, output } = compiled({
      'A.sol': 'abstract contract Base {} contract A is Base {} contract B {}',
    })
    for (const contract of Object.values(output.contracts!['A.sol']!)) {
      const { bytecode } = contract.evm!
      Object.assign(contract, { evm: { bytecode } })
    }
    expect(await saidBy({ input, output })).toEqual([
      "preseal: artifacts: deployed code of A.sol:A and 1 more is not recognized: the runtime code is missing; add evm.deployedBytecode to solc's outputSelection",
    ])
  })

  it('may be one file of each, of which one is a value', async () => {
    const path = await temporaryFolder()
    const { input, output } = compiled({ 'A.sol': 'contract A { function a() external {} }' })
    await written(path('input.json'), JSON.stringify(input))
    await written(path('output.json'), JSON.stringify(output))
    for (const artifacts of [
      { input: path('input.json'), output: path('output.json') },
      { input, output: path('output.json') },
      { input: path('input.json'), output },
    ]) {
      const { devnet, said } = await begun(artifacts)
      const [a] = await devnet.artifacts.contracts()
      expect(a).toMatchObject({ name: 'A', sourceName: 'A.sol' })
      expect(a!.compilation.input.sources['A.sol']!.content).toContain('contract A')
      expect(said).toEqual([])
    }
  })
})
