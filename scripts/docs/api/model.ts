/** The exports of each published entry, read by API Extractor from the declarations that `npm run build` publishes. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { makeTypes } from '../../build/types.ts'
import { emptyFolder, ROOT } from '../../package/folders.ts'

/** A declaration or a member of one, as API Extractor's doc model has it. */
export interface Item {
  readonly kind: string
  readonly name?: string
  readonly canonicalReference: string
  readonly docComment?: string
  readonly excerptTokens: readonly { readonly text: string; readonly canonicalReference?: string }[]
  readonly members?: readonly Item[]
  readonly isOptional?: boolean
  readonly isStatic?: boolean
  readonly isReadonly?: boolean
  readonly fileUrlPath?: string
}

export interface Entry {
  /** The import path: `preseal/testing`. */
  readonly name: string
  readonly items: readonly Item[]
  /** The declarations as they are published, by path. */
  readonly sources: ReadonlyMap<string, string>
}

const ENTRIES = [
  { name: 'preseal', file: 'src/index.ts' },
  { name: 'preseal/testing', file: 'src/testing/index.ts' },
  { name: 'preseal/vitest', file: 'src/testing/vitest/index.ts' },
  { name: 'preseal/playwright', file: 'src/testing/playwright/index.ts' },
] as const

/** Reads the published declarations. Rejects if they have type errors. */
export async function readEntries(): Promise<readonly Entry[]> {
  // Inside the repository, where the imported packages are found, but not in node_modules, whose files API Extractor treats as
  // foreign packages.
  await using home = await emptyFolder(join(ROOT, '.api-'))
  const folder = home.path
  await makeTypes(
    ROOT,
    folder,
    ENTRIES.map(({ file }) => file),
  )
  return await Promise.all(ENTRIES.map(({ name, file }) => readEntry(folder, name, file)))
}

async function readEntry(folder: string, name: string, file: string): Promise<Entry> {
  const declarations = join(folder, file.replace('src/', '').replace('.ts', '.d.ts'))
  await using models = await emptyFolder()
  const model = join(models.path, 'model.json')
  const silent = { default: { logLevel: ExtractorLogLevel.None } }
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(ROOT, 'package.json'),
    packageJson: { name: 'preseal', version: '0.0.0' },
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: declarations,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2023',
            lib: ['es2023', 'esnext.disposable', 'dom'],
            module: 'nodenext',
            strict: true,
            skipLibCheck: true,
            types: [],
          },
          files: [declarations],
        },
      },
      apiReport: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      docModel: { enabled: true, apiJsonFilePath: model, includeForgottenExports: true },
      messages: {
        compilerMessageReporting: silent,
        extractorMessageReporting: silent,
        tsdocMessageReporting: silent,
      },
    },
  })
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      // It would print its compiler's version; errors are thrown or counted.
      message.handled = true
    },
  })
  if (!succeeded) throw new Error(`API Extractor: ${name} cannot be read`)
  const { members } = JSON.parse(await readFile(model, 'utf8'))
  const items: readonly Item[] = members[0].members
  const paths = new Set(items.flatMap(({ fileUrlPath }) => fileUrlPath ?? []))
  const sources = await Promise.all(
    [...paths].map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const),
  )
  return { name, items, sources: new Map(sources) }
}
