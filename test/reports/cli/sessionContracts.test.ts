/** Which contracts `preseal report` puts into a report: those of a project that the recorded session has. */
import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, it, vi } from 'vitest'
import { createDevnet, type DevnetOptions } from '../../../src/index.ts'
import { contractsOfSession } from '../../../src/reports/cli/reportFile.ts'
import { Artifacts } from '../../../src/solidity/artifacts/artifacts.ts'
import { toolProject } from '../../support/compilers/toolProjects.ts'
import { temporaryFolder } from '../../support/processes/files.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Records a session in which the library of a project is deployed. Returns a function that looks for contracts from a working folder. */
async function recorded() {
  const project = await toolProject('hardhat2')
  const elsewhere = await temporaryFolder()
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project())
  const devnet = await createDevnet({ rhythm: 'manual' })
  const recording = await devnet.record()
  await devnet.deploy('Sum')
  await devnet.close()
  const file = elsewhere('session.preseal')
  await writeFile(file, recording.text)
  const contractsIn = async (folder: string, artifacts?: DevnetOptions['artifacts'], hasAbis = false) => {
    cwd.mockReturnValue(folder)
    const printed: string[] = []
    const warned: string[] = []
    const manner = { format: 'text', print: (line: string) => printed.push(line) } as const
    const contracts = await contractsOfSession(file, { artifacts, hasAbis }, manner, (text) =>
      warned.push(text),
    )
    return { contracts, printed, warned }
  }
  return { project, elsewhere, file, contractsIn }
}

it('those of the project in the working folder, which is named, and no other of its contracts', async () => {
  const { project, contractsIn } = await recorded()
  const { contracts, printed, warned } = await contractsIn(project())
  expect(contracts).toMatchObject({ contracts: 1, sources: 1, leftOut: [] })
  expect(printed).toContain('reads artifacts in artifacts (hardhat.config.js)')
  expect(warned).toEqual([])
  const text = gunzipSync(contracts!.gzip).toString()
  expect(text).toContain('library Sum')
  expect(text).not.toContain('contract Vault')
})

it('those of artifacts that are looked for once, however many contracts there are', async () => {
  const { project, contractsIn } = await recorded()
  const load = vi.spyOn(Artifacts.prototype, 'load')
  expect((await contractsIn(project())).contracts).toMatchObject({ contracts: 1 })
  expect(load).toHaveBeenCalledOnce()
})

it('those whose ABIs were added to the recorded devnet, as a fixture does, without any artifacts', async () => {
  const { elsewhere, contractsIn } = await recorded()
  const { contracts } = await contractsIn(elsewhere(), undefined, true)
  expect(contracts).toMatchObject({ contracts: 0, sources: 0 })
  expect(JSON.parse(gunzipSync(contracts!.gzip).toString()).abis).toMatchObject([{ name: 'Sum' }])
})

it('those of artifacts that were given, from wherever', async () => {
  const { project, elsewhere, contractsIn } = await recorded()
  expect((await contractsIn(elsewhere())).contracts).toBeUndefined()
  const given = await contractsIn(elsewhere(), project('artifacts'))
  expect(given.contracts).toMatchObject({ contracts: 1, sources: 1 })
  expect(given.printed).toEqual([])
})

it('none of a recording that cannot be played, which is said', async () => {
  const { project, file, contractsIn } = await recorded()
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"rhythm":"manual"', '"rhythm":"never"'))
  const { contracts, warned } = await contractsIn(project())
  expect(contracts).toBeUndefined()
  expect(warned).toEqual([expect.stringMatching(/^contracts have no names in the report: .* line 1: /)])
})
