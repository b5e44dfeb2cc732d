/** The engine with which the tests run: the environment variable PRESEAL_ENGINE names it, as it does for devnets. */
import { type CreateEngine, ENGINE_NAMES, loadEngine } from '../../../src/engine/evm.ts'

const name = ENGINE_NAMES.find((each) => each === process.env.PRESEAL_ENGINE) ?? 'wasm'

/** Returns an engine for rules. EthereumJS is loaded only if it is named. */
export const createEngine: CreateEngine = await loadEngine(name)
