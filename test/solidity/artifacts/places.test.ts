/** Each form of artifacts is recognized in each place where artifacts can be given. */
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../../../src/bytes/hex.ts'
import { commandOf } from '../../../src/cli/command.ts'
import { parseFlags } from '../../../src/cli/invocation.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../../src/index.ts'
import { measureCoverage } from '../../../src/measuring/coverage.ts'
import { measureGas } from '../../../src/measuring/gas.ts'
import { writeCoverage } from '../../../src/measuring/reporters/coverage/coverageReport.ts'
import { readConfig } from '../../../src/options/configFile.ts'
import { reportArguments } from '../../../src/reports/cli/feature.ts'
import { contractsOfSession } from '../../../src/reports/cli/reportFile.ts'
import { defineFixture } from '../../../src/testing/index.ts'
import { written } from '../../support/compilers/artifacts.ts'
import { compiled, contractOf } from '../../support/compilers/solidity.ts'
import { type ToolProject, toolProject } from '../../support/compilers/toolProjects.ts'
import { temporaryFolder } from '../../support/processes/files.ts'

/** Artifacts in one form, and a contract that they describe. */
interface Form {
  readonly artifacts: NonNullable<DevnetOptions['artifacts']>
  /** The values of `--artifacts`; `undefined` if the form is a value of JavaScript. */
  readonly flags: readonly string[] | undefined
  readonly contract: { readonly name: string; readonly code: Hex }
}

const GATE = compiled({
  'contracts/Gate.sol':
    'contract Gate { function pass(uint256 a) external pure returns (bool) { return a < 5; } }',
})
const gate = {
  name: 'Gate',
  code: `0x${contractOf(GATE, 'Gate').output.evm!.bytecode!.object}`,
} as const
const RUN = { input: GATE.input, output: GATE.output, solcVersion: GATE.solcVersion }

async function ofTool(tool: ToolProject, ...place: string[]): Promise<Form> {
  const path = await toolProject(tool)
  const folder = tool === 'hardhat2' ? 'artifacts' : 'out'
  const file = (await readdir(path(folder), { recursive: true })).find((name) => name.endsWith('Sum.json'))
  const { bytecode } = JSON.parse(await readFile(path(folder, file!), 'utf8'))
  const artifacts = path(...place)
  return { artifacts, flags: [artifacts], contract: { name: 'Sum', code: bytecode.object ?? bytecode } }
}

/** Writes the JSON of solc, or build info with it, into a new folder. */
async function ofSolc(
  files: Readonly<Record<string, object>>,
  given: (path: (...names: string[]) => string) => Pick<Form, 'artifacts' | 'flags'>,
): Promise<Form> {
  const path = await temporaryFolder()
  for (const [name, json] of Object.entries(files)) await written(path(name), JSON.stringify(json))
  return { ...given(path), contract: gate }
}

const PAIR = { 'input.json': GATE.input, 'output.json': GATE.output }

const FORMS: Readonly<Record<string, () => Promise<Form>>> = {
  "a folder of Foundry's": () => ofTool('foundryWithBuildInfo', 'out'),
  "a folder of Hardhat's": () => ofTool('hardhat2', 'artifacts'),
  'a folder with a configuration of Foundry': () => ofTool('foundryWithBuildInfo'),
  'several folders': async () => {
    const { artifacts, contract } = await ofTool('foundryWithBuildInfo', 'out')
    const other = await ofTool('hardhat2', 'artifacts')
    const both = [other.artifacts as string, artifacts as string]
    return { artifacts: both, flags: both, contract }
  },
  'a file of build info': () =>
    ofSolc({ 'info.json': { id: '1', ...RUN } }, (path) => ({
      artifacts: path('info.json'),
      flags: [path('info.json')],
    })),
  'a folder with input and output of solc': () =>
    ofSolc(PAIR, (path) => ({ artifacts: path(), flags: [path()] })),
  'the output of solc beside its input': () =>
    ofSolc(PAIR, (path) => ({ artifacts: path('output.json'), flags: [path('output.json')] })),
  'files of input and output of solc': () =>
    ofSolc({ 'a.json': GATE.input, 'b.json': GATE.output }, (path) => ({
      artifacts: { input: path('a.json'), output: path('b.json') },
      flags: [`${path('a.json')},${path('b.json')}`],
    })),
  'values of input and output of solc': async () => ({ artifacts: RUN, flags: undefined, contract: gate }),
}

