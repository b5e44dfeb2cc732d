/** The contracts of a report: what its devnet knows of them, from what is in the document alone, is what the recorded devnet knew. */
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'
import { replay } from '../../src/recording/replay/replay.ts'
import { contractsOf, type KnownToReport } from '../../src/reports/reportContracts.ts'
import { placed } from '../support/compilers/debugged.ts'
import { compiled, contractOf } from '../support/compilers/solidity.ts'
import { type ToolProject, toolProject } from '../support/compilers/toolProjects.ts'
import { askedOf } from '../support/nodes/networkOf.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

async function started(options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await createDevnet({ rhythm: 'manual', consoleLogs: false, ...options })
  onTestFinished(() => devnet.close())
  return devnet
}

async function knownOf(devnet: Devnet, mostBytes?: number) {
  const contracts = await contractsOf(devnet, { mostBytes })
  const known: KnownToReport =
    contracts === undefined ? { artifacts: [], abis: [] } : JSON.parse(gunzipSync(contracts.gzip).toString())
  return { ...known, told: contracts }
}

/** The names of the contracts of artifacts. */
const namesIn = ({ artifacts }: KnownToReport) =>
  artifacts.flatMap(({ output }) =>
    Object.values(output.contracts ?? {}).flatMap((named) => Object.keys(named)),
  )

type Json = Record<string, unknown>

/** What a devnet answers of an account, as the page asks it; of its sources those that the contract was compiled with. */
async function answersOf(
  devnet: Devnet,
  { address, hash }: { readonly address: string; readonly hash: string },
  ofSources: readonly string[],
): Promise<Json> {
  const ask = (method: string, ...params: unknown[]) =>
    devnet.request({ method, params } as never) as Promise<never>
  const sources = ((await ask('preseal_getSources', address)) as { path: string }[] | null) ?? []
  const texts: Json = {}
  for (const path of ofSources) texts[path] = await ask('preseal_getSource', address, path)
  const { input } = (await ask('eth_getTransactionByHash', hash)) as { input: string }
  return {
    contract: await ask('preseal_getContract', address),
    sources: sources.filter(({ path }) => ofSources.includes(path)),
    texts,
    storage: await ask('preseal_getStorage', address),
    // Foundry tells no layout without syntax trees.
    variable: await ask('preseal_getVariable', address, 'held').catch((error) => error.message),
    creation: await ask('preseal_getCreation', input),
    all: await ask('preseal_listContracts'),
  }
}

describe.each([
  ['foundry', 'src/Vault.sol', 'node_modules/lib-sum/Sum.sol'],
  ['foundryTwice', 'src/Vault.sol', 'node_modules/lib-sum/Sum.sol'],
  ['foundryWithBuildInfo', 'src/Vault.sol', 'node_modules/lib-sum/Sum.sol'],
  ['foundryWithTrees', 'src/Vault.sol', 'node_modules/lib-sum/Sum.sol'],
  ['hardhat2', 'contracts/Vault.sol', 'node_modules/lib-sum/Sum.sol'],
  ['hardhat3', 'contracts/Vault.sol', 'node_modules/lib-sum/Sum.sol'],
] as const satisfies readonly (readonly [ToolProject, string, string])[])(
  'of a project of %s',
  (tool, own, library) => {
    it('names, storage, sources, failures and steps are those of the recorded devnet', async () => {
      const path = await toolProject(tool)
      const cwd = vi.spyOn(process, 'cwd').mockReturnValue(path())
      const devnet = await started()
      const recording = await devnet.record()
      const sum = await devnet.deploy('Sum')
      const vault = await devnet.deploy('Vault', { args: [7n], libraries: { Sum: sum.address } } as never)
      const put = async (amount: bigint) => {
        const asked = { ...vault, functionName: 'put', args: [amount], gas: 200_000n, until: 'accepted' }
        const { hash } = (await devnet.write(asked as never)) as { hash: `0x${string}` }
        await devnet.mine()
        return hash
      }
      const hashes = [await put(5n), await put(9n)]
      const known = await knownOf(devnet)
      const files = [own, library]
      const seen = async (of: Devnet) => ({
        answers: await answersOf(of, vault as never, files),
        traced: await Promise.all(
          hashes.map((hash) =>
            of.request({
              method: 'debug_traceTransaction',
              params: [hash, { tracer: 'soliditySource' }],
            } as never),
          ),
        ),
        failure: await of
          .read({ ...vault, functionName: 'put', args: [9n] } as never)
          .catch((error) => error.message),
      })
      const live = await seen(devnet)
      expect(live.failure).toContain('TooMuch(asked: 9)')
      expect(namesIn(known).sort()).toEqual(['Sum', 'Vault'])
      expect(known.abis.map(({ name }) => name)).toEqual(['Vault', 'Sum'])
      expect(known.told).toMatchObject({ contracts: 2, sources: 2, leftOut: [] })
      // Nothing but the document is there.
      cwd.mockReturnValue('/')
      const options = { artifacts: [...known.artifacts] }
      const { difference } = await replay(recording.text, {
        options,
        async look(played) {
          for (const { artifact, name, address } of known.abis.toReversed())
            played.abis.add(artifact, { name, address })
          expect(await seen(played)).toEqual(live)
        },
      })
      expect(difference).toBeUndefined()
    })
  },
)

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

