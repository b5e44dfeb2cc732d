/** The published types: declarations of the entries' exports, and of the types that these refer to. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { OPTIONS } from '../../src/options/options.ts'
import { shownDefault } from '../docs/options.ts'
import { emptyFolder } from '../package/folders.ts'
import { neededBy } from './declarations.ts'

const OPTIONAL = ['viem']

/** Writes the declarations of the entries in `root`, such as `src/index.ts`, to the folder `dist`. Rejects if they have type errors. */
export async function makeTypes(root: string, dist: string, entries: readonly string[]): Promise<void> {
  await using folder = await emptyFolder()
  const all = folder.path
  await declare(root, all)
  const declarations = entries.map((entry) => join(all, relative('src', entry).replace(/\.ts$/, '.d.ts')))
  await Promise.all(
    [...(await neededBy(declarations))].map(async ([file, text]) => {
      const path = relative(all, file)
      const complete = path === join('options', 'options.d.ts') ? withOptionMeanings(text) : text
      const target = join(dist, path)
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, `${forAnyCompiler(complete, OPTIONAL)}\n`)
    }),
  )
}

async function declare(root: string, folder: string): Promise<void> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const flags = ['-p', 'tsconfig.build.json', '--outDir', folder]
  await promisify(execFile)(process.execPath, [tsc, ...flags], { cwd: root }).catch((cause) => {
    throw new Error(cause.stdout, { cause })
  })
}

/**
 * The declarations of `src/options/options.ts` with a doc comment before each option: its meaning and its default. Their type is made
 * of the table of options, where descriptions are data.
 */
export function withOptionMeanings(text: string): string {
  return Object.entries(OPTIONS).reduce((declared, [name, schema]) => {
    const line = `\n    readonly ${name}: `
    if (!declared.includes(line)) throw new Error(`optionMeanings.ts does not find the option ${name}`)
    const fallback = shownDefault(schema)
    const meaning = `${v.getDescription(schema)}${fallback === '' ? '' : ` (default: ${fallback})`}`
    return declared.replace(line, () => `\n    /** ${meaning} */${line}`)
  }, text)
}

/** The types of `await using`, which are not in TypeScript's library of ES2022. */
const DISPOSABLE = /\b(?:Async)?Disposable\b|\bSymbol\.(?:asyncD|d)ispose\b/

/**
 * Makes declarations readable for every program, with `skipLibCheck` or without: also for an older JavaScript, and without the packages
 * `optional`, whose types are then `any`.
 */
export function forAnyCompiler(text: string, optional: readonly string[]): string {
  const lines = text.split('\n').map((line) => {
    const [, name] = /^import .* from ["']([^"'/]+)/.exec(line) ?? []
    const mayBeMissing = name !== undefined && optional.includes(name)
    return mayBeMissing ? `// @ts-ignore: this package is optional\n${line}` : line
  })
  const library = DISPOSABLE.test(text) ? ['/// <reference lib="esnext.disposable" />'] : []
  return [...library, ...lines].join('\n')
}
