/** Tracers, in cases that need no other node as a reference. */
import { describe, expect, it } from 'vitest'
import { type Address, toHex } from '../../../src/bytes/hex.ts'
import { paymentOf, simulationMessage } from '../../../src/engine/run/message.ts'
import { contextFor, runCall, toRunnable } from '../../../src/engine/run/runCall.ts'
import { createTracer, traceCall, traceRun, tracerFor } from '../../../src/engine/trace/traceRun.ts'
import { TraceBudget } from '../../../src/engine/trace/tracer.ts'
import type {
  CallFrame,
  FrameLog,
  StructOptions,
  Trace,
  TraceRequest,
} from '../../../src/model/execution/trace.ts'
import type { AccountChange } from '../../../src/state/state.ts'
import { assemble, type Item } from '../../support/compilers/assembly.ts'
import { randomContract } from '../../support/engines/programs.ts'
import { address, callOf, machine, sceneOf } from '../../support/engines/scenes.ts'
import { withRandom } from '../../support/random/random.ts'

const evm = machine()
const CONTRACT = address(0xc0de)
const OTHER = address(0x07e5)

const STRUCT: StructOptions & { kind: 'struct' } = {
  kind: 'struct',
  stack: true,
  storage: 'accessed',
  memory: false,
  returnData: false,
  limit: undefined,
}
const CALLS: TraceRequest & { kind: 'call' } = { kind: 'call', onlyTopCall: false, withLog: true }

async function traced<K extends Trace['kind']>(
  request: TraceRequest & { kind: K },
  code: Uint8Array,
  others: readonly AccountChange[] = [],
): Promise<Extract<Trace, { kind: K }>> {
  const scene = sceneOf([{ address: CONTRACT, code }, ...others])
  const trace = await traceCall(evm, scene, callOf({ to: CONTRACT, gas: 200_000n }), tracerFor(request))
  if (trace.kind !== request.kind) throw new Error(`expected ${request.kind}, got ${trace.kind}`)
  return trace as Extract<Trace, { kind: K }>
}

const call = (to: Address): Item[] => [0, 0, 0, 0, 0, to, 50_000, 'CALL']

describe('the struct logger', () => {
  it('tells each instruction with the machine before it, and the STOP at the end of the code', async () => {
    const { steps, gasUsed, failed } = await traced(STRUCT, assemble(1, 2, 'ADD', 'POP'))
    expect(steps.map(({ pc, name, cost, depth, stack }) => [pc, name, cost, depth, stack])).toEqual([
      [0, 'PUSH1', 3n, 1, []],
      [2, 'PUSH1', 3n, 1, [1n]],
      [4, 'ADD', 3n, 1, [1n, 2n]],
      [5, 'POP', 2n, 1, [3n]],
      [6, 'STOP', 0n, 1, []],
    ])
    expect(steps.map(({ gas }) => gas)).toEqual([179_000n, 178_997n, 178_994n, 178_991n, 178_989n])
    expect([gasUsed, failed]).toEqual([21_011n, false])
  })

  it('leaves out what is not wanted, and stops keeping steps at the limit', async () => {
    const { steps } = await traced({ ...STRUCT, stack: false, limit: 2 }, assemble(1, 2, 'ADD', 'POP'))
    expect(steps.map(({ name, stack, memory, returnData }) => [name, stack, memory, returnData])).toEqual([
      ['PUSH1', undefined, undefined, undefined],
      ['PUSH1', undefined, undefined, undefined],
    ])
  })

  it('shows memory and what the last call returned, if asked to', async () => {
    const answer = assemble(7, 0, 'MSTORE', 32, 0, 'RETURN')
    const code = assemble(...call(OTHER), 0, 0, 'MSTORE')
    const { steps } = await traced({ ...STRUCT, memory: true, returnData: true }, code, [
      { address: OTHER, code: answer },
    ])
    const last = steps.at(-1)!
    expect(toHex(last.memory!)).toBe(`0x${'00'.repeat(32)}`)
    expect(toHex(last.returnData!)).toBe(`0x${'7'.padStart(64, '0')}`)
  })

  it('shows the slots of a contract that were met so far, where one is met', async () => {
    const { steps } = await traced(STRUCT, assemble(5, 1, 'SSTORE', 2, 'SLOAD', 'POP'), [
      { address: CONTRACT, storage: [[2n, 9n]] },
    ])
    expect(steps.filter(({ storage }) => storage !== undefined).map(({ storage }) => [...storage!])).toEqual([
      [[1n, 5n]],
      [
        [1n, 5n],
        [2n, 9n],
      ],
    ])
  })

  it('says at which instruction a halt happened, at each depth', async () => {
    const { steps } = await traced(STRUCT, assemble(...call(OTHER), 'INVALID'), [
      { address: OTHER, code: assemble('POP') },
    ])
    expect(
      steps.filter(({ error }) => error !== undefined).map(({ name, depth, error }) => [name, depth, error]),
    ).toEqual([
      ['POP', 2, 'stack underflow'],
      ['INVALID', 1, 'invalid opcode: INVALID'],
    ])
  })
})

