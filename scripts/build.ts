/** Makes `dist`, which is what the package publishes. `npm run build` */
import { fileURLToPath } from 'node:url'
import { compileEngine } from '../src/engine/wasm/generate/compile.ts'

// Before anything is loaded that imports it.
await compileEngine()
const { makeDist } = await import('./build/dist.ts')
await makeDist(fileURLToPath(new URL('../dist', import.meta.url)))
