/**
 * Lets EthereumJS run code without waiting between instructions.
 *
 * Its interpreter awaits each instruction, though few have anything to wait for, and looks for the jump destinations of a contract
 * anew each time that it is called. Here its loop has another body, for code whose steps nobody listens to: what waits is
 * awaited, and the destinations are kept as long as the code is. Instructions, gas and errors are EthereumJS's own. Which of its
 * rules ask for more than that is said below; such code goes the way it always went.
 */
import type { Common } from '@ethereumjs/common'
import { createCustomCommon, Mainnet } from '@ethereumjs/common'
import { createEVM, EVMError } from '@ethereumjs/evm'
import { URGENT, type Work } from '../model/work/work.ts'

/** The machine, and what its runs are a part of. */
export interface WithWork {
  work: Work | undefined
}

/** What is done for an instruction. */
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

/** What is known of code before it runs. */
interface Analysis {
  readonly jumps: Uint8Array
  readonly pushes: Record<number, bigint>
  readonly opcodesCached: readonly Instruction[]
}

/** The parts of EthereumJS's frame that are used here. */
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
  /** Ours: its code is run here. */
  isQuick?: boolean
  run(code: Uint8Array, options?: { readonly pc?: number }): Promise<Finished>
  finish(returnData: Uint8Array): void
  _getValidJumpDestinations(code: Uint8Array): Analysis
}

interface Finished {
  readonly runState: Pick<RunState, 'gasLeft' | 'gasRefund' | 'stateGasSpilled'>
  readonly exceptionError: EVMError | undefined
}

/** The loop of these does more for some instructions than is done here: EOF, Verkle and binary trees, and what Amsterdam plans. */
const OTHERWISE = [3540, 6800, 7864, 7928, 8024, 8037]

let isQuick: Promise<void> | undefined

/** Makes all machines of this process quick. */
export function quickenSteps(): Promise<void> {
  isQuick ??= interpreter().then((prototype) => {
    const { run, finish } = prototype
    prototype.run = function (this: Interpreter, code, options = {}) {
      this.isQuick = isPlain(this, options)
      return this.isQuick ? runQuickly(this, code) : run.call(this, code, options)
    }
    // RETURN throws what its loop catches, which takes as long as twenty other instructions.
    prototype.finish = function (this: Interpreter, returnData) {
      if (this.isQuick !== true) finish.call(this, returnData)
      this._result.returnValue = returnData
      this._runState.programCounter = this._runState.code.length
    }
  })
  return isQuick
}

/** What all interpreters of EthereumJS share; it does not name it, but instructions get to see it. */
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

/** How often a run asks whether others have to have their turn: with what it calls, some milliseconds lie between. */
const GAS_BETWEEN_PAUSES = 20_000n
/** To open a frame takes as long as many an instruction, whatever runs in it. */
const FRAME_GAS = 500

/** As `Interpreter.run`. */
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
    // STOP is how code ends that answers nothing.
    if (error.error !== EVMError.errorMessages.STOP) return finished(interpreter, error)
  }
  return finished(interpreter, undefined)
}

/**
 * How code ended. Whoever asked copies all that its frame and its surroundings have, forty members one by one, which takes as long
 * as many a call; and nobody reads them but those who listen to steps. So there is only what is read.
 */
function finished(interpreter: Interpreter, exceptionError: EVMError | undefined): Finished {
  const { gasLeft, gasRefund, stateGasSpilled } = interpreter._runState
  interpreter._env = NOTHING
  return { runState: { gasLeft, gasRefund, stateGasSpilled }, exceptionError }
}

const NOTHING = {}

const WORD = new Set([0x51, 0x52])

/** Whether it reads or writes a word where memory is already paid for: most instructions with gas of their own are such. */
function isMemoryThere({ opCode, stack, memoryWordCount }: RunState): boolean {
  if (!WORD.has(opCode)) return false
  const [offset] = stack.peek()
  return (offset! + 63n) >> 5n <= memoryWordCount
}

/** Code is kept once and handed out as the same bytes; instructions differ between hardforks. */
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
