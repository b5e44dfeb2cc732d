/** What a browser has to load before it shows anything: what `main.tsx` imports by itself. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const PAGE = join(import.meta.dirname, '../../src/page')

/** The modules that `file` imports when it is loaded: neither types nor what `import()` loads later. */
function importsOf(file: string): string[] {
  if (!/\.tsx?$/.test(file)) return []
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm)].map(
    ([, module]) => module!,
  )
}

/** All that is loaded with `main.tsx`: files of the page, and packages. */
function loaded(): Set<string> {
  const found = new Set<string>()
  const visit = (file: string) => {
    if (found.has(relative(PAGE, file))) return
    found.add(relative(PAGE, file))
    for (const module of importsOf(file)) {
      if (module.startsWith('.')) visit(join(file, '..', module))
      else found.add(module)
    }
  }
  visit(join(PAGE, 'main.tsx'))
  return found
}

test('the page shows its frame before any view, and before what decodes ABIs', () => {
  const modules = [...loaded()]
  expect(modules).toContain('App.tsx')
  expect(modules.filter((name) => name.startsWith('views/')).sort()).toEqual(['views/View.tsx'])
  expect(modules.filter((name) => !/\.(tsx?|css)$/.test(name)).sort()).toEqual([
    '@preact/signals',
    'preact',
    'preact/hooks',
  ])
})
