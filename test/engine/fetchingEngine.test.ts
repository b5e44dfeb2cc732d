import { beforeAll, describe, expect, it } from 'vitest'
import { fromHex, toWord, ZERO_ADDRESS } from '../../src/bytes/hex.ts'
import { loadSecp256k1 } from '../../src/crypto/secp256k1.ts'
import { differencesOf } from '../../src/engine/both/bothEngines.ts'
import type { Engine, Execution, Watcher } from '../../src/engine/engine.ts'
import { Evm } from '../../src/engine/evm.ts'
import { FetchingEngine } from '../../src/engine/fetchingEngine.ts'
import { simulationMessage } from '../../src/engine/run/message.ts'
import { runCall, toRunnable } from '../../src/engine/run/runCall.ts'
import { WasmEngine } from '../../src/engine/wasm/wasmEngine.ts'
import { createRules, type Rules } from '../../src/model/hardfork/hardfork.ts'
import { readTogether } from '../../src/state/fetchingView.ts'
import { FetchFailed, NOT_FETCHED, NotFetched } from '../../src/state/remoteState.ts'
import { type AccountChange, State } from '../../src/state/state.ts'
import { whenFetched } from '../../src/state/whenFetched.ts'
import { EventLoop } from '../../src/work/eventLoop.ts'
import { DEFAULT_MEMORY_LIMIT, TimeLimitExceeded, URGENT, Work, WorkCancelled } from '../../src/work/work.ts'
import { remoteOf } from '../support/chains/remoteStates.ts'
import { assemble } from '../support/compilers/assembly.ts'
import { prepareRandomRuns, type RandomRun, randomRun } from '../support/engines/randomRun.ts'
import { address, blockHash, CONTEXT, callOf } from '../support/engines/scenes.ts'
import { withRandom } from '../support/random/random.ts'

beforeAll(async () => {
  await Promise.all([loadSecp256k1(), prepareRandomRuns()])
})

const FORKS = ['paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const
const RUNS = Number(process.env.PRESEAL_RUNS ?? 500)

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
        remote.takesGuesses = random.chance(0.5)
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
    400_000,
  )
})

