/**
 * Compiles the EVM (`src/engine/wasm/assembly/`, AssemblyScript) to WebAssembly, as `src/engine/wasm/compiled.ts`: text, so that Node,
 * bundlers and browsers load it like any other module. Does nothing if that is what these sources make. `npm run compile:engine`
 */
import { compileEngine } from '../src/engine/wasm/generate/compile.ts'

await compileEngine()
