/** `engine: 'both'`: the runs in which the engines agree, and the differences that it reports. */
import { getContractAddress } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Address, toHex } from '../../../src/bytes/hex.ts'
import { loadSecp256k1 } from '../../../src/crypto/secp256k1.ts'
import { BothEngines, EngineDifference } from '../../../src/engine/both/bothEngines.ts'
import type { Engine, Execution, Message, Watcher } from '../../../src/engine/engine.ts'
import { EthereumjsEngine } from '../../../src/engine/ethereumjs/ethereumjsEngine.ts'
import { WasmEngine } from '../../../src/engine/wasm/wasmEngine.ts'
import { createRules, type Rules } from '../../../src/model/hardfork/hardfork.ts'
import { FetchingView } from '../../../src/state/fetchingView.ts'
import { type AccountChange, State } from '../../../src/state/state.ts'
import type { StateView } from '../../../src/state/view.ts'
import { EventLoop } from '../../../src/work/eventLoop.ts'
import { TimeLimitExceeded, URGENT, Work, WorkCancelled } from '../../../src/work/work.ts'
import { RemoteTwin } from '../../support/chains/remoteStates.ts'
import { authorize, signerOf } from '../../support/chains/signing.ts'
import { answering, assemble, creationOf } from '../../support/compilers/assembly.ts'
import {
  ALL_HARDFORKS,
  prepareRandomRuns,
  type RandomRun,
  randomRun,
} from '../../support/engines/randomRun.ts'
import { address, CONTEXT } from '../../support/engines/scenes.ts'
import { withRandom } from '../../support/random/random.ts'

beforeAll(async () => {
  await Promise.all([loadSecp256k1(), prepareRandomRuns()])
})

const OSAKA = createRules('osaka', 31_337n)
const ALICE = signerOf(`0x${'a1'.repeat(32)}`)
const CONTRACT = address(0xc0de)
const OTHER = address(0x0d0e)

function messageOf(fields: Partial<Message> = {}): Message {
  return {
    kind: 'transaction',
    type: 2,
    from: ALICE.address,
    to: CONTRACT,
    nonce: 0n,
    gasLimit: 1_000_000n,
    value: 0n,
    data: new Uint8Array(),
    gasPrice: 10n,
    tip: 3n,
    blobGasPrice: 0n,
    accessList: [],
    authorizationList: [],
    blobVersionedHashes: [],
    mayComeFromContract: false,
    movedPrecompiles: undefined,
    dropsChanges: false,
    ...fields,
  }
}

function stateOf(...accounts: AccountChange[]): State {
  return State.empty.with([{ address: ALICE.address, balance: 10n ** 24n }, ...accounts])
}

/** EthereumJS, but its executions go through `change`. */
function liar(rules: Rules, change: (execution: Execution) => Execution): Engine {
  const honest = new EthereumjsEngine(rules)
  return { rules, transact: async (run) => change(await honest.transact(run)) }
}

interface Run {
  readonly execution?: Execution
  readonly difference?: EngineDifference
}

/** Runs in both engines, the second of which returns its execution changed by `change`. */
function both(run: RandomRun, change: (execution: Execution) => Execution): Promise<Run> {
  return between(new WasmEngine(run.rules), liar(run.rules, change), run)
}

/** Runs in two engines. Rejects with the error of the run unless it is a difference. */
async function between(
  first: Engine,
  second: Engine,
  { state, context, message }: Pick<RandomRun, 'context' | 'message'> & { readonly state: StateView },
  work: Work = URGENT,
  watcher?: Watcher,
): Promise<Run> {
  const engine = new BothEngines(first, second)
  try {
    return { execution: await engine.transact({ state, context, message, work, watcher }) }
  } catch (difference) {
    if (!(difference instanceof EngineDifference)) throw difference
    return { difference }
  }
}

function placed(message: Message, ...accounts: AccountChange[]): RandomRun {
  return { rules: OSAKA, state: stateOf(...accounts), context: CONTEXT, message }
}

/** A run that writes a slot, emits a log and returns a word. */
const WRITING = placed(messageOf(), {
  address: CONTRACT,
  code: assemble(7, 1, 'SSTORE', 32, 0, 'LOG0', ...answering(9)),
  storage: [[1n, 3n]],
})

const more = (execution: Execution, fields: object): Execution => ({
  ...execution,
  outcome: { ...execution.outcome, ...fields },
})

