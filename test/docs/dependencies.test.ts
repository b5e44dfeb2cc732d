/** Each package that reaches users is named, with its reason, in CONTRIBUTING.md; and nothing is named that does not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { INSIDE } from '../../scripts/build/dist.ts'
import { EVERYWHERE, ROOMS } from '../support/rooms.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** What sources may import: of devDependencies too, for `dist` contains what is used of these. */
const IMPORTED = new Set([
  ...EVERYWHERE,
  ...Object.values(ROOMS).flatMap(({ packages, folders = {} }) => [
    ...packages,
    ...Object.values(folders).flat(),
  ]),
])

/** What Vite puts into the page. */
const IN_PAGE = ROOMS.page!.packages.filter((name) => name !== 'vite')

/** Whether `dist` contains what is used of a package. */
const isInside = (name: string) => INSIDE.test(name) || IN_PAGE.includes(name)

/** As the table says it: what a package is to users. */
function kindOf(name: string, group: string): string {
  if (group === 'peerDependencies') return 'peer, optional'
  if (group === 'optionalDependencies') return 'optional'
  if (group === 'devDependencies') return 'inside'
  return isInside(name) ? 'inside, installed for its types' : ''
}

it('is a table of all packages, whether dist contains them, and what each is for', () => {
  const manifest = JSON.parse(read('package.json'))
  const groups = ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies']
  const expected = groups.flatMap((group) =>
    Object.keys(manifest[group] ?? {})
      .filter((name) => group !== 'devDependencies' || (isInside(name) && IMPORTED.has(name)))
      .map((name) => [name, kindOf(name, group)]),
  )
  const [, section] = /^## What reaches users$(.*)/ms.exec(read('CONTRIBUTING.md'))!
  const rows = [...section!.matchAll(/^\| `([^`]+)` \|([^|]*)\| (.+) \|$/gm)]
  expect(rows.map(([, name, kind]) => [name, kind!.trim()]).sort()).toEqual(expected.sort())
})

it('has no required peer: whoever wants neither vitest nor viem installs neither', () => {
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(read('package.json'))
  for (const name of Object.keys(peerDependencies)) expect(peerDependenciesMeta[name].optional).toBe(true)
})
