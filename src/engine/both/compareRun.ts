/** Runs a message in both engines again: a run that `engine: 'both'` kept. */

import { loadKeccak } from '../../crypto/keccak.ts'
import { loadSecp256k1 } from '../../crypto/secp256k1.ts'
import { URGENT } from '../../work/work.ts'
import { loadEngine } from '../createEngine.ts'
import { type Attempt, type Attempted, attempt, attempted } from './attempt.ts'
import { differencesOfAttempts } from './bothEngines.ts'
import { NotAReproduction, parseReproduction } from './reproduction.ts'

export { NotAReproduction }

/** The outcomes of a run in both engines, or the errors that they threw. */
export interface Comparison {
  readonly wasm: Attempted
  readonly ethereumjs: Attempted
  /**
   * The names of what differs: members of the outcome, and addresses of accounts; `error` if an engine threw; empty if
   * nothing differs.
   */
  readonly differences: readonly string[]
}

/** Runs the message of `document` in both engines. Rejects with `NotAReproduction` if it is another document. */
export async function compareRun(document: unknown): Promise<Comparison> {
  const { rules, state, context, message } = parseReproduction(document)
  await Promise.all([loadKeccak(), loadSecp256k1()])
  const run = async (name: 'wasm' | 'ethereumjs'): Promise<Attempt> => {
    const createEngine = await loadEngine(name, { onWasmRefused: () => {}, keep: () => undefined })
    return attempt(() => createEngine(rules).transact(state, context, message, URGENT))
  }
  const [wasm, ethereumjs] = [await run('wasm'), await run('ethereumjs')]
  return {
    wasm: attempted(wasm),
    ethereumjs: attempted(ethereumjs),
    differences: differencesOfAttempts(state, wasm, ethereumjs),
  }
}