/** The name under which the devnet's client knows the contract that it deploys. */
async function nameIn(devnet: Devnet, { contract: { name, code } }: Form): Promise<string | undefined> {
  const { address } = await devnet.deploy({ abi: [], bytecode: code })
  const known = await devnet.request({ method: 'preseal_getContract', params: [address] })
  return (known as { name: string } | null)?.name ?? `nothing is known of ${name}`
}

const quiet = { format: 'silent', print: () => {} } as const

const PLACES: Readonly<Record<string, (form: Form) => Promise<string | undefined>>> = {
  createDevnet: async (form) => {
    await using devnet = await createDevnet({ rhythm: 'instant', artifacts: form.artifacts })
    return await nameIn(devnet, form)
  },
  'a fixture': async (form) => {
    const fixture = defineFixture(async (devnet) => {
      for (const one of [form.artifacts].flat()) devnet.artifacts.add(one)
      return {}
    })
    const { devnet } = await fixture.use({ rhythm: 'instant' })
    await using _ = devnet
    return await nameIn(devnet, form)
  },
  'a configuration file': async (form) => {
    const path = await temporaryFolder()
    await written(path('preseal.config.ts'), '')
    const { options } = await readConfig(path('preseal.config.ts'), async () => ({
      artifacts: form.artifacts,
    }))
    await using devnet = await createDevnet({ ...options, rhythm: 'instant' })
    return await nameIn(devnet, form)
  },
  '--artifacts': async (form) => {
    if (form.flags === undefined) return form.contract.name
    const { options } = parseFlags(['node', 'preseal', ...form.flags.flatMap((one) => ['--artifacts', one])])
    await using devnet = await createDevnet({ ...options, rhythm: 'instant' })
    return await nameIn(devnet, form)
  },
  'preseal report --artifacts': async (form) => {
    const path = await temporaryFolder()
    const recorded = await createDevnet({ rhythm: 'instant' })
    const recording = await recorded.record()
    await recorded.deploy({ abi: [], bytecode: form.contract.code })
    await written(path('session.preseal'), recording.text)
    await recorded.close()
    const flags = (form.flags ?? []).flatMap((one) => ['--artifacts', one])
    const { artifacts } = reportArguments(commandOf(['node', 'preseal', 'report', 'a', ...flags]), undefined)
    const given = form.flags === undefined ? form.artifacts : artifacts
    const found = await contractsOfSession(
      path('session.preseal'),
      { artifacts: given, hasAbis: false },
      quiet,
      (text) => {
        throw new Error(text)
      },
    )
    return found?.contracts === 1 ? form.contract.name : undefined
  },
  'the coverage reporters': (form) => coveredBy([], form.artifacts, form),
  'devnets that coverage is measured of': async (form) => {
    const path = await temporaryFolder()
    const measured = measureCoverage(path())
    await using _devnet = await createDevnet({ rhythm: 'instant', artifacts: form.artifacts })
    const result = JSON.parse(JSON.stringify(measured.result()))
    measured.end()
    return await coveredBy([result], undefined, form)
  },
  'devnets that gas is measured of': async (form) => {
    const measured = measureGas()
    await using devnet = await createDevnet({ rhythm: 'instant', artifacts: form.artifacts })
    await devnet.deploy({ abi: [], bytecode: form.contract.code })
    await measured.load()
    const [figures] = measured.result()
    measured.end()
    return figures?.name
  },
}

/** The name of the contract if the report of coverage has its source file. */
async function coveredBy(
  runs: Parameters<typeof writeCoverage>[0],
  artifacts: DevnetOptions['artifacts'],
  { contract: { name } }: Form,
): Promise<string | undefined> {
  const path = await temporaryFolder()
  const failures = await writeCoverage(
    runs,
    path(),
    {
      artifacts,
      include: ['**', `${relative(process.cwd(), tmpdir())}/**`],
      exclude: [],
      reporter: ['json'],
      reportsDirectory: path('coverage'),
    },
    () => {},
  )
  expect(failures).toEqual([])
  const files = Object.keys(JSON.parse(await readFile(path('coverage/coverage-final.json'), 'utf8')))
  return files.some((file) => file.endsWith(`${name}.sol`)) ? name : undefined
}

for (const [place, nameOf] of Object.entries(PLACES)) {
  describe(place, () => {
    it.each(Object.keys(FORMS))('recognizes %s', async (form) => {
      const given = await FORMS[form]!()
      expect(await nameOf(given)).toBe(given.contract.name)
    })
  })
}
