/** The licenses of the packages in a bundle, which are published with it as they require. */
import { readdir, readFile } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { ROOT } from '../package/folders.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly repository?: string | { readonly url: string }
}

const HEAD = `preseal's own code is under the license in ../LICENSE. Beside it, the files here contain code of the packages below.
`

const CURVE = {
  name: 'libsecp256k1 0.5.0 (MIT), https://github.com/bitcoin-core/secp256k1',
  license: 'scripts/curve/COPYING',
}

/** Texts of licenses that are missing in the package, from its repository. */
const TEXTS: Readonly<Record<string, string>> = { 'mcl-wasm': 'scripts/build/texts/mcl.txt' }

/** One text for all packages of `files`: paths that are absolute, or relative to `root`. */
export async function licensesOf(files: readonly string[], root: string): Promise<string> {
  const paths = files.map((file) => (isAbsolute(file) ? relative(root, file) : file))
  const folders = [...new Set(paths.flatMap((file) => packageOf(file) ?? []))].sort()
  const packages = await Promise.all(folders.map((folder) => read(resolve(root, folder))))
  const sections = new Map<string, string[]>()
  for (const { manifest, text } of packages) {
    // Some packages name a license without its text: that of another package is used.
    const found =
      text ?? packages.find((other) => other.manifest.license === manifest.license && other.text)?.text
    if (found === undefined)
      throw new Error(`${manifest.name}: there is no text of its license, ${manifest.license}`)
    sections.set(found, [...(sections.get(found) ?? []), described(manifest)])
  }
  const curve = await readFile(join(root, CURVE.license), 'utf8')
  sections.set(curve, [CURVE.name])
  const texts = [...sections].map(([text, users]) => `${users.join('\n')}\n\n${text.trim()}\n`)
  return [HEAD, ...texts].join(`\n${'-'.repeat(80)}\n\n`)
}

/** The folder of the package of `file`; `undefined` for our own and virtual files. */
function packageOf(file: string): string | undefined {
  return /^(?!\w+:)(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]
}

async function read(folder: string): Promise<{ manifest: Manifest; text: string | undefined }> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
  const name = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file))
  const ours = TEXTS[manifest.name]
  const file = ours === undefined ? name && join(folder, name) : join(ROOT, ours)
  return { manifest, text: file === undefined ? undefined : await readFile(file, 'utf8') }
}

function described({ name, version, license, repository }: Manifest): string {
  const url = typeof repository === 'object' ? repository.url : repository
  return `${name} ${version} (${license}), ${url ?? `https://www.npmjs.com/package/${name}`}`
}
