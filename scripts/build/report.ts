/**
 * The page of a report (`preseal report`), which includes the devnet: one script and one style, which the command line puts into a
 * document with the session. Compressed, since only the command line reads them: together they are three times as long as the served page.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { compileEngine } from '../../src/engine/wasm/generate/compile.ts'
import { lazyModules } from './lazyModules.ts'

/**
 * Modules that a report never needs. EthereumJS: the other engine has the same results. QuickJS: a report traces with no JavaScript of clients. mcl: curves in JavaScript replace it, with the same
 * results. Listening, viem and measuring are not called; an L2 with its L1 cannot be recorded, so there is no bridge; modules of Node do not exist in browsers.
 */
const LEFT_OUT =
  /^(viem|ws|mcl-wasm)(\/.*)?$|^node:|\/(listen|ethereumjs\/ethereumjsEngine|gasOfProcess|coverageOfProcess|bridge\/(bridge|refusals|BridgeView)|javascript\/(sandbox|javascriptTracer))\.tsx?$/

const leftOut: Plugin = {
  name: 'left out of reports',
  setup(build) {
    build.onResolve({ filter: LEFT_OUT }, ({ path }) => ({ path, namespace: 'left out' }))
    build.onLoad({ filter: /.*/, namespace: 'left out' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`a report does not have ${path}`)})`,
    }))
  },
}

/** Text that ends a script in HTML, or that browsers read as markup. */
const UNFIT = /<!--|<\/(script|style)|[\r\0]/i

export async function makeReport(root: string, folder: string): Promise<string[]> {
  await compileEngine()
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { report: 'src/page/report/main.tsx' },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [lazyModules, leftOut],
    logLevel: 'warning',
    metafile: true,
    write: false,
  })
  await mkdir(folder, { recursive: true })
  for (const { path, text, contents } of outputFiles) {
    const unfit = UNFIT.exec(text)
    if (unfit !== null)
      throw new Error(`${path}: expected nothing that HTML reads, got ${JSON.stringify(unfit[0])}`)
    await writeFile(`${path}.gz`, await promisify(gzip)(contents, { level: 9 }))
  }
  return Object.keys(metafile.inputs)
}
