/**
 * Compiles the EVM (`src/evm/wasm/assembly/`, AssemblyScript) to WebAssembly, as `src/evm/wasm/compiled.ts`: text, so that Node,
 * bundlers and browsers load it like any other module. Does nothing if that is what these sources make. `npm run compile:engine`
 */
import { compileEngine } from './engine/compile.ts'

await compileEngine()