describe('both engines', () => {
  it('give the execution of the first where they agree', async () => {
    const { execution, difference } = await both(WRITING, (same) => same)
    expect(execution?.outcome).toMatchObject({ kind: 'success' })
    expect(difference).toBe(undefined)
  })

  it('are not compared in a run that lacks something of a forked network: it will be discarded', async () => {
    const remote = new RemoteTwin(WRITING.state)
    const view = new FetchingView(State.on(remote, WRITING.state.root()))
    const run = { ...WRITING, state: view }
    const lie = (execution: Execution) => more(execution, { gasUsed: 1n })
    expect(await between(new WasmEngine(OSAKA), liar(OSAKA, lie), run)).not.toHaveProperty('difference')
    expect(view.hasMissing).toBe(true)
  })

  const lies: readonly (readonly [
    what: string,
    lie: (execution: Execution) => Execution,
    named: string[],
  ])[] = [
    ['gas', (it) => more(it, { gasUsed: it.outcome.gasUsed + 1n }), ['gasUsed']],
    ['returned data', (it) => more(it, { returnData: Uint8Array.of(1) }), ['returnData']],
    ['logs', (it) => more(it, { logs: [] }), ['logs']],
    ['kind', (it) => more(it, { kind: 'revert' }), ['kind']],
    ['absent account', (it) => ({ ...it, changes: [] }), [ALICE.address, CONTRACT, CONTEXT.coinbase]],
    [
      'slot',
      (it) => ({
        ...it,
        changes: it.changes.map((change) =>
          change.address === CONTRACT ? { ...change, storage: [[1n, 8n]] } : change,
        ),
      }),
      [CONTRACT],
    ],
    [
      'balance',
      (it) => ({
        ...it,
        changes: it.changes.map((change) =>
          change.address === ALICE.address ? { ...change, balance: 0n } : change,
        ),
      }),
      [ALICE.address],
    ],
    [
      'account that nobody touched',
      (it) => ({ ...it, changes: [...it.changes, { address: OTHER, nonce: 1n }] }),
      [OTHER],
    ],
  ]
  for (const [what, lie, named] of lies) {
    it(`throw a difference with its names if the second reports a wrong ${what}`, async () => {
      const { difference } = await both(WRITING, lie)
      expect([...difference!.differences].sort()).toEqual([...named].sort())
      for (const name of named) expect(difference!.message).toContain(name)
    })
  }

  it('agree where a change writes what was there already', async () => {
    const same: AccountChange = { address: OTHER, balance: 5n, storage: [[4n, 0n]] }
    const run = { ...WRITING, state: WRITING.state.with([{ address: OTHER, balance: 5n }]) }
    const { execution } = await both(run, (it) => ({ ...it, changes: [...it.changes, same] }))
    expect(execution).toBeDefined()
  })
})

/** An engine that cannot run anything. */
function broken(words: string): Engine {
  return {
    rules: OSAKA,
    transact() {
      throw new RangeError(words)
    },
  }
}

describe('an engine that throws', () => {
  const [wasm, ethereumjs] = [new WasmEngine(OSAKA), new EthereumjsEngine(OSAKA)]
  const cases: readonly (readonly [what: string, first: Engine, second: Engine, words: string])[] = [
    ['the first', broken('a'), ethereumjs, 'the engine wasm threw RangeError: a'],
    ['the second', wasm, broken('b'), 'the engine ethereumjs threw RangeError: b'],
    [
      'both',
      broken('a'),
      broken('b'),
      'the engine wasm threw RangeError: a, the engine ethereumjs threw RangeError: b',
    ],
  ]
  for (const [what, first, second, words] of cases) {
    it(`is a difference: ${what}`, async () => {
      const { difference } = await between(first, second, WRITING)
      expect(difference!.message).toBe(words)
      expect(difference!.differences).toEqual(['error'])
      expect(difference!.cause).toBeInstanceOf(RangeError)
    })
  }

  it('has the error of one and the execution of the other', async () => {
    const { difference } = await between(broken('no page'), ethereumjs, WRITING)
    expect(difference!.results).toMatchObject({
      wasm: { kind: 'error', error: 'RangeError: no page' },
      ethereumjs: { outcome: { kind: 'success' } },
    })
  })

  const OTHERS: readonly (readonly [what: string, run: (error: Error) => Promise<Run>])[] = [
    [
      'a state',
      (error) => {
        const state = new Proxy(WRITING.state, {
          get: (target, name) =>
            name === 'storage' ? thrower(error) : Reflect.get(target, name).bind(target),
        })
        return between(wasm, ethereumjs, { ...WRITING, state })
      },
    ],
    [
      'the hash of a block',
      (error) => {
        const run = placed(messageOf(), { address: CONTRACT, code: storing(999, 'BLOCKHASH') })
        return between(wasm, ethereumjs, { ...run, context: { ...CONTEXT, blockHash: thrower(error) } })
      },
    ],
    ['a watcher', (error) => between(wasm, ethereumjs, WRITING, URGENT, { step: thrower(error) })],
  ]
  for (const [what, run] of OTHERS) {
    it(`is not to blame for an error of ${what}, which is thrown as it is`, async () => {
      const error = new Error('mine')
      await expect(run(error)).rejects.toBe(error)
    })
  }

  it('is not to blame for work that takes too long or was cancelled', async () => {
    const late: Engine = {
      rules: OSAKA,
      transact: ({ work }) => Promise.resolve(work.pause()).then(() => Promise.reject(new Error())),
    }
    const time = { now: () => 0, soon: () => {} }
    const loop = new EventLoop(time)
    const work = new Work({ limitMs: 5, loop })
    time.now = () => 6
    await expect(between(wasm, late, WRITING, work)).rejects.toThrow(TimeLimitExceeded)
    await expect(between(wasm, late, WRITING, new Work({ owner: { isClosed: true } }))).rejects.toThrow(
      WorkCancelled,
    )
  })
})

