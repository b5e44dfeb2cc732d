/** Makes the engine that runs code. */
import type { Rules } from '../model/hardfork/hardfork.ts'
import type { Engine } from './engine.ts'
import { EthereumjsEngine } from './ethereumjs/ethereumjsEngine.ts'

/** Returns an engine for `rules`. */
export type CreateEngine = (rules: Rules) => Engine

export const createEngine: CreateEngine = (rules) => new EthereumjsEngine(rules)
