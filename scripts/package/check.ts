/**
 * Checks the packed package with publint and attw, its size and its links. `npm run check:package`
 */
import { readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { weigh, weighFirst } from '../build/page.ts'
import { inFolder, output, type Packed, pack, ROOT } from './folders.ts'

/**
 * The largest unpacked size in bytes. The package includes dependencies: Express,
 * ws and commander (0.4 MB); and, loaded on demand, EthereumJS (0.45 MB), curves of precompiles as
 * WebAssembly (0.6 MB), the curve of signatures (0.1 MB), forks of networks (0.1 MB), and
 * Solidity: stack traces, gas, coverage, debugger (0.4 MB). The page for browsers has 0.45 MB. The page of reports includes the
 * library for browsers, and is compressed (0.6 MB), since only `preseal report` reads it. A seventh are documentation and examples.
 */
const LARGEST = 5_250_000

/** The largest size of the whole page in bytes, each file compressed. */
const LARGEST_PAGE = 150_000

/** The largest size of the files that a browser loads before it shows anything, in bytes, each compressed. */
const LARGEST_FIRST = 40_000

/** The largest size of the page of reports in bytes, compressed: each report has it beside its session. */
const LARGEST_REPORT = 600_000

/** Pages for readers of the repository. */
const FOR_CONTRIBUTORS = new Set(['CONTRIBUTING.md', 'src/README.md'])

const problems: string[] = []

await inFolder(async (folder) => {
  const packed = await pack(folder)
  const { file, unpackedSize, files } = packed
  console.log(`${files.length} files, ${unpackedSize.toLocaleString('en')} bytes unpacked`)
  const report = await weigh(join(ROOT, 'dist/page/report'))
  const pages = await weigh(join(ROOT, 'dist/page'))
  const bytes = pages.bytes - report.bytes
  const compressed = pages.compressed - report.compressed
  console.log(`the page: ${bytes.toLocaleString('en')} bytes, ${compressed.toLocaleString('en')} compressed`)
  const first = await weighFirst(join(ROOT, 'dist/page'))
  console.log(`what is loaded of it first: ${first.toLocaleString('en')} bytes compressed`)
  console.log(`the page of reports: ${report.bytes.toLocaleString('en')} bytes, which is compressed`)
  if (report.bytes > LARGEST_REPORT) {
    problems.push(`the page of reports has more than ${LARGEST_REPORT.toLocaleString('en')} bytes`)
  }
  if (!files.includes('dist/page/index.html')) problems.push('it has no page (dist/page/index.html)')
  if (compressed > LARGEST_PAGE) {
    problems.push(`the page has more than ${LARGEST_PAGE.toLocaleString('en')} bytes compressed`)
  }
  if (first > LARGEST_FIRST) {
    problems.push(`the page loads more than ${LARGEST_FIRST.toLocaleString('en')} bytes compressed at first`)
  }
  if (unpackedSize > LARGEST) problems.push(`it has more than ${LARGEST.toLocaleString('en')} bytes unpacked`)
  problems.push(...(await brokenLinks(packed)))

  const lint = await output(ROOT, ['npx', '--no', 'publint', file])
  if (!lint.includes('All good!')) problems.push(lint)

  // ESM alone, so that a process has one copy of each class: `require` of it works from Node 20.19 on, which attw
  // does not know. `node10` is the resolution of TypeScript before packages had `exports`.
  await output(ROOT, ['npx', '--no', 'attw', file, '--profile', 'esm-only', '--no-color']).catch((error) => {
    problems.push(error.message)
  })
})

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

/** Links of its pages to missing files. */
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

/** Whether the package has such a file or folder. */
function has(files: readonly string[], target: string): boolean {
  const path = target.replace(/\/$/, '')
  return path === '.' || files.some((file) => file === path || file.startsWith(`${path}/`))
}