function thrower(error: Error): () => never {
  return () => {
    throw error
  }
}

async function expectAgreement(run: RandomRun): Promise<void> {
  const { execution } = await between(new WasmEngine(run.rules), new EthereumjsEngine(run.rules), run)
  expect(execution).toBeDefined()
}

/** Code that stores the result of `items` in slot 0. */
const storing = (...items: Parameters<typeof assemble>) => assemble(...items, 0, 'SSTORE')
/** Code that calls an address with 32 bytes of memory, and stores whether it succeeded and what it returned. */
const calling = (to: Address) =>
  assemble(5, 0, 'MSTORE', 32, 32, 32, 0, 0, to, 100_000, 'CALL', 0, 'SSTORE', 32, 'MLOAD', 1, 'SSTORE')

describe('the engines', () => {
  const cases: Readonly<Record<string, () => RandomRun | Promise<RandomRun>>> = {
    'storage, logs and output': () => WRITING,
    'hashes of blocks': () =>
      placed(messageOf(), { address: CONTRACT, code: storing(999, 'BLOCKHASH', 300, 'BLOCKHASH', 'XOR') }),
    'an access list': () =>
      placed(
        messageOf({ type: 1, accessList: [{ address: OTHER, storageKeys: [toHex(new Uint8Array(32))] }] }),
        {
          address: CONTRACT,
          code: storing(OTHER, 'BALANCE'),
        },
      ),
    'authorizations (EIP-7702)': async () =>
      placed(
        messageOf({
          type: 4,
          to: OTHER,
          authorizationList: [
            await authorize(signerOf(`0x${'b0'.repeat(32)}`), {
              chainId: 31_337n,
              address: CONTRACT,
              nonce: 0n,
            }),
          ],
        }),
        { address: CONTRACT, code: storing(1) },
      ),
    blobs: () =>
      placed(messageOf({ type: 3, blobGasPrice: 1n, blobVersionedHashes: [`0x01${'bb'.repeat(31)}`] }), {
        address: CONTRACT,
        code: storing(0, 'BLOBHASH', 'BLOBBASEFEE', 'ADD'),
      }),
    'a precompile that moved': () =>
      placed(messageOf({ kind: 'simulation', movedPrecompiles: new Map([[address(2), OTHER]]) }), {
        address: CONTRACT,
        code: calling(OTHER),
      }),
    'a precompile that was removed': () =>
      placed(messageOf({ kind: 'simulation', movedPrecompiles: new Map([[address(2), undefined]]) }), {
        address: CONTRACT,
        code: calling(address(2)),
      }),
    'a chain of the OP Stack': () => ({
      ...placed(messageOf({ kind: 'deposit', gasPrice: 0n, tip: 0n, to: undefined, data: assemble('STOP') })),
      rules: createRules('prague', 8_453n, { l2: 'base' }),
    }),
    'a limit of code size': () => ({
      ...placed(
        messageOf({ to: undefined, gasLimit: 10_000_000n, data: creationOf(new Uint8Array(30_000)) }),
      ),
      rules: createRules('osaka', 31_337n, { codeSizeLimit: 40_000 }),
    }),
    'a creation where there is storage (EIP-7610)': () =>
      placed(messageOf({ to: undefined, data: creationOf(assemble('STOP')) }), {
        address: getContractAddress({ from: ALICE.address, nonce: 0n }).toLowerCase() as Address,
        storage: [[77n, 1n]],
      }),
  }
  for (const [what, run] of Object.entries(cases)) {
    it(`agree on ${what}`, async () => expectAgreement(await run()))
  }

  it(
    'agree on random runs of all hardforks',
    withRandom(async (random) => {
      for (const hardfork of ALL_HARDFORKS) {
        for (let i = 0; i < 6; i++) await expectAgreement(randomRun(random, hardfork))
      }
    }),
  )

  it('have what each returned in the difference, logs included', async () => {
    const { difference } = await both(WRITING, (it) => more(it, { gasUsed: 0n }))
    const { wasm, ethereumjs } = difference!.results
    const log = { address: CONTRACT, topics: [], data: new Uint8Array(32) }
    for (const result of [wasm, ethereumjs]) {
      expect(result).toMatchObject({ outcome: { logs: [log] }, changes: expect.any(Array) })
    }
  })
})