contract Pet {
  uint256 public age;
  constructor(uint256 first) { require(first < 10, "too old"); age = first; }
}
contract Keeper {
  Pet public pet;
  function adopt(uint256 first) external { pet = new Pet(first); }
}
contract Wolf { uint256 public teeth = 42; }
contract Bear { uint256 public winters = 3; }
`
const run = compiled({ 'src/Pets.sol': SOURCE, 'src/Base.sol': 'contract Base {}' })
const runtimeOf = (name: string) => `0x${contractOf(run, name).output.evm!.deployedBytecode!.object}`

async function withPets(options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await started(options)
  devnet.artifacts.add({ input: run.input, output: run.output })
  return devnet
}

const setCode = (devnet: Devnet, address: string, code: string) =>
  devnet.request({ method: 'anvil_setCode', params: [address, code] } as never)
const HERE = '0x00000000000000000000000000000000000000aa'

describe('the contracts of a session', () => {
  it('are those that were deployed, and what their code creates', async () => {
    const devnet = await withPets()
    expect((await knownOf(devnet)).told).toBeUndefined()
    const keeper = placed(devnet, run, 'Keeper')
    await devnet.mine()
    await keeper
    expect(namesIn(await knownOf(devnet))).toEqual(['Keeper', 'Pet'])
  })

  it('are also those whose creation failed or waits, and those whose code was set, loaded or gone again', async () => {
    const devnet = await withPets()
    const { abi, evm } = contractOf(run, 'Pet').output
    const deployed = { abi, bytecode: evm!.bytecode! }
    const failing = { args: [11n], gas: 500_000n, until: 'accepted' }
    await devnet.deploy(deployed as never, failing as never).catch(() => {})
    expect(namesIn(await knownOf(devnet))).toEqual(['Pet'])
    await devnet.mine()
    expect(namesIn(await knownOf(devnet))).toEqual(['Pet'])
    await setCode(devnet, HERE, runtimeOf('Wolf'))
    await devnet.mine()
    await setCode(devnet, HERE, runtimeOf('Bear'))
    expect(namesIn(await knownOf(devnet))).toEqual(['Bear', 'Pet', 'Wolf'])
    const other = await withPets()
    await other.load(devnet.dump())
    expect(namesIn(await knownOf(other))).toContain('Bear')
  })

  it('are in a report of a fork those of the network that the session looked at', async () => {
    const network = await started()
    await setCode(network, HERE, runtimeOf('Wolf'))
    await setCode(network, HERE.replace('aa', 'bb'), runtimeOf('Bear'))
    await network.mine()
    const devnet = await withPets({ fork: { provider: askedOf(network).provider } })
    await devnet.request({ method: 'eth_call', params: [{ to: HERE, data: '0x' }] } as never).catch(() => {})
    expect(namesIn(await knownOf(devnet))).toEqual(['Wolf'])
  })

  it('are also those that the code of what is created creates, whatever their order', async () => {
    const chain = compiled({
      'src/Chain.sol': `// SPDX-License-Identifier: MIT
        pragma solidity ^0.8.24;
        contract A { uint256 public a = 1; }
        contract B { function make() external returns (A) { return new A(); } }
        contract C { function make() external returns (B) { return new B(); } }
        contract Z { C public c = new C(); }`,
    })
    const devnet = await started()
    devnet.artifacts.add({ input: chain.input, output: chain.output })
    const top = placed(devnet, chain, 'Z')
    await devnet.mine()
    await top
    expect(namesIn(await knownOf(devnet))).toEqual(['A', 'B', 'C', 'Z'])
  })

  it('include in a recording the ABIs that were added before it and during it, each once', async () => {
    const devnet = await started()
    await setCode(devnet, HERE, runtimeOf('Wolf'))
    devnet.abis.add(['function teeth() view returns (uint256)'], { name: 'Den', address: HERE })
    const recording = await devnet.record()
    await devnet.mine()
    const { abi, evm } = contractOf(run, 'Wolf').output
    devnet.abis.add({ Wolf: { abi: abi!, deployedBytecode: evm!.deployedBytecode! } })
    await devnet.mine()
    const { abis } = await knownOf(devnet)
    recording.end()
    expect(recording.text.match(/^\{"abi":/gm)).toHaveLength(2)
    const { difference } = await replay(recording.text, {
      async look(played) {
        expect((await knownOf(played)).abis).toEqual(abis)
      },
    })
    expect(abis.map(({ name }) => name)).toEqual(['Wolf', 'Den'])
    expect(difference).toBeUndefined()
  })

  it('include added ABIs by address and by code, and those of code that is nowhere do not count', async () => {
    const devnet = await started()
    await setCode(devnet, HERE, runtimeOf('Wolf'))
    const artifact = (name: string) => {
      const { abi, evm } = contractOf(run, name).output
      return { abi: abi!, bytecode: evm!.bytecode!, deployedBytecode: evm!.deployedBytecode! }
    }
    devnet.abis.add({ Wolf: artifact('Wolf'), Bear: artifact('Bear') })
    devnet.abis.add(['event Seen(uint256 at)'])
    devnet.abis.add(['function winters() view returns (uint256)'], { name: 'Den', address: HERE })
    const { abis, told } = await knownOf(devnet)
    expect(abis.map(({ name, address }) => ({ name, address }))).toEqual([
      { name: 'Den', address: HERE },
      {},
      { name: 'Wolf' },
    ])
    expect(told).toMatchObject({ contracts: 0, sources: 0, leftOut: [] })
  })

  it('are embedded without their sources where these are too large, and fewer where they are themselves', async () => {
    const devnet = await withPets()
    for (const name of ['Wolf', 'Bear'])
      await setCode(devnet, HERE.replace('aa', name === 'Wolf' ? 'aa' : 'bb'), runtimeOf(name))
    await devnet.mine()
    const whole = await knownOf(devnet)
    expect(whole.told).toMatchObject({ contracts: 2, sources: 1, leftOut: [] })
    const size = whole.told!.gzip.length
    const few = await knownOf(devnet, size - 1_000)
    expect(few.told).toMatchObject({ contracts: 2, sources: 0, leftOut: ['the sources of Bear, Wolf'] })
    expect(few.told!.gzip.length).toBeLessThan(size - 1_000)
    expect(few.artifacts[0]!.input.sources).toEqual({ 'src/Pets.sol': {} })
    const fewest = await knownOf(devnet, 1_000)
    expect(fewest.told).toMatchObject({ contracts: 1, leftOut: ['1 of 2 contracts', 'the sources of Bear'] })
    expect((await knownOf(devnet, 10)).told).toBeUndefined()
  })
})