describe('the rounds of a run', () => {
  /** Three contracts in a row, each reads `slots` slots; the address of the next is in the last one. */
  const row = (slots: number): AccountChange[] =>
    [1, 2, 3].map((n) => ({
      address: address(0xc0 + n),
      nonce: 1n,
      code: assemble(
        ...Array.from({ length: slots }, (_, slot) => [slot + 100 * n, 'SLOAD', 'POP'] as const).flat(),
        ...([0, 0, 0, 0, 0, 100 * n, 'SLOAD', 'GAS', 'CALL', 'POP'] as const),
      ),
      storage: [[BigInt(100 * n), n < 3 ? BigInt(0xc0 + n + 1) : 0n] as const],
    }))

  it('are few: a call through three contracts with 42 slots, each found in storage of the last, takes at most 8', async () => {
    const { remote, state } = remoteOf(State.empty.with(row(14)))
    const evm = evmUnder('osaka')
    const scene = { state, context: CONTEXT, moved: undefined }
    const outcome = await runCall(evm, scene, callOf({ to: address(0xc1) }))
    expect(outcome.kind).toBe('success')
    expect(remote.asked.filter((name) => name.includes(' ')).length).toBeGreaterThanOrEqual(42)
    expect(remote.questions.length).toBeLessThanOrEqual(8)
    // Fetched values are not requested again, and cost no promise.
    const count = remote.questions.length
    expect(runCall(evm, scene, callOf({ to: address(0xc1) }))).not.toBeInstanceOf(Promise)
    expect(remote.questions.length).toBe(count)
  })

  it('are fewer with guesses: what only another value in a missing slot leads to comes with the next batch', async () => {
    // Goes on only if slot 1 is not zero, then if slot 2 is not zero, and so on.
    const gate = (slot: number) => [slot, 'SLOAD', 'ISZERO', 110, 'JUMPI'] as const
    const gates = { address: address(0xc1), nonce: 1n }
    const code = assemble(...gate(1), ...gate(2), ...gate(3), ...gate(4), ...gate(5), 'STOP')
    const storage = [1n, 2n, 3n, 4n, 5n].map((slot) => [slot, 7n] as const)
    for (const [takesGuesses, most] of [
      [false, 6],
      [true, 2],
    ] as const) {
      const { remote, state } = remoteOf(State.empty.with([{ ...gates, code, storage }]))
      remote.takesGuesses = takesGuesses
      const scene = { state, context: CONTEXT, moved: undefined }
      const outcome = await runCall(evmUnder('osaka'), scene, callOf({ to: address(0xc1) }))
      expect(outcome.kind).toBe('success')
      expect(remote.questions).toHaveLength(most)
    }
  })

  it('are with at most 64 guesses each, also where a loop goes over a guessed length', async () => {
    // for (i = sload(0); i > 0; i--) sload(i)
    const code = assemble(
      0,
      'SLOAD',
      'JUMPDEST',
      'DUP1',
      'SLOAD',
      'POP',
      1,
      'SWAP1',
      'SUB',
      'DUP1',
      3,
      'JUMPI',
    )
    const loop = { address: address(0xc1), nonce: 1n, code, storage: [[0n, 2n]] as const }
    const { remote, state } = remoteOf(State.empty.with([loop]))
    const scene = { state, context: CONTEXT, moved: undefined }
    const outcome = await runCall(evmUnder('osaka'), scene, callOf({ to: address(0xc1) }))
    expect(outcome.kind).toBe('success')
    expect(Math.max(...remote.questions.map(({ guesses }) => guesses.length))).toBe(64)
  })

  it('may be guessed with as much data as costs more than guesses may', async () => {
    const reads = { address: address(0xc1), nonce: 1n, code: assemble(1, 'SLOAD', 'SLOAD', 'STOP') }
    const { remote, state } = remoteOf(State.empty.with([{ ...reads, storage: [[1n, 5n]] }]))
    const scene = { state, context: CONTEXT, moved: undefined }
    const data = new Uint8Array(300_000).fill(1)
    const outcome = await runCall(evmUnder('osaka'), scene, callOf({ to: address(0xc1), data }))
    expect(outcome.kind).toBe('success')
    expect(remote.questions.at(-2)!.guesses.length).toBeGreaterThan(0)
  })

  it('name the call in the first, so that its access list can be asked for, and in no other', async () => {
    const { remote, state } = remoteOf(State.empty.with(row(1)))
    const data = Uint8Array.of(1, 2)
    await runCall(
      evmUnder('osaka'),
      { state, context: CONTEXT, moved: undefined },
      callOf({ to: address(0xc1), data }),
    )
    expect(remote.questions[0]!.call).toEqual({ from: ZERO_ADDRESS, to: address(0xc1), value: 0n, data })
    expect(remote.questions.slice(1).map(({ call }) => call)).toEqual(
      remote.questions.slice(1).map(() => undefined),
    )
  })

  it('of a program that finds each value by the last one go on to its end', async () => {
    // Follows a list of 300 slots: each has the number of the next.
    const list: AccountChange = {
      address: address(0xc1),
      nonce: 1n,
      code: assemble(1, 'JUMPDEST', 'SLOAD', 'DUP1', 2, 'JUMPI'),
      storage: Array.from({ length: 300 }, (_, i) => [BigInt(i + 1), BigInt(i + 2)] as const),
    }
    const { remote, state } = remoteOf(State.empty.with([list]))
    const outcome = await runCall(
      evmUnder('osaka'),
      { state, context: CONTEXT, moved: undefined },
      callOf({ to: address(0xc1) }),
    )
    expect(outcome.kind).toBe('success')
    expect(remote.questions.length).toBeGreaterThan(300)
  })

  it('end where what was fetched is missing still', async () => {
    const { remote, state } = remoteOf(State.empty.with(row(1)))
    remote.fetch = async () => {}
    const ran = runCall(
      evmUnder('osaka'),
      { state, context: CONTEXT, moved: undefined },
      callOf({ to: address(0xc1) }),
    )
    await expect(ran).rejects.toThrow(/fetched account 0x[0-9a-f]{40}, which is still missing/)
  })
})

