/** The API reference: for each published entry a page of its declarations with their doc comments. */
import { join, relative } from 'node:path'
import { type Declaration, declarationsFor } from '../build/declarations.ts'
import { makeTypes } from '../build/types.ts'
import type { Generated } from '../generated.ts'
import { emptyFolder, ROOT } from '../package/folders.ts'

const ENTRIES: Readonly<Record<string, string>> = {
  preseal: 'src/index.ts',
  'preseal/testing': 'src/testing/index.ts',
  'preseal/vitest': 'src/testing/vitest/index.ts',
  'preseal/playwright': 'src/testing/playwright/index.ts',
}

/** Compiles the sources and returns their pages. Rejects if they have type errors. */
export async function apiReference(): Promise<readonly Generated[]> {
  await using types = await emptyFolder()
  await makeTypes(ROOT, types.path, Object.values(ENTRIES))
  const files = Object.entries(ENTRIES).map(([entry, source]) => {
    const declarations = relative('src', source).replace(/\.ts$/, '.d.ts')
    return [entry, join(types.path, declarations)] as const
  })
  return await apiPages(files)
}

const MADE = '<!-- Made by `npm run docs` from the published types: changes made here are lost. -->'

/** An index of all exports, and the page of each entry: its exports, and the types that these mention. */
export async function apiPages(
  entries: readonly (readonly [entry: string, declarations: string])[],
): Promise<readonly Generated[]> {
  const index = ['# API reference', MADE, 'The exports of each entry of the package.']
  const pages: Generated[] = []
  for (const [entry, declarations] of entries) {
    const { exports, mentioned } = await declarationsFor(declarations)
    const file = `${entry.replace('/', '-')}.md`
    const links = exports.map(({ name }) => `[\`${name}\`](${file}#${name.toLowerCase()})`)
    index.push(`## [\`${entry}\`](${file})`, links.join(', '))
    const others = mentioned.length === 0 ? [] : ['## Types that these refer to', ...mentioned.map(section)]
    pages.push(page(file, [`# \`${entry}\``, MADE, ...exports.map(section), ...others]))
  }
  return [page('README.md', index), ...pages]
}

function page(file: string, parts: readonly string[]): Generated {
  return { path: `docs/api/${file}`, text: `${parts.join('\n\n')}\n` }
}

function section({ name, text }: Declaration): string {
  return `### \`${name}\`\n\n\`\`\`ts\n${text}\n\`\`\``
}
