/**
 * Makes EthereumJS run code without awaiting each instruction.
 *
 * EthereumJS's interpreter awaits each instruction, although few are asynchronous, and analyses a contract's jump
 * destinations at each call. This replaces the body of its loop for code without listeners to steps: only asynchronous
 * instructions are awaited, and the analysis is kept as long as the code. Instructions, gas and errors are EthereumJS's
 * own. Code under rules that need more (`OTHERWISE`) runs in the original loop.
 */
import type { Common } from '@ethereumjs/common'
import { createCustomCommon, Mainnet } from '@ethereumjs/common'
import { createEVM, EVMError } from '@ethereumjs/evm'
import { URGENT, type Work } from '../model/work/work.ts'

/** An EVM, and the work that its runs are a part of. */
export interface WithWork {
  work: Work | undefined
}

/** The function of an instruction. */
interface Instruction {
  readonly opcodeInfo: {
    readonly code: number
    readonly feeBigInt: bigint
    readonly dynamicGas: boolean
    readonly isInvalid: boolean
  }
  readonly gasHandler: (state: RunState, gas: bigint, common: Common) => Promise<bigint>
  readonly opHandler: (state: RunState, common: Common) => Promise<void> | void
}

/** The analysis of code before it runs. */
interface Analysis {
  readonly jumps: Uint8Array
  readonly pushes: Record<number, bigint>
  readonly opcodesCached: readonly Instruction[]
}

/** The members of EthereumJS's run state that are used here. */
interface RunState {
  programCounter: number
  opCode: number
  code: Uint8Array
  validJumps: Uint8Array
  cachedPushes: Record<number, bigint>
  shouldDoJumpAnalysis: boolean
  gasLeft: bigint
  readonly gasRefund: bigint
  readonly stateGasSpilled: bigint
  readonly memoryWordCount: bigint
  readonly stack: { peek(): bigint[] }
  readonly interpreter: Interpreter
}

interface Interpreter {
  readonly common: Common
  readonly profilerOpts?: { readonly enabled?: boolean }
  readonly _runState: RunState
  readonly _result: { returnValue: Uint8Array | undefined }
  _env: object
  readonly _evm: WithWork & {
    readonly DEBUG: boolean
    readonly events: { listenerCount(event: 'step'): number }
    readonly _opcodeMap: readonly Instruction[]
  }
  /** Added by preseal: whether this loop runs the code. */
  isQuick?: boolean
  run(code: Uint8Array, options?: { readonly pc?: number }): Promise<Finished>
  finish(returnData: Uint8Array): void
  _getValidJumpDestinations(code: Uint8Array): Analysis
}

interface Finished {
  readonly runState: Pick<RunState, 'gasLeft' | 'gasRefund' | 'stateGasSpilled'>
  readonly exceptionError: EVMError | undefined
}

/**
 * EIPs for which EthereumJS's loop does more than this one: EOF, Verkle and binary trees, and those planned for
 * Amsterdam.
 */
const OTHERWISE = [3540, 6800, 7864, 7928, 8024, 8037]

let isQuick: Promise<void> | undefined

/** Replaces the loop in all EVMs of this process. */
export function quickenSteps(): Promise<void> {
  isQuick ??= interpreter().then((prototype) => {
    const { run, finish } = prototype
    prototype.run = function (this: Interpreter, code, options = {}) {
      this.isQuick = isPlain(this, options)
      return this.isQuick ? runQuickly(this, code) : run.call(this, code, options)
    }
    // The original RETURN throws an error that the loop catches, which takes as long as twenty other instructions.
    prototype.finish = function (this: Interpreter, returnData) {
      if (this.isQuick !== true) finish.call(this, returnData)
      this._result.returnValue = returnData
      this._runState.programCounter = this._runState.code.length
    }
  })
  return isQuick
}

/**
 * Returns the prototype of EthereumJS's interpreters. The package does not export it, but instructions receive an
 * instance.
 */
async function interpreter(): Promise<Interpreter> {
  let seen: Interpreter | undefined
  const logicFunction = ({ interpreter }: { interpreter: unknown }) => {
    seen = interpreter as Interpreter
  }
  const evm = await createEVM({
    common: createCustomCommon({}, Mainnet),
    customOpcodes: [{ opcode: 0x0c, opcodeName: 'SEE', baseFee: 0, logicFunction }],
  })
  await evm.runCode({ code: Uint8Array.of(0x0c), gasLimit: 1n })
  if (seen === undefined) throw new Error('EthereumJS did not run an instruction of ours')
  return Object.getPrototypeOf(seen)
}

