import { beforeAll, describe, expect, it } from 'vitest'
import { differencesOf } from '../../src/evm/bothEngines.ts'
import type { Engine, Execution } from '../../src/evm/engine.ts'
import { FetchingEngine } from '../../src/evm/fetchingEngine.ts'
import { WasmEngine } from '../../src/evm/wasm/wasmEngine.ts'
import { loadKeccak } from '../../src/model/crypto/keccak.ts'
import { loadSecp256k1 } from '../../src/model/crypto/secp256k1.ts'
import type { Rules } from '../../src/model/hardfork/hardfork.ts'
import { URGENT } from '../../src/model/work/work.ts'
import { readTogether } from '../../src/state/fetchingView.ts'
import type { State } from '../../src/state/state.ts'
import { whenFetched } from '../../src/state/whenFetched.ts'
import { withRandom } from '../support/random.ts'
import { prepareRandomRuns, type RandomRun, randomRun } from '../support/randomRun.ts'
import { remoteOf } from '../support/remoteStates.ts'

beforeAll(async () => {
  await Promise.all([loadKeccak(), loadSecp256k1(), prepareRandomRuns()])
}, 60_000)

const FORKS = ['paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const
const RUNS = 2_000

const engines = new Map<string, FetchingEngine>()

function engineUnder(rules: Rules): Engine {
  let engine = engines.get(rules.hardfork)
  if (engine === undefined) {
    engine = new FetchingEngine(new WasmEngine(rules))
    engines.set(rules.hardfork, engine)
  }
  return engine
}

describe('a run on a state of which nothing was fetched', () => {
  it(
    'comes out as on a state in memory, whatever it runs',
    withRandom(async (random) => {
      let rounds = 0
      for (let i = 0; i < RUNS; i++) {
        const run = randomRun(random, random.pick(FORKS))
        const here = await runOn(run.state, run)
        const { remote, state } = remoteOf(run.state)
        const there = await runOn(state, run)
        rounds += remote.questions.length
        expect(new Set(remote.asked).size).toBe(remote.asked.length)
        expect(await whenFetched(() => differencesOf(state, here, there))).toEqual([])
        const after = await whenFetched(() => state.with(there.changes))
        expect(await contentOf(after, run.state)).toEqual(
          await contentOf(run.state.with(here.changes), run.state),
        )
      }
      expect(rounds / RUNS).toBeLessThan(2.5)
    }),
    120_000,
  )
})

function runOn(state: State, { rules, context, message }: RandomRun): Promise<Execution> {
  return Promise.resolve(engineUnder(rules).transact(state, context, message, URGENT))
}

/** Everything that `state` has of the accounts of `world`. */
function contentOf(state: State, world: State) {
  return whenFetched(() =>
    readTogether(state, (view) =>
      [...world.records()].map(({ address }) => {
        const account = view.account(address)
        return [
          account && { nonce: account.nonce, balance: account.balance, code: view.code(address) },
          [0n, 1n, 2n, 3n, 4n].map((slot) => view.storage(address, slot)),
        ]
      }),
    ),
  )
}
