/** The output folder of a project's compiler, by its configuration. */
import { describe, expect, it } from 'vitest'
import { configurationsIn, diskHere, outOfToml } from '../../../src/solidity/artifacts/project.ts'
import { written } from '../../support/compilers/artifacts.ts'
import { temporaryFolder } from '../../support/processes/files.ts'

describe('foundry.toml', () => {
  it.each<[toml: string, environment: Record<string, string>, out: string]>([
    ['', {}, 'out'],
    ['[profile.default]\nsrc = "src"', {}, 'out'],
    ['[profile.default]\nout = "build"', {}, 'build'],
    ["[profile.default]\n  out='build/out' # where it is written", {}, 'build/out'],
    ['[profile.default]\r\nout = "build"\r\n', {}, 'build'],
    ['[profile.default]\nout = "build"\n[profile.ci]\nout = "ci"', {}, 'build'],
    ['[profile.default]\nout = "build"\n[profile.ci]\nout = "ci"', { FOUNDRY_PROFILE: 'ci' }, 'ci'],
    ['[profile.default]\nout = "build"\n[profile.ci]\nsrc = "x"', { FOUNDRY_PROFILE: 'ci' }, 'build'],
    ['[profile.default]\nout = "build"', { FOUNDRY_OUT: 'elsewhere' }, 'elsewhere'],
    ['[profile.default]\n# out = "build"\n[fmt]\nout = "no"', {}, 'out'],
    ['[[profile.default.extra]]\nout = "no"', {}, 'out'],
    ['[profile]\ndefault.out = "build"', {}, 'build'],
  ])('%j with %j writes to %s', (toml, environment, out) => {
    expect(outOfToml(toml, environment)).toBe(out)
  })
})

describe('hardhat.config', () => {
  it.each([
    ['export default {}', 'artifacts'],
    ["export default { paths: { sources: './src', artifacts: './build/artifacts' } }", 'build/artifacts'],
    ['module.exports = { "paths": { "artifacts": "build" } }', 'build'],
    ["export default { paths: { /* artifacts: 'no', */ cache: 'c' } }", 'artifacts'],
    ["// paths: { artifacts: 'no' }\nexport default {}", 'artifacts'],
    // Known only by executing the file.
    ["export default { paths: { artifacts: join(root, 'build') } }", 'artifacts'],
    ['export default { paths: { artifacts: folder() } }', 'artifacts'],
  ])('%j writes to %s', async (text, artifacts) => {
    const path = await temporaryFolder()
    await written(path('hardhat.config.ts'), text)
    expect(configurationsIn(diskHere()!, path())).toEqual([
      { file: 'hardhat.config.ts', artifacts: path(artifacts) },
    ])
  })

  it('and foundry.toml may stand beside each other', async () => {
    const path = await temporaryFolder()
    await written(path('foundry.toml'), '')
    await written(path('hardhat.config.cjs'), '')
    expect(configurationsIn(diskHere()!, path()).map(({ artifacts }) => artifacts)).toEqual([
      path('out'),
      path('artifacts'),
    ])
  })
})