const plain = new WeakMap<Common, boolean>()

function isPlain({ common, profilerOpts, _evm }: Interpreter, { pc }: { readonly pc?: number }): boolean {
  if (pc !== undefined || profilerOpts?.enabled === true || _evm.DEBUG) return false
  if (_evm.events.listenerCount('step') > 0) return false
  let isKnown = plain.get(common)
  if (isKnown === undefined) {
    isKnown = OTHERWISE.every((eip) => !common.isActivatedEIP(eip))
    plain.set(common, isKnown)
  }
  return isKnown
}

/** The gas between two calls of `pause`: with the calls that the code makes, some milliseconds. */
const GAS_BETWEEN_PAUSES = 20_000n
/** The gas of instructions that take about as long as opening a frame. */
const FRAME_GAS = 500

/** Replaces `Interpreter.run`. */
async function runQuickly(interpreter: Interpreter, code: Uint8Array): Promise<Finished> {
  const { _runState: state, common } = interpreter
  const { jumps, pushes, opcodesCached } = analysisOf(interpreter, code)
  state.code = code
  state.validJumps = jumps
  state.cachedPushes = pushes
  state.shouldDoJumpAnalysis = false
  const { work = URGENT } = interpreter._evm
  const begin = work.pauseAfter(FRAME_GAS)
  if (begin !== undefined) await begin
  let nextPause = state.gasLeft - GAS_BETWEEN_PAUSES
  try {
    while (state.programCounter < code.length) {
      const instruction = opcodesCached[state.programCounter]!
      const { opcodeInfo } = instruction
      state.opCode = opcodeInfo.code
      let gas = opcodeInfo.feeBigInt
      if (opcodeInfo.dynamicGas && !isMemoryThere(state))
        gas = await instruction.gasHandler(state, gas, common)
      if (opcodeInfo.isInvalid) throw new EVMError(EVMError.errorMessages.INVALID_OPCODE)
      state.gasLeft -= gas
      if (state.gasLeft < 0n) {
        state.gasLeft = 0n
        throw new EVMError(EVMError.errorMessages.OUT_OF_GAS)
      }
      if (state.gasLeft < nextPause) {
        nextPause = state.gasLeft - GAS_BETWEEN_PAUSES
        const pause = work.pause()
        if (pause !== undefined) await pause
      }
      state.programCounter++
      const working = instruction.opHandler(state, common)
      if (working !== undefined) await working
    }
  } catch (error) {
    if (!(error instanceof EVMError)) throw error
    // STOP ends code that returns nothing.
    if (error.error !== EVMError.errorMessages.STOP) return finished(interpreter, error)
  }
  return finished(interpreter, undefined)
}

/**
 * Returns the result of a run. The original copies forty members of the frame and its environment, which takes as long
 * as many a call, and only listeners to steps read them. This result has only the members that are read.
 */
function finished(interpreter: Interpreter, exceptionError: EVMError | undefined): Finished {
  const { gasLeft, gasRefund, stateGasSpilled } = interpreter._runState
  interpreter._env = NOTHING
  return { runState: { gasLeft, gasRefund, stateGasSpilled }, exceptionError }
}

const NOTHING = {}

const WORD = new Set([0x51, 0x52])

/**
 * Returns whether the instruction accesses a word of memory that is already paid for, as most instructions with dynamic
 * gas do.
 */
function isMemoryThere({ opCode, stack, memoryWordCount }: RunState): boolean {
  if (!WORD.has(opCode)) return false
  const [offset] = stack.peek()
  return (offset! + 63n) >> 5n <= memoryWordCount
}

/** The analyses by instruction table and code: tables differ between hardforks, and equal code is the same array. */
const analyses = new WeakMap<readonly Instruction[], WeakMap<Uint8Array, Analysis>>()

function analysisOf(interpreter: Interpreter, code: Uint8Array): Analysis {
  const { _opcodeMap: instructions } = interpreter._evm
  let known = analyses.get(instructions)
  if (known === undefined) {
    known = new WeakMap()
    analyses.set(instructions, known)
  }
  let analysis = known.get(code)
  if (analysis === undefined) {
    analysis = interpreter._getValidJumpDestinations(code)
    known.set(code, analysis)
  }
  return analysis
}
