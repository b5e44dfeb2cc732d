/** Runs a message in both engines again: a run that `engine: 'both'` kept. */
import { differencesOf } from './evm/bothEngines.ts'
import { loadEngine } from './evm/createEngine.ts'
import type { Execution } from './evm/engine.ts'
import type { Outcome } from './evm/outcome.ts'
import { NotAReproduction, parseReproduction } from './evm/reproduction.ts'
import { loadKeccak } from './model/crypto/keccak.ts'
import { loadSecp256k1 } from './model/crypto/secp256k1.ts'
import { URGENT } from './model/work/work.ts'

export { NotAReproduction }

/** The outcomes of a run in both engines. */
export interface Comparison {
  readonly wasm: Outcome
  readonly ethereumjs: Outcome
  /** The names of what differs: members of the outcome, and addresses of accounts; empty if nothing does. */
  readonly differences: readonly string[]
}

/** Runs the message of `document` in both engines. Rejects with `NotAReproduction` if it is another document. */
export async function compareRun(document: unknown): Promise<Comparison> {
  const { rules, state, context, message } = parseReproduction(document)
  await Promise.all([loadKeccak(), loadSecp256k1()])
  const run = async (name: 'wasm' | 'ethereumjs'): Promise<Execution> => {
    const createEngine = await loadEngine(name, { onWasmRefused: () => {}, keep: () => undefined })
    return createEngine(rules).transact(state, context, message, URGENT)
  }
  const [wasm, ethereumjs] = [await run('wasm'), await run('ethereumjs')]
  return {
    wasm: wasm.outcome,
    ethereumjs: ethereumjs.outcome,
    differences: differencesOf(state, wasm, ethereumjs),
  }
}