describe('a run that waits', () => {
  const reader: AccountChange = {
    address: address(0xc1),
    nonce: 1n,
    code: assemble(7, 'SLOAD', 0, 'MSTORE', 32, 0, 'RETURN'),
    storage: [[7n, 8n]],
  }
  const scenes = () => {
    const { remote, state } = remoteOf(State.empty.with([reader]))
    return { remote, scene: { state, context: CONTEXT, moved: undefined } }
  }

  it('uses none of its time', async () => {
    const { remote, scene } = scenes()
    let nowMs = 0
    const loop = new EventLoop({ now: () => nowMs, soon: (next) => setImmediate(next) })
    remote.beforeAnswer = () => {
      nowMs += 60_000
    }
    const request = new Work({ limitMs: 100, loop })
    const outcome = await runCall(
      evmUnder('osaka').for(request.forCall({ timeMs: 50, memoryBytes: DEFAULT_MEMORY_LIMIT })),
      scene,
      callOf({ to: address(0xc1) }),
    )
    expect(outcome).toMatchObject({ kind: 'success', returnData: toWord(8n) })
    expect(request.pause()).toBeUndefined()
    nowMs += 100
    expect(() => request.pause()).toThrow(TimeLimitExceeded)
  })

  it('ends when it is cancelled, however the fetch ends', async () => {
    for (const end of ['answer', 'failure']) {
      const { remote, scene } = scenes()
      const owner = { isClosed: false }
      remote.beforeAnswer = () => {
        owner.isClosed = true
        if (end === 'failure') throw new Error('no network')
      }
      const ran = runCall(evmUnder('osaka').for(new Work({ owner })), scene, callOf({ to: address(0xc1) }))
      await expect(ran).rejects.toThrow(WorkCancelled)
    }
  })

  it('fails with what the fetch failed with, and succeeds when it is run again', async () => {
    const { remote, scene } = scenes()
    const cause = new Error('no network')
    remote.beforeAnswer = () => {
      throw cause
    }
    const run = () => runCall(evmUnder('osaka'), scene, callOf({ to: address(0xc1) }))
    await expect(run()).rejects.toMatchObject({ constructor: FetchFailed, cause })
    remote.beforeAnswer = () => {}
    expect(await run()).toMatchObject({ returnData: toWord(8n) })
  })

  it('lets others of the same state run meanwhile, each of which comes out right', async () => {
    const { scene } = scenes()
    const evm = evmUnder('osaka')
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => runCall(evm, scene, callOf({ to: address(0xc1) }))),
    )
    for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'success', returnData: toWord(8n) })
  })
})

describe('a watcher', () => {
  it('sees the last run only', async () => {
    const run = { state: State.empty.with([watched]), ...place }
    const lines = async (state: State): Promise<string[]> => {
      const seen: string[] = []
      const watcher: Watcher = {
        enter: ({ kind, to }) => seen.push(`${kind} ${to}`),
        step: ({ name, depth }) => seen.push(`${depth} ${name}`),
        exit: ({ gasUsed }) => seen.push(`${gasUsed}`),
      }
      const { context, message } = place
      await engineUnder(place.rules).transact({ state, context, message, work: URGENT, watcher })
      return seen
    }
    expect(await lines(remoteOf(run.state).state)).toEqual(await lines(run.state))
  })

  const watched: AccountChange = {
    address: address(0xc1),
    nonce: 1n,
    code: assemble(7, 'SLOAD', 'POP', 0, 0, 0, 0, 0, address(0xc2), 'GAS', 'CALL'),
    storage: [[7n, 8n]],
  }
  const place = {
    rules: createRules('osaka', 31_337n),
    context: CONTEXT,
    message: simulationMessage(
      toRunnable(
        createRules('osaka', 31_337n),
        { state: State.empty, context: CONTEXT, moved: undefined },
        callOf({ to: address(0xc1) }),
        100_000n,
      ),
      { gasPrice: 0n, tip: 0n, blobGasPrice: 0n },
    ),
  }
})

describe('BLOCKHASH', () => {
  it('of a block below is fetched with what else is missing', async () => {
    const code = assemble(998, 'BLOCKHASH', 0, 'MSTORE', 7, 'SLOAD', 'POP', 32, 0, 'RETURN')
    const network = State.empty.with([{ address: address(0xc1), nonce: 1n, code }])
    const { remote, state } = remoteOf(network, blockHash)
    const context = {
      ...CONTEXT,
      blockHash(number: bigint) {
        const hash = remote.blockHash(number)
        if (hash === NOT_FETCHED) throw new NotFetched(remote, [{ kind: 'blockHash', number }])
        return hash
      },
    }
    const outcome = await runCall(
      evmUnder('osaka'),
      { state, context, moved: undefined },
      callOf({ to: address(0xc1) }),
    )
    expect(outcome).toMatchObject({ returnData: fromHex(blockHash(998n)) })
    expect(remote.questions).toHaveLength(2)
  })
})

function evmUnder(hardfork: (typeof FORKS)[number]): Evm {
  return new Evm(engineUnder(createRules(hardfork, 31_337n)))
}

function runOn(state: State, { rules, context, message }: RandomRun): Promise<Execution> {
  return Promise.resolve(engineUnder(rules).transact({ state, context, message, work: URGENT }))
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
