/** Contracts that are deployed by their names, out of folders as Foundry and Hardhat write them. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Devnet } from '../../src/index.ts'
import { ask, started } from '../support/clients/clients.ts'
import { foundryText, hardhatText, written } from '../support/compilers/artifacts.ts'
import { temporaryFolder } from '../support/processes/files.ts'

const GOLD = { args: ['Gold', 'GOLD'] } as const
const TOKEN = foundryText('src/Token.sol', 'Token', Token)

afterEach(() => {
  vi.restoreAllMocks()
})

/** Returns a devnet, and what gives paths in a folder that is the working folder meanwhile. */
async function inFolder(files: Readonly<Record<string, string>>, options: { artifacts?: string[] } = {}) {
  const path = await temporaryFolder()
  for (const [file, text] of Object.entries(files)) await written(path(file), text)
  vi.spyOn(process, 'cwd').mockReturnValue(path())
  const { artifacts = [] } = options
  const devnet = await started({
    rhythm: 'manual',
    ...(artifacts.length > 0 && { artifacts: artifacts.map((name) => path(name)) }),
  })
  return { devnet, path }
}

async function refusal(devnet: Devnet, name: string, options: object = {}): Promise<string> {
  const error = await devnet.deploy(name, options).catch((error) => error)
  expect(error).toBeInstanceOf(Error)
  return error.message
}

describe('a contract by its name', () => {
  it.each([
    ['Foundry', { 'out/Token.sol/Token.json': TOKEN }],
    [
      'Hardhat',
      {
        'artifacts/contracts/Token.sol/Token.json': hardhatText('contracts/Token.sol', 'Token', Token),
        'artifacts/contracts/Token.sol/Token.dbg.json': '{}',
        'artifacts/build-info/Token.json': '{}',
      },
    ],
  ])('is found where %s writes it', async (_, files) => {
    const { devnet } = await inFolder(files)
    const token = await devnet.deploy('Token', GOLD)
    expect(await ask(devnet, 'eth_getCode', token.address)).toBe(Token.deployedBytecode)
    expect(token.receipt.contractAddress).toBe(token.address)
    expect([...devnet.abis].map(({ name }) => name)).toEqual(['Token'])
  })

  it('can be spread into write and read', async () => {
    const { devnet } = await inFolder({ 'out/Token.sol/Token.json': TOKEN })
    const token = await devnet.deploy('Token', GOLD)
    const owner = devnet.accounts[0]!.address
    await devnet.write({ ...token, functionName: 'mint', args: [owner, 5n] })
    expect(await devnet.read({ ...token, functionName: 'balanceOf', args: [owner] })).toBe(5n)
  })

  it('is found in the folders of the option, and in no other', async () => {
    const files = { 'build/a/Token.sol/Token.json': TOKEN, 'out/Emitter.sol/Emitter.json': '{}' }
    const { devnet, path } = await inFolder(files, { artifacts: ['build/a'] })
    await devnet.deploy('Token', GOLD)
    expect(await refusal(devnet.fork(), 'Emitter')).toBe(
      `deploy: there is no contract Emitter in ${path('build/a')}; there are Token`,
    )
  })

  it('is that of the source file that is named, by its whole path or the end of it', async () => {
    const { devnet } = await inFolder({
      'out/Token.sol/Token.json': TOKEN,
      'out/other/Token.sol/Token.json': foundryText('src/other/Token.sol', 'Token', Emitter),
    })
    for (const name of ['src/other/Token.sol:Token', 'other/Token.sol:Token']) {
      const { address } = await devnet.deploy(name)
      expect(await ask(devnet, 'eth_getCode', address)).toBe(Emitter.deployedBytecode)
    }
    const { address } = await devnet.deploy('src/Token.sol:Token', GOLD)
    expect(await ask(devnet, 'eth_getCode', address)).toBe(Token.deployedBytecode)
  })

  it('is what was compiled last', async () => {
    const { devnet, path } = await inFolder({ 'out/Token.sol/Token.json': TOKEN })
    await devnet.deploy('Token', GOLD)
    await written(path('out/Token.sol/Token.json'), foundryText('src/Token.sol', 'Token', Emitter))
    const { address } = await devnet.deploy('Token')
    expect(await ask(devnet, 'eth_getCode', address)).toBe(Emitter.deployedBytecode)
  })
})