describe('the call tracer', () => {
  it('numbers the logs that stay, and says between which calls they came', async () => {
    const log = assemble(0, 0, 'LOG0')
    const { root } = await traced(CALLS, assemble(log, ...call(OTHER), log), [
      { address: OTHER, code: assemble(log, 0, 0, 'REVERT') },
    ])
    expect(root.logs.map(({ index, position }) => [index, position])).toEqual([
      [0, 0],
      [1, 1],
    ])
    expect(root.calls[0]).toMatchObject({ error: 'execution reverted', logs: [] })
  })

  it('keeps what was given to a call, whatever becomes of the memory that it came from', async () => {
    const code = assemble(7, 0, 'MSTORE', 0, 0, 32, 0, 0, OTHER, 50_000, 'CALL', 9, 0, 'MSTORE')
    const { root } = await traced(CALLS, code)
    expect(toHex(root.calls[0]!.input)).toBe(`0x${'7'.padStart(64, '0')}`)
  })
})

describe('a frame that is not opened', () => {
  it('is told at the greatest depth, with the gas that it did not use', async () => {
    const code = assemble(0, 0, 0, 0, 0, 'ADDRESS', 'GAS', 'CALL')
    const gas = 10n ** 12n
    const scene = sceneOf([{ address: CONTRACT, code }], [], { gasLimit: gas })
    const trace = await traceCall(evm, scene, callOf({ to: CONTRACT, gas }), tracerFor(CALLS))
    if (trace.kind !== 'call') throw new Error(trace.kind)
    let frame = trace.root
    let depth = 0
    for (; frame.calls.length > 0; frame = frame.calls[0]!) depth++
    expect(depth).toBe(1025)
    expect(frame).toMatchObject({ kind: 'CALL', error: 'max call depth exceeded', gasUsed: 0n, to: CONTRACT })
    expect(frame.gas).toBeGreaterThan(0n)
  })
})

describe('the 4byte tracer', () => {
  it('counts selectors with the bytes after them', async () => {
    const selector = `0x12345678${'00'.repeat(28)}` as const
    const once: Item[] = [0, 0, 8, 0, 0, OTHER, 50_000, 'CALL']
    const { counts } = await traced({ kind: 'fourByte' }, assemble(selector, 0, 'MSTORE', ...once, ...once))
    expect([...counts]).toEqual([['0x12345678-4', 2]])
  })
})

describe('what is kept', () => {
  const LOOP = assemble('JUMPDEST', 0, 'JUMP')

  it.each<TraceRequest>([
    STRUCT,
    { kind: 'call', onlyTopCall: false, withLog: true },
    { kind: 'prestate', diffMode: false, code: true, storage: true, includeEmpty: false },
  ])('ends the run where the budget ends ($kind)', async (request) => {
    const budget = new TraceBudget(1_000)
    const code =
      request.kind === 'struct'
        ? LOOP
        : assemble(...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap((n) => call(address(0xf00 + n))))
    const scene = sceneOf([{ address: CONTRACT, code }])
    const runnable = toRunnable(evm.rules, scene, callOf({ to: CONTRACT }), 1_000_000n)
    const options = { isSimulated: true, firstLogIndex: 0 }
    const tracer = createTracer(request, budget)
    let steps = 0
    const counting: typeof tracer = {
      ...tracer,
      step(step) {
        steps++
        tracer.step?.(step)
      },
    }
    const context = contextFor(scene, callOf({}))
    const traced = await budget.within(() => traceRun(evm, scene.state, context, runnable, counting, options))
    expect(traced).toEqual({ kind: 'traceTooLarge', bytes: 1_000 })
    // With all its gas the loop has 80,000 of them.
    expect(steps).toBeLessThan(100)
  })
})

