/**
 * Records the artifacts of a small project by each tool into `fixtures/artifacts`, a file for each tool: `npm run record:artifacts`.
 * `test/solidity/artifacts/formats.test.ts` reads them without the tools.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { PROJECTS } from './artifacts/projects.ts'
import { foundryVersion } from './foundry.ts'
import { begin, emptyFolder, output, ROOT } from './package/folders.ts'

const FOLDER = join(ROOT, 'fixtures/artifacts')
const wanted = process.argv.slice(2)

mkdirSync(FOLDER, { recursive: true })
for (const [name, project] of Object.entries(PROJECTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  await using home = await emptyFolder()
  const folder = home.path
  if (project.packages.length > 0) await begin(folder, ['--force', '--ignore-scripts', ...project.packages])
  for (const [path, text] of Object.entries(project.files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  if (name === 'hardhat3') {
    const file = join(folder, 'package.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), type: 'module' }))
  }
  for (const command of project.commands) await output(folder, command)
  const files: Record<string, string> = {}
  for (const written of [...project.written, 'node_modules/lib-sum']) {
    for (const entry of readdirSync(join(folder, written), { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name)
      if (entry.isFile()) files[relative(folder, file)] = readFileSync(file, 'utf8')
    }
  }
  for (const path of Object.keys(project.files)) {
    if (/^(contracts|foundry|hardhat)/.test(path)) files[path] = project.files[path]!
  }
  const tool = project.packages[0] ?? `forge ${foundryVersion('forge')}`
  const text = JSON.stringify({ tool, files: Object.fromEntries(Object.entries(files).sort()) }, undefined, 1)
  // The place of the compilation is useless elsewhere.
  writeFileSync(
    join(FOLDER, `${name}.json`),
    `${text.replaceAll(folder, '/project').replaceAll(ROOT, '/preseal/')}\n`,
  )
  console.log(`${name}: ${tool}, ${Object.keys(files).length} files, ${text.length} bytes`)
}