describe('a name is refused', () => {
  it('that means several contracts, which are named with their files', async () => {
    const { devnet, path } = await inFolder({
      'out/Token.sol/Token.json': TOKEN,
      'artifacts/contracts/Token.sol/Token.json': hardhatText('contracts/Token.sol', 'Token', Emitter),
    })
    expect(await refusal(devnet, 'Token', GOLD)).toBe(
      `deploy: 2 contracts are named Token: src/Token.sol:Token (${path('out/Token.sol/Token.json')}), ` +
        `contracts/Token.sol:Token (${path('artifacts/contracts/Token.sol/Token.json')}); ` +
        'name the source file too, or set the option artifacts to one folder',
    )
  })

  it('that no contract has, with the nearest that one has and the folders that were searched', async () => {
    const { devnet, path } = await inFolder({ 'out/Token.sol/Token.json': TOKEN })
    expect(await refusal(devnet, 'Tokn')).toBe(
      `deploy: there is no contract Tokn in ${path('out')}; did you mean Token?`,
    )
    expect(await refusal(devnet, 'src/Coin.sol:Token')).toBe(
      `deploy: there is no contract src/Coin.sol:Token in ${path('out')}; there is src/Token.sol:Token`,
    )
  })

  it('where there is no folder', async () => {
    const { devnet, path } = await inFolder({})
    expect(await refusal(devnet, 'Token')).toBe(
      `deploy: Token: there is no folder ${path('out')} and no folder ${path('artifacts')}; ` +
        'compile first (forge build, npx hardhat compile), or set the option artifacts',
    )
    await expect(inFolder({ 'out/Token.sol/Token.json': TOKEN }, { artifacts: ['oud'] })).rejects.toThrow(
      /^option artifacts: expected an existing folder or file at .*oud \(compile first\), got ".*oud"$/,
    )
  })

  it.each([
    ['cut off', TOKEN.slice(0, -20), 'it is not JSON, or was cut off'],
    ['of something else', '{"name":"Token"}', 'it has no abi'],
    ['without code', '{"abi":[]}', 'it has no bytecode'],
    ['that is null', 'null', 'it has no abi'],
  ])('whose only file is one %s, which is said', async (_, text, reason) => {
    const { devnet, path } = await inFolder({ 'out/Token.sol/Token.json': text })
    expect(await refusal(devnet, 'Token')).toBe(
      `deploy: there is no contract Token in ${path('out')}; there are Token; ${path('out/Token.sol/Token.json')} was skipped: ${reason}`,
    )
  })

  it('of an interface, which has no code', async () => {
    const text = foundryText('src/IToken.sol', 'IToken', { abi: Token.abi, bytecode: '0x' })
    const { devnet } = await inFolder({ 'out/IToken.sol/IToken.json': text })
    expect(await refusal(devnet, 'IToken')).toBe(
      'deploy: expected a contract that has code, got IToken, which has none, as interfaces and abstract contracts',
    )
  })

  it.each(['', 'Token.sol', '../out/Token.json', 'src/Token.sol:'])('that is none: "%s"', async (name) => {
    const { devnet } = await inFolder({ 'out/Token.sol/Token.json': TOKEN })
    expect(await refusal(devnet, name)).toBe(
      `deploy: expected the name of a contract, such as Token or src/Token.sol:Token, got "${name}"`,
    )
  })
})

describe('libraries', () => {
  // PUSH20 <library>, stored and answered as the contract's code: 20 bytes are copied to memory and returned.
  const HOLE = `__$${'ab'.repeat(17)}$__`
  const bytecode = `0x73${HOLE}5f526014600cf3`
  const references = { 'src/Math.sol': { Math: [{ start: 1, length: 20 }] } }
  const library = '0x00000000000000000000000000000000000000aa'
  const source = { abi: [], bytecode }
  const text = foundryText('src/Adder.sol', 'Adder', source, references)

  it.each([
    ['Foundry has', { 'out/Adder.sol/Adder.json': text }, 'Math'],
    ['Foundry has, by its source file', { 'out/Adder.sol/Adder.json': text }, 'src/Math.sol:Math'],
    [
      'Hardhat has',
      { 'artifacts/Adder.sol/Adder.json': hardhatText('Adder.sol', 'Adder', source, references) },
      'Math',
    ],
  ])('are linked where %s them', async (_, files, name) => {
    const { devnet } = await inFolder(files)
    const { address } = await devnet.deploy('Adder', { libraries: { [name]: library } })
    expect(await ask(devnet, 'eth_getCode', address)).toBe(library)
  })

  it('are linked in an artifact that is given', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const artifacts = [
      { abi: [], bytecode, linkReferences: references },
      { abi: [], bytecode: { object: bytecode, linkReferences: references } },
      { abi: [], evm: { bytecode: { object: bytecode.slice(2), linkReferences: references } } },
    ]
    for (const artifact of artifacts) {
      const { address } = await devnet.deploy(artifact, { libraries: { Math: library } })
      expect(await ask(devnet, 'eth_getCode', address)).toBe(library)
    }
  })

  it.each([
    [
      {},
      'deploy: these libraries are not linked: src/Math.sol:Math; deploy each, and pass libraries: { Math: address }',
    ],
    [
      { libraries: { Maths: library } },
      'deploy: libraries: expected src/Math.sol:Math, got Maths; did you mean Math?',
    ],
    [{ libraries: { Math: 5 } }, 'deploy: libraries.Math: expected an address (0x and 40 hex digits), got 5'],
  ])('must be those of the contract: %o', async (options, message) => {
    const { devnet } = await inFolder({ 'out/Adder.sol/Adder.json': text })
    expect(await refusal(devnet, 'Adder', options)).toBe(message)
  })

  it('are refused where the code refers to none', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const deployed = devnet.deploy(Token, { ...GOLD, libraries: { Math: library } })
    await expect(deployed).rejects.toThrow(
      'deploy: libraries: expected none: the code refers to no library, got Math',
    )
  })

  it('of the same name are told apart by their source files', async () => {
    const both = { 'a/Math.sol': references['src/Math.sol'], 'b/Math.sol': references['src/Math.sol'] }
    const devnet = await started({ rhythm: 'manual' })
    const deployed = devnet.deploy(
      { abi: [], bytecode: { object: bytecode, linkReferences: both } },
      { libraries: { Math: library } },
    )
    await expect(deployed).rejects.toThrow(
      'deploy: libraries: Math names 2 libraries; expected a/Math.sol:Math or b/Math.sol:Math',
    )
  })
})
