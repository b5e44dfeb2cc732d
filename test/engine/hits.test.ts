/** Which instructions ran, and how often, as engines count it. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadSecp256k1 } from '../../src/crypto/secp256k1.ts'
import type { Engine, Message, Watcher } from '../../src/engine/engine.ts'
import { EthereumjsEngine } from '../../src/engine/ethereumjs/ethereumjsEngine.ts'
import { Evm } from '../../src/engine/evm.ts'
import { FetchingEngine } from '../../src/engine/fetchingEngine.ts'
import { collectHits, reportHits } from '../../src/engine/hits.ts'
import { estimateGas } from '../../src/engine/run/estimateGas.ts'
import { runCall } from '../../src/engine/run/runCall.ts'
import { WasmEngine } from '../../src/engine/wasm/wasmEngine.ts'
import type { Rules } from '../../src/model/hardfork/hardfork.ts'
import { State } from '../../src/state/state.ts'
import { URGENT } from '../../src/work/work.ts'
import { remoteOf } from '../support/chains/remoteStates.ts'
import { assemble, creationOf } from '../support/compilers/assembly.ts'
import { CollectedHits } from '../support/engines/collectedHits.ts'
import { ALL_HARDFORKS, prepareRandomRuns, type RandomRun, randomRun } from '../support/engines/randomRun.ts'
import { address, callOf, machine, sceneOf } from '../support/engines/scenes.ts'
import { withRandom } from '../support/random/random.ts'

/** How many programs run: `PRESEAL_PROGRAMS` for long runs. */
const PROGRAMS = Number(process.env.PRESEAL_PROGRAMS ?? 1_000)

beforeAll(async () => {
  await Promise.all([loadSecp256k1(), prepareRandomRuns()])
})

afterEach(() => collectHits(undefined))

const STOP = 0
const CONTRACT = address(0xc0de)

/** Returns how often each instruction was begun when `program` ran, by the steps that a watcher sees. */
async function stepsOf(engine: Engine, { state, context, message }: RandomRun): Promise<Map<string, number>> {
  const steps = new Map<string, number>()
  const watcher: Watcher = {
    step({ pc, opcode }) {
      const key = `${pc} ${opcode}`
      steps.set(key, (steps.get(key) ?? 0) + 1)
    },
  }
  await engine.transact({ state, context, message, work: URGENT, watcher })
  return steps
}

async function hitsIn(engine: Engine, { state, context, message }: RandomRun): Promise<Map<string, number>> {
  const hits = new CollectedHits()
  collectHits(hits)
  await engine.transact({ state, context, message, work: URGENT, hits })
  collectHits(undefined)
  return hits.totals()
}

/** Returns the entries without STOP: the implicit one behind the end of code is a step, but no instruction. */
function listed(counts: Map<string, number>): [string, number][] {
  return [...counts].filter(([key]) => !key.endsWith(` ${STOP}`)).sort()
}

const engines = new Map<string, Engine>()

function wasmUnder(rules: Rules): Engine {
  const engine = engines.get(rules.hardfork) ?? new WasmEngine(rules)
  engines.set(rules.hardfork, engine)
  return engine
}

describe.each(ALL_HARDFORKS)('random programs under %s', (hardfork) => {
  it(
    'hit the instructions that a watcher sees, also where they fail',
    withRandom(async (random) => {
      for (let i = 0; i < PROGRAMS / ALL_HARDFORKS.length; i++) {
        const program = randomRun(random, hardfork)
        const engine = wasmUnder(program.rules)
        const steps = listed(await stepsOf(engine, program))
        expect(listed(await hitsIn(engine, program)), `program ${i}`).toEqual(steps)
      }
    }),
  )
})

// A loop of three rounds, and code behind it that no round reaches.
const LOOP = assemble(3, 'JUMPDEST', 1, 'SWAP1', 'SUB', 'DUP1', 2, 'JUMPI', 'STOP', 'JUMPDEST', 'STOP')

