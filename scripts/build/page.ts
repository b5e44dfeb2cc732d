import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { build } from 'vite'

/** Builds the page of the repository `root` into `folder`. Returns its source files. */
export async function makePage(root: string, folder: string): Promise<string[]> {
  const before = process.env.NODE_ENV
  // Otherwise Vite builds for development, or for a test, if the environment names one.
  process.env.NODE_ENV = 'production'
  try {
    const built = await build({
      configFile: join(root, 'src/page/vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: folder },
    })
    const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
    return outputs.flatMap((output) => (output.type === 'chunk' ? output.moduleIds : []))
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}

export async function weigh(folder: string): Promise<{ bytes: number; compressed: number }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => sizesOf(join(parentPath, name))),
  )
  const sum = (which: 0 | 1) => sizes.reduce((total, size) => total + size[which], 0)
  return { bytes: sum(0), compressed: sum(1) }
}

/** Returns the total bytes, compressed, of the document in `folder` and the files that it names. */
export async function weighFirst(folder: string): Promise<number> {
  const document = join(folder, 'index.html')
  const named = [...(await readFile(document, 'utf8')).matchAll(/(?:src|href)="(\/[^"]+)"/g)]
  const files = [document, ...named.map(([, path]) => join(folder, path!))]
  const sizes = await Promise.all(files.map(sizesOf))
  return sizes.reduce((total, [, compressed]) => total + compressed, 0)
}

async function sizesOf(file: string): Promise<readonly [bytes: number, compressed: number]> {
  const content = await readFile(file)
  return [content.length, (await promisify(gzip)(content)).length]
}
