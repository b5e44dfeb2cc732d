/**
 * Tracers in JavaScript that clients send, with the functions and objects of geth's (eth/tracers/js/goja.go). They run
 * in a sandbox, whose code is loaded with the first such tracer.
 */
import type { QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten-core'
import { type Address, EMPTY_BYTES, toHex, ZERO_ADDRESS } from '../../../bytes/hex.ts'
import { contractAddress } from '../../../model/account/account.ts'
import type { JavascriptOptions, Trace } from '../../../model/execution/trace.ts'
import type { Rules } from '../../../model/hardfork/hardfork.ts'
import { isDefined, nameOf, OP, OPCODE_AT } from '../../../model/opcodes.ts'
import type { Frame, FrameExit, RunState, Step } from '../../engine.ts'
import { precompilesUnder } from '../../precompiles/precompiles.ts'
import { OUT_OF_GAS, REVERTED, STACK_OVERFLOW, STACK_UNDERFLOW, undefinedName } from '../failures.ts'
import { createdBy, isCreation } from '../operands.ts'
import { type TraceBudget, type TraceEnd, type Tracer, TracerFailed, type TraceStart } from '../tracer.ts'
import { BIG_INT_SCRIPT } from './bigIntScript.ts'
import { type CodeFrame, encoded, hostFunctions } from './hostReads.ts'
import { Sandbox } from './sandbox.ts'
import { FRAMES, STEP, STEP_NUMBERS, STEPS, TRACER_SCRIPT } from './tracerScript.ts'

/** The most stack items that a step's buffer has. */
const MOST_WORDS = 8
const MOST_STACK = 1_024
/** SSTORE needs more gas than this (EIP-2200). */
const SENTRY_GAS = 2_300n

interface OpenFrame extends CodeFrame {
  readonly number: number
}

export function javascriptTracer(
  module: QuickJSWASMModule,
  { code, config }: JavascriptOptions,
  budget: TraceBudget,
): Tracer {
  const open: OpenFrame[] = []
  let script: Script | undefined
  let start: TraceStart
  let frames = 0
  let current: Step | undefined
  let state: RunState | undefined
  /** The address of the contract that the last step creates. */
  let created: Address | undefined
  /** Whether the tracer was told that the last step fails. */
  let isTold = false
  /** The number of stack items in the buffer of a step: as many as the tracer read so far. */
  let words = 0
  let outermost: { readonly frame: Frame; readonly to: Address } | undefined
  let end: FrameExit | undefined

  const required = <T>(value: T | undefined): T => {
    if (value === undefined) throw new TracerFailed('tracer accessed log or db outside of a step')
    return value
  }

  const reads = hostFunctions({
    get step() {
      return required(current)
    },
    get state() {
      return required(state)
    },
    get frame() {
      return required(open.at(-1))
    },
    onPeek(index) {
      if (index < MOST_WORDS) words = Math.max(words, index + 1)
    },
  })

  const tell = (name: 'fault' | 'enter' | 'exit', ...args: (string | Uint8Array)[]): void => {
    script!.run(name, args)
  }

  const fault = (error: string): void => {
    if (!isTold) tell('fault', error)
    isTold = true
  }

  return {
    begin(started) {
      start = started
      script = new Script(module, started, reads, code, config)
    },

    enter(frame) {
      const { kind, from, value = 0n } = frame
      const to =
        frame.to ?? (open.length === 0 ? contractAddress(from, start.nonce) : (created ?? ZERO_ADDRESS))
      if (open.length === 0) outermost = { frame, to }
      else if (script!.has(FRAMES)) tell('enter', describedFrame(frame, to), frame.input)
      const parent = open.at(-1)
      const inCaller = kind === 'DELEGATECALL' || kind === 'CALLCODE'
      open.push({
        number: ++frames,
        address: inCaller ? from : to,
        caller: kind === 'DELEGATECALL' && parent !== undefined ? parent.caller : from,
        value,
        input: isCreation(kind) ? EMPTY_BYTES : frame.input,
      })
    },

    step(step) {
      created = createdBy(step)
      state = step.state
      isTold = false
      if (!script!.has(STEPS)) return
      current = step
      const error = failureBefore(step, start.rules)
      isTold = error !== undefined
      script!.run('step', [bufferOf(step, open.length, open.at(-1)!.number, words), error])
    },

    fault,

    exit(exit) {
      const { failure, gasUsed, output } = exit
      if (failure?.kind === 'revert') fault(REVERTED)
      isTold = false
      open.pop()
      if (open.length === 0) end = exit
      else if (script!.has(FRAMES)) {
        tell('exit', JSON.stringify({ gasUsed: Number(gasUsed), error: failure?.error }), output)
      }
    },

    finish(ended): Trace {
      current = undefined
      state = ended.state
      const text = script!.run('result', [contextOf(start, outermost!, end!, ended)]) as string
      budget.take(text.length)
      return { kind: 'javascript', value: JSON.parse(text) }
    },

    dispose() {
      script?.dispose()
    },
  }
}

type Entry = 'load' | 'step' | 'fault' | 'enter' | 'exit' | 'result'

/** The tracer's script in its sandbox, and the functions through which the host calls it. */
class Script {
  readonly #sandbox: Sandbox
  readonly #entries: (name: Entry) => QuickJSHandle
  readonly #functions: number

  constructor(
    module: QuickJSWASMModule,
    { rules, work }: TraceStart,
    reads: ReturnType<typeof hostFunctions>,
    code: string,
    config: string,
  ) {
    const clock = work.withoutPauses()
    const sandbox = new Sandbox(module, () => void clock.pause())
    this.#sandbox = sandbox
    try {
      sandbox.evaluate(BIG_INT_SCRIPT, 'bigInt')
      const names = Array.from({ length: 256 }, (_, opcode) => nameOf(opcode, rules) ?? undefinedName(opcode))
      const entries = sandbox.call(sandbox.evaluate(TRACER_SCRIPT, 'host'), [
        sandbox.hostObject(reads),
        sandbox.evaluate(JSON.stringify(names), 'host'),
        sandbox.evaluate(JSON.stringify([...precompilesUnder(rules).keys()]), 'host'),
      ])
      const known = new Map<Entry, QuickJSHandle>()
      this.#entries = (name) => {
        const handle = known.get(name) ?? sandbox.member(entries, name)
        known.set(name, handle)
        return handle
      }
      const tracer = sandbox.evaluate(`(${code}\n)`, 'tracer')
      this.#functions = sandbox.load(this.#entries('load'), tracer, config)
    } catch (error) {
      sandbox.dispose()
      throw error
    }
  }

  has(functions: number): boolean {
    return (this.#functions & functions) !== 0
  }

  run(name: Exclude<Entry, 'load'>, args: readonly (string | Uint8Array | undefined)[]): unknown {
    return this.#sandbox.run(this.#entries(name), args, name)
  }

  dispose(): void {
    this.#sandbox.dispose()
  }
}

/**
 * Returns the error of a step that fails before its instruction runs. As in geth, the tracer's function `step` is then
 * called with the error, and `fault` is not called.
 */
function failureBefore({ opcode, stack, gas, cost }: Step, rules: Rules): string | undefined {
  const definition = OPCODE_AT[opcode]
  if (definition === undefined || !isDefined(definition, rules)) return undefined
  if (stack.length < definition.takes) return STACK_UNDERFLOW
  if (stack.length - definition.takes + definition.puts > MOST_STACK) return STACK_OVERFLOW
  const isStarved = opcode === OP.SSTORE && rules.since('istanbul') && gas <= SENTRY_GAS
  return gas < cost || isStarved ? OUT_OF_GAS : undefined
}

function bufferOf(step: Step, depth: number, frame: number, most: number): Uint8Array {
  const { stack } = step
  const words = Math.min(stack.length, most)
  const buffer = new ArrayBuffer(8 * STEP_NUMBERS + 32 * words)
  const numbers = new Float64Array(buffer, 0, STEP_NUMBERS)
  numbers[STEP.pc] = step.pc
  numbers[STEP.opcode] = step.opcode
  numbers[STEP.gas] = Number(step.gas)
  numbers[STEP.cost] = Number(step.cost)
  numbers[STEP.depth] = depth
  numbers[STEP.refund] = Number(step.refund)
  numbers[STEP.height] = stack.length
  numbers[STEP.words] = words
  numbers[STEP.frame] = frame
  const limbs = new BigUint64Array(buffer, 8 * STEP_NUMBERS)
  for (let i = 0; i < words; i++) {
    let word = stack[stack.length - 1 - i]!
    for (let limb = 4 * i; word > 0n; word >>= 64n) limbs[limb++] = word
  }
  return new Uint8Array(buffer)
}

function describedFrame({ kind, from, value, gas }: Frame, to: Address): string {
  return JSON.stringify({
    type: kind,
    from,
    to,
    gas: Number(gas),
    value: value === undefined ? undefined : encoded(value),
  })
}

/** Returns the JSON of the parameter `ctx` of the tracer's function `result`. */
function contextOf(
  { gasLimit, gasPrice, block, transaction }: TraceStart,
  { frame, to }: { readonly frame: Frame; readonly to: Address },
  { output, failure }: FrameExit,
  { outcome }: TraceEnd,
): string {
  return JSON.stringify({
    type: isCreation(frame.kind) ? 'CREATE' : 'CALL',
    from: frame.from,
    to,
    input: toHex(frame.input),
    output: toHex(output),
    gas: Number(gasLimit),
    gasUsed: Number(outcome.gasUsed),
    gasPrice: encoded(gasPrice),
    value: encoded(frame.value ?? 0n),
    block: Number(block.number),
    coinbase: block.coinbase,
    error: failure?.error,
    blockHash: transaction?.blockHash,
    txIndex: transaction?.index,
    txHash: transaction?.hash,
  })
}