describe.each([
  ['wasm', (rules: Rules): Engine => new WasmEngine(rules)],
  ['ethereumjs', (rules: Rules): Engine => new EthereumjsEngine(rules)],
])('hits of the engine %s', (_, create) => {
  const { rules } = machine()

  async function hitsOfRun(code: Uint8Array, data: Uint8Array = new Uint8Array(), to?: typeof CONTRACT) {
    const { state, context } = sceneOf([{ address: CONTRACT, code }])
    const hits = new CollectedHits()
    collectHits(hits)
    const message: Message = {
      ...{
        kind: 'simulation' as const,
        type: 2,
        from: address(1),
        to,
        nonce: 0n,
        gasLimit: 200_000n,
        value: 0n,
        data,
      },
      ...{ gasPrice: 0n, tip: 0n, blobGasPrice: 0n, accessList: [], authorizationList: [] },
      ...{
        blobVersionedHashes: [],
        mayComeFromContract: true,
        movedPrecompiles: undefined,
        dropsChanges: true,
      },
    } as const
    await create(rules).transact({
      state,
      context: { ...context, baseFeePerGas: 0n },
      message,
      work: URGENT,
      hits,
    })
    reportHits()
    return hits
  }

  it('are those of each round of a loop', async () => {
    const hits = await hitsOfRun(LOOP, undefined, CONTRACT)
    expect(hits.of(LOOP)).toEqual({ 0: 1, 2: 3, 3: 3, 5: 3, 6: 3, 7: 3, 8: 3, 10: 3, 11: 1 })
  })

  it('end at the instruction that fails in the middle of a block', async () => {
    const code = assemble(1, 0, 'RETURNDATACOPY', 5, 'POP', 'STOP')
    const underflow = await hitsOfRun(code, undefined, CONTRACT)
    expect(underflow.of(code)).toEqual({ 0: 1, 2: 1, 4: 1 })
    const outside = assemble(1, 0, 0, 'RETURNDATACOPY', 5, 'POP', 'STOP')
    expect((await hitsOfRun(outside, undefined, CONTRACT)).of(outside)).toEqual({ 0: 1, 2: 1, 4: 1, 6: 1 })
    const poor = assemble(1, 2n ** 60n, 'MLOAD', 5, 'POP', 'STOP')
    expect((await hitsOfRun(poor, undefined, CONTRACT)).of(poor)).toMatchObject({ 0: 1, 2: 1 })
    expect(Object.keys((await hitsOfRun(poor, undefined, CONTRACT)).of(poor))).toHaveLength(3)
  })

  it('tell the code of a creation from the code of a contract', async () => {
    const creation = creationOf(assemble('STOP'))
    const hits = await hitsOfRun(LOOP, creation)
    expect(hits.codes).toHaveLength(1)
    expect(hits.of(creation, true)).toMatchObject({ 0: 1 })
  })
})

describe('the runs that count', () => {
  const scene = sceneOf([
    { address: CONTRACT, code: LOOP },
    { address: address(0xbad), code: assemble(0, 0, 'REVERT') },
  ])

  it('are calls that a user asked for, and none before anyone collects', async () => {
    const hits = new CollectedHits()
    const call = callOf({ to: CONTRACT })
    await runCall(machine().withCoverage, scene, call)
    collectHits(hits)
    await runCall(machine(), scene, call)
    reportHits()
    expect(hits.of(LOOP)).toEqual({})
    await runCall(machine().withCoverage, scene, call)
    await runCall(machine().withCoverage, scene, call)
    reportHits()
    expect(hits.of(LOOP)).toMatchObject({ 0: 2, 2: 6 })
  })

  it('are not those of an estimate that succeeds; of one that fails, one', async () => {
    const hits = new CollectedHits()
    collectHits(hits)
    await estimateGas(machine(), scene, callOf({ to: CONTRACT }))
    await estimateGas(machine(), scene, callOf({ to: address(0xbad) }))
    reportHits()
    expect(hits.of(LOOP)).toEqual({})
    expect(hits.of(assemble(0, 0, 'REVERT'))).toEqual({ 0: 1, 2: 1, 4: 1 })
  })

  it('are, on a fork, those that lack nothing: code runs before its state is there, too', async () => {
    // Goes another way where a slot is empty, as it seems to be before it is fetched.
    const code = assemble(7, 'SLOAD', 7, 'JUMPI', 'STOP', 'JUMPDEST', 'STOP')
    const network = State.empty.with([{ address: CONTRACT, nonce: 1n, code, storage: [[7n, 8n]] }])
    const hits = new CollectedHits()
    collectHits(hits)
    const evm = new Evm(new FetchingEngine(new WasmEngine(machine().rules)))
    const forked = { ...scene, state: remoteOf(network).state }
    await runCall(evm.withCoverage, forked, callOf({ to: CONTRACT }))
    reportHits()
    expect(hits.of(code)).toEqual({ 0: 1, 2: 1, 3: 1, 5: 1, 7: 1, 8: 1 })
  })

  it('are counted no more when nobody collects', async () => {
    const hits = new CollectedHits()
    collectHits(hits)
    await runCall(machine().withCoverage, scene, callOf({ to: CONTRACT }))
    collectHits(undefined)
    await runCall(machine().withCoverage, scene, callOf({ to: CONTRACT }))
    reportHits()
    expect(hits.of(LOOP)).toMatchObject({ 0: 1 })
  })
})
