/** Makes the HTML file of a report: the page, with the recorded session and a devnet that plays it. */
import { type Recording, recordingOfNow } from '../recording/record.ts'
import { contractsOf, type ReportContracts, type ReportedDevnet } from './reportContracts.ts'

// `node:crypto` is not imported: the main entry point reaches this file, and bundlers for browsers follow imports.
const { createHash } = process.getBuiltinModule('node:crypto')
const { readFile } = process.getBuiltinModule('node:fs/promises')
const { join } = process.getBuiltinModule('node:path')
const { fileURLToPath } = process.getBuiltinModule('node:url')
const { promisify } = process.getBuiltinModule('node:util')
const { gunzip, gzip } = process.getBuiltinModule('node:zlib')

/** Thrown if the built page of reports is missing in the package. */
export class ReportNotBuilt extends Error {
  override readonly name = 'ReportNotBuilt'
}

export interface ReportOptions {
  /** Contracts known to the devnet in the document. By default none. */
  readonly contracts?: Pick<ReportContracts, 'gzip'> | undefined
  /** The folder of the built page. By default, the folder in this package. */
  readonly folder?: string
}

/** Resolves to the HTML document of a recorded session. `name` is its heading. Rejects with `ReportNotBuilt`. */
export async function reportDocument(
  recording: Uint8Array,
  name: string,
  { contracts, folder = builtPage() }: ReportOptions = {},
): Promise<string> {
  const [script, style, theme, session] = await Promise.all([
    built(folder, 'report/report.js.gz'),
    built(folder, 'report/report.css.gz'),
    built(folder, 'assets/theme.js'),
    promisify(gzip)(recording, { level: 9 }),
  ])
  const title = escaped(name)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="content-security-policy" content="${policyOf([script, theme], style)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <meta name="preseal" content="read-only report" />
    <title>${title} · preseal</title>
    <script>${theme}</script>
    <link rel="icon" href="data:," />
    <style>${style}</style>
  </head>
  <body>
    <div id="page"></div>
    <noscript>This page shows the chain with JavaScript, which is switched off.</noscript>
    <script type="application/gzip" id="session" data-name="${title}" data-bytes="${recording.length}">${session.toString('base64')}</script>
    <script type="application/gzip" id="contracts">${contracts === undefined ? '' : Buffer.from(contracts.gzip).toString('base64')}</script>
    ${NO_FAILURE}
    <script type="module">${script}</script>
  </body>
</html>
`
}

/** Returns a report that begins with `failure`, which is embedded as JSON. */
export function withFailure(document: string, failure: object): string {
  const json = JSON.stringify(failure).replaceAll('<', '\\u003c')
  return document.replace(NO_FAILURE, () => NO_FAILURE.replace('><', `>${json}<`))
}

const NO_FAILURE = '<script type="application/json" id="failure"></script>'

/** Resolves to the HTML of the session up to now, with contracts known to `devnet`. Rejects with `ReportNotBuilt`. */
export async function reportOfDevnet(
  devnet: ReportedDevnet,
  recording: Pick<Recording, 'textToNow'>,
  name: string,
): Promise<string> {
  const text = recording.textToNow
  const contracts = await contractsOf(devnet)
  return reportDocument(Buffer.from(text), name, { contracts })
}

/** Resolves to the HTML of the chain as it is now, without the requests that led to it. Rejects with `ReportNotBuilt`. */
export async function reportOfChain(devnet: ReportedDevnet, name: string): Promise<string> {
  return reportOfDevnet(devnet, { textToNow: await recordingOfNow(devnet) }, name)
}

/** Returns the content security policy. It allows this document's scripts and style, and WebAssembly for the engine. */
function policyOf(scripts: readonly string[], style: string): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map(hashOf).join(' ')} 'wasm-unsafe-eval'`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Returns the folder of the page in this package. This module is in `dist/chunks` or in `src`. */
function builtPage(): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../dist/page' : '../page'
  return fileURLToPath(new URL(folder, import.meta.url))
}

async function built(folder: string, name: string): Promise<string> {
  const file = join(folder, name)
  const content = await readFile(file).catch((cause) => {
    throw new ReportNotBuilt(
      `expected ${file}: \`npm run build\` writes it in the repository of preseal, and the installed package contains it`,
      { cause },
    )
  })
  return (name.endsWith('.gz') ? await promisify(gunzip)(content) : content).toString()
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!)
}
