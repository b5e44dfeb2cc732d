/**
 * Checks the packed package with publint and attw, its size and its links. `npm run check:package`
 */
import { readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { weigh, weighFirst } from '../build/page.ts'
import { emptyFolder, output, type Packed, pack, ROOT } from './folders.ts'

const LARGEST = {
  /**
   * Unpacked, with the dependencies in the bundle: Express, ws and commander 0.4 MB, EthereumJS 0.45 MB, curves as WebAssembly 0.7 MB,
   * Solidity's tools 0.4 MB, forks 0.1 MB, contracts of an L1 0.05 MB; the page 0.45 MB, that of reports 0.6 MB. A seventh are documentation and examples.
   */
  package: 5_880_000,
  /** The whole page, each file compressed. */
  page: 150_000,
  /** The files that a browser loads before it shows anything, each compressed. */
  first: 40_000,
  /** The page of reports, compressed: each report has it beside its session. */
  report: 612_000,
}

/** Pages for readers of the repository. */
const FOR_CONTRIBUTORS = new Set([
  'CONTRIBUTING.md',
  'src/README.md',
  'src/page/README.md',
  'src/solidity/README.md',
])

const problems: string[] = []

await using folder = await emptyFolder()
const packed = await pack(folder.path)
const { file, unpackedSize, files } = packed
console.log(`${files.length} files, ${shown(unpackedSize)} bytes unpacked`)
const report = await weigh(join(ROOT, 'dist/page/report'))
const pages = await weigh(join(ROOT, 'dist/page'))
const page = pages.compressed - report.compressed
const first = await weighFirst(join(ROOT, 'dist/page'))
const sizes = { package: unpackedSize, page, first, report: report.bytes }
console.log(`the page: ${shown(pages.bytes - report.bytes)} bytes, ${shown(page)} compressed`)
console.log(`what is loaded of it first: ${shown(first)} bytes compressed`)
console.log(`the page of reports: ${shown(report.bytes)} bytes, which is compressed`)
for (const [part, most] of Object.entries(LARGEST) as [keyof typeof LARGEST, number][]) {
  if (sizes[part] > most) problems.push(`${part}: at most ${shown(most)} bytes, got ${shown(sizes[part])}`)
}
if (!files.includes('dist/page/index.html')) problems.push('it has no page (dist/page/index.html)')
problems.push(...(await brokenLinks(packed)))

const lint = await output(ROOT, ['npx', '--no', 'publint', file])
if (!lint.includes('All good!')) problems.push(lint)

// ESM alone, so that a process has one copy of each class: `require` of it works from Node 20.19 on, which attw
// does not know. `node10` is the resolution of TypeScript before packages had `exports`.
await output(ROOT, ['npx', '--no', 'attw', file, '--profile', 'esm-only', '--no-color']).catch((error) => {
  problems.push(error.message)
})

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

function shown(bytes: number): string {
  return bytes.toLocaleString('en')
}

async function brokenLinks({ files }: Packed): Promise<string[]> {
  const pages = files.filter((file) => file.endsWith('.md') && !FOR_CONTRIBUTORS.has(file))
  const broken = await Promise.all(
    pages.map(async (page) => {
      const text = await readFile(join(ROOT, page), 'utf8')
      const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) => target!)
      const missing = targets.filter((target) => !has(files, posix.join(dirname(page), target)))
      return missing.map((target) => `${page} links to ${target}, which is not in the package`)
    }),
  )
  return broken.flat()
}

function has(files: readonly string[], target: string): boolean {
  const path = target.replace(/\/$/, '')
  return path === '.' || files.some((file) => file === path || file.startsWith(`${path}/`))
}