describe('a traced run', () => {
  const REQUESTS: readonly TraceRequest[] = [
    { ...STRUCT, memory: true, returnData: true },
    CALLS,
    { kind: 'prestate', diffMode: true, code: true, storage: true, includeEmpty: true },
    { kind: 'prestate', diffMode: false, code: true, storage: true, includeEmpty: false },
    { kind: 'fourByte' },
    { kind: 'noop' },
  ]

  it.each(['byzantium', 'berlin', 'osaka'] as const)(
    'does what it does when nobody watches, whatever runs (%s)',
    async (hardfork) => {
      const evmsOf = machine(hardfork)
      await withRandom(async (random) => {
        const others = random.list(5, () => random.hex(20))
        const accounts = others.map((other) => ({
          address: other,
          nonce: 1n,
          balance: random.bigint(60),
          code: randomContract(random, hardfork, others),
        }))
        const scene = sceneOf(accounts)
        const message = callOf({ to: random.pick(others), gas: 400_000n })
        const plain = await runCall(evmsOf, scene, message)
        if (!('gasUsed' in plain)) throw new Error(plain.kind)
        // runCall drops the logs of calls.
        const context = contextFor(scene, message)
        const runnable = toRunnable(evmsOf.rules, scene, message, 400_000n)
        const kept = await evmsOf.run(
          scene.state,
          context,
          simulationMessage(runnable, paymentOf(runnable, context)),
        )
        for (const request of REQUESTS) {
          const trace = await traceCall(evmsOf, scene, message, tracerFor(request))
          if (trace.kind === 'struct') {
            expect([trace.gasUsed, trace.failed]).toEqual([plain.gasUsed, plain.kind !== 'success'])
            // Within a frame, the gas left falls by the cost of each step.
            for (const [i, step] of trace.steps.entries()) {
              const next = trace.steps[i + 1]
              if (
                next?.depth === step.depth &&
                !step.name.includes('CALL') &&
                !step.name.includes('CREATE')
              ) {
                if (step.error === undefined && next.pc !== 0) expect(next.gas).toBe(step.gas - step.cost)
              }
            }
          }
          if (trace.kind === 'call') {
            expect(trace.root.gasUsed).toBe(plain.gasUsed)
            expect(trace.root.error === undefined).toBe(plain.kind === 'success')
            const logs = kept.outcome.kind === 'success' ? kept.outcome.logs : []
            expect(logsIn(trace.root)).toEqual(
              logs.map((log, index) => expect.objectContaining({ ...log, index })),
            )
          }
        }
      })()
    },
  )
})

/** All logs below a frame, in the order of their numbers. */
function logsIn({ logs, calls }: CallFrame): FrameLog[] {
  return [...logs, ...calls.flatMap(logsIn)].sort((a, b) => a.index - b.index)
}

describe('a machine that was listened to', () => {
  it('tells nobody of its next run', async () => {
    const seen: number[] = []
    const scene = sceneOf([{ address: CONTRACT, code: assemble(1, 'POP') }])
    const runnable = toRunnable(evm.rules, scene, callOf({ to: CONTRACT }), 100_000n)
    const options = { isSimulated: true, firstLogIndex: 0 }
    const tracer = { step: () => void seen.push(1), finish: () => ({ kind: 'noop' as const }) }
    await traceRun(evm, scene.state, contextFor(scene, callOf({})), runnable, tracer, options)
    const count = seen.length
    expect(count).toBe(3)
    await traceCall(evm, scene, callOf({ to: CONTRACT }), tracerFor({ kind: 'noop' }))
    expect(seen.length).toBe(count)
  })
})
