/** Makes the engine that runs code, by its name. */
import type { Rules } from '../model/hardfork/hardfork.ts'
import { BothEngines } from './both/bothEngines.ts'
import type { Reproduction } from './both/reproduction.ts'
import type { Engine } from './engine.ts'
import { isWasmAllowed, WasmEngine } from './wasm/wasmEngine.ts'

/**
 * - `wasm`: preseal's own, in WebAssembly.
 * - `ethereumjs`: EthereumJS as it is published, many times slower.
 * - `both`: each message runs in both, which must agree.
 */
export const ENGINE_NAMES = ['wasm', 'ethereumjs', 'both'] as const
export type EngineName = (typeof ENGINE_NAMES)[number]

/** Returns an engine for `rules`. */
export type CreateEngine = (rules: Rules) => Engine

export const createEngine: CreateEngine = (rules) => new WasmEngine(rules)

/** What `loadEngine` reports. */
export interface EngineReports {
  /** WebAssembly is not allowed here (a content security policy): EthereumJS takes its place. */
  onWasmRefused(): void
  /** Keeps the run in which both engines differ. Returns where it is, for the message of the error. */
  keep(reproduction: Reproduction): string | undefined
}

/** Thrown where both engines are to run and WebAssembly is not allowed. */
export class WasmRefused extends Error {}

/**
 * Returns the maker of the engine `name`. EthereumJS is loaded only if it is needed. Rejects with `WasmRefused` if there
 * is nothing to compare EthereumJS with.
 */
export async function loadEngine(name: EngineName, reports: EngineReports): Promise<CreateEngine> {
  if (name !== 'ethereumjs' && !isWasmAllowed()) {
    if (name === 'both') throw new WasmRefused('WebAssembly is not allowed here')
    reports.onWasmRefused()
  } else if (name === 'wasm') return createEngine
  const { EthereumjsEngine } = await import('./ethereumjs/ethereumjsEngine.ts')
  if (name !== 'both') return (rules) => new EthereumjsEngine(rules)
  return (rules) =>
    new BothEngines(new WasmEngine(rules), new EthereumjsEngine(rules), (run) => reports.keep(run))
}
