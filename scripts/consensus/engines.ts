/** The EVMs that tests can be played with, and the options of a devnet that has each. */
import type { DevnetOptions } from '../../src/index.ts'

export const ENGINES = {
  wasm: { engine: 'wasm' },
  ethereumjs: { engine: 'ethereumjs' },
  both: { engine: 'both' },
} as const satisfies Record<string, DevnetOptions>

export type Engine = keyof typeof ENGINES

export const DEFAULT_ENGINE: Engine = 'wasm'

export function isEngine(name: string): name is Engine {
  return Object.hasOwn(ENGINES, name)
}
