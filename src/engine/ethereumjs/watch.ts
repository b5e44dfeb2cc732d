/**
 * Translates events of EthereumJS's EVM to calls of watchers (`engine.ts`). Derives from the steps what EthereumJS
 * does not report: refused calls, SELFDESTRUCTs, return data, and opcodes of undefined instructions.
 */

import type { EVMResult, InterpreterStep, Message } from '@ethereumjs/evm'
import { type Address, EMPTY_BYTES, toHex } from '../../bytes/hex.ts'
import type { CallKind } from '../../model/execution/trace.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { OP } from '../../model/opcodes.ts'
import type { StateView } from '../../state/view.ts'
import type { Work } from '../../work/work.ts'
import type { Frame, FrameFailure, Step, Watcher } from '../engine.ts'
import {
  DEPOSIT_OUT_OF_GAS,
  INSUFFICIENT_BALANCE,
  INVALID,
  OUT_OF_RETURN_DATA,
  PRECOMPILE_FAILED,
  TOO_DEEP,
  undefinedName,
} from '../trace/failures.ts'
import {
  exitWithoutCode,
  FRAME_OPENERS,
  fromTop,
  isCreation,
  passedGas,
  readMemory,
  reportSelfDestruct,
  toAddress,
} from '../trace/operands.ts'
import { failureOf, isCodeDepositError, isOutOfGas } from './outcomeOf.ts'

/** Instructions after which the code has ended without an error. */
const ENDS: ReadonlySet<number> = new Set([OP.STOP, OP.RETURN, OP.SELFDESTRUCT])
const DEEPEST = 1024
const CALL_STIPEND = 2_300n

interface OpenFrame {
  readonly message: Message
  readonly kind: CallKind
  /** The account of the frame's storage; `undefined` before the frame's first step. */
  address: Address | undefined
  last: Step | undefined
  isOpening: boolean
  /** The gas that the last step passes to the frame it opens. */
  passed: bigint
  returnData: Uint8Array
  /** The balance that the last step transfers if it is a SELFDESTRUCT. */
  destroyedBalance: bigint
}

const FRESH = {
  address: undefined,
  last: undefined,
  isOpening: false,
  passed: 0n,
  returnData: EMPTY_BYTES,
  destroyedBalance: 0n,
}

/** Reporting one step takes about as long as instructions that use this much gas. */
const STEP_GAS = 100

export interface Listener {
  /** Reports a step. The EVM waits until the listener calls `then`, and then for the promise passed to `then`. */
  step(event: InterpreterStep, then?: (paused: Promise<void> | undefined) => void): void
  beforeMessage(message: Message): void
  afterMessage(result: EVMResult): void
}

/** Returns a listener that reports a run to `watcher`. `world`: the state during the run. */
export function watch(rules: Rules, world: StateView, watcher: Watcher, work: Work): Listener {
  const frames: OpenFrame[] = []

  const settleOpening = (open: OpenFrame): void => {
    if (!open.isOpening) return
    open.isOpening = false
    open.returnData = EMPTY_BYTES
    watcher.enter?.(unopened(rules, open))
    watcher.exit?.(
      exitWithoutCode({ kind: 'halt', error: frames.length > DEEPEST ? TOO_DEEP : INSUFFICIENT_BALANCE }),
    )
  }

  return {
    step(event, then) {
      const open = frames.at(-1)!
      settleOpening(open)
      const fee = event.opcode.dynamicFee ?? BigInt(event.opcode.fee)
      open.passed = passedGas(rules, event.opcode.code, event.stack, event.gasLeft - fee)
      open.address ??= toHex(event.address.bytes)
      const step = stepOf(event, open, open.address, fee + open.passed, world)
      open.last = step
      open.isOpening = FRAME_OPENERS.has(step.opcode)
      if (step.opcode === OP.SELFDESTRUCT) open.destroyedBalance = world.account(step.address)?.balance ?? 0n
      watcher.step?.(step)
      // Each step copies the memory, so a longer memory takes more time.
      then?.(work.pauseAfter(STEP_GAS + event.memory.length))
    },

    beforeMessage(message) {
      const parent = frames.at(-1)
      const kind = kindOf(message, parent)
      if (parent !== undefined) parent.isOpening = false
      frames.push({ message, kind, ...FRESH })
      watcher.enter?.(frameOf(message, kind))
    },

    afterMessage({ execResult, createdAddress }) {
      const { exceptionError, returnValue, executionGasUsed } = execResult
      const open = frames.at(-1)!
      const { message, kind, last } = open
      const failure = exceptionError && failed(exceptionError, open)
      if (failure === undefined) {
        settleOpening(open)
        const stop = implicitStop(open, execResult)
        if (stop !== undefined) watcher.step?.(stop)
        if (last?.opcode === OP.SELFDESTRUCT) {
          reportSelfDestruct(watcher, last.address, toAddress(fromTop(last.stack, 0)), open.destroyedBalance)
        }
      }
      const isAfterCode =
        failure?.error === DEPOSIT_OUT_OF_GAS || (exceptionError && isCodeDepositError(exceptionError))
      if (failure?.kind === 'halt' && last !== undefined && !isAfterCode) {
        watcher.fault?.(failure.error)
      }
      frames.pop()
      const isCreated = isCreation(kind)
      const output = failure?.kind === 'halt' ? EMPTY_BYTES : returnValue
      const parent = frames.at(-1)
      if (parent !== undefined) {
        parent.returnData = isCreated && failure === undefined ? EMPTY_BYTES : output
      }
      watcher.exit?.({
        gasUsed: executionGasUsed,
        output,
        failure,
        createdAddress:
          isCreated && failure === undefined && createdAddress !== undefined
            ? toHex(createdAddress.bytes)
            : undefined,
        isPrecompile: message.isCompiled,
      })
    },
  }
}

function stepOf(
  event: InterpreterStep,
  { message, returnData }: OpenFrame,
  address: Address,
  cost: bigint,
  state: StateView,
): Step {
  const { pc, gasLeft, gasRefund, stack, depth, memory, memoryWordCount } = event
  const isUndefined = event.opcode.code === INVALID
  // EthereumJS reports all undefined instructions as INVALID.
  const opcode = isUndefined ? ((message.code as Uint8Array)[pc] ?? INVALID) : event.opcode.code
  return {
    pc,
    opcode,
    name: isUndefined && opcode !== INVALID ? undefinedName(opcode) : event.opcode.name,
    gas: gasLeft,
    cost,
    depth,
    code: message.code as Uint8Array,
    refund: gasRefund,
    stack,
    memory: asPaid(memory, memoryWordCount),
    returnData,
    address,
    state,
  }
}

/** Returns the STOP that geth reports as the last step of code that runs past its end. */
function implicitStop(
  { last, returnData }: OpenFrame,
  { runState, gasRefund = 0n }: EVMResult['execResult'],
): Step | undefined {
  if (last === undefined || runState === undefined || ENDS.has(last.opcode)) return undefined
  const { programCounter, gasLeft, stack, memory, memoryWordCount } = runState
  return {
    ...last,
    pc: programCounter,
    opcode: OP.STOP,
    name: 'STOP',
    gas: gasLeft,
    cost: 0n,
    // Not `runState.gasRefund`, which is the refund at the start of the code.
    refund: gasRefund,
    stack: stack.getStack(),
    memory: asPaid(memory._store, memoryWordCount),
    returnData,
  }
}

/** Returns the memory at the size that was paid for. EthereumJS's buffer may be shorter than the paid size. */
function asPaid(memory: Uint8Array, words: bigint): Uint8Array {
  const length = Number(words) * 32
  // For an instruction that runs out of gas, EthereumJS counts words that it never allocates.
  if (memory.length === length || length > MOST_MEMORY) return memory
  const paid = new Uint8Array(length)
  paid.set(memory.subarray(0, length))
  return paid
}

/** 1 GiB, which costs more gas than a block has. */
const MOST_MEMORY = 2 ** 30

function kindOf(message: Message, parent: OpenFrame | undefined): CallKind {
  if (parent?.last === undefined) return message.to === undefined ? 'CREATE' : 'CALL'
  return FRAME_OPENERS.get(parent.last.opcode) ?? 'CALL'
}

function frameOf(message: Message, kind: CallKind): Frame {
  const { to, caller, value, data, gasLimit } = message
  // For DELEGATECALL and CALLCODE, EthereumJS's `to` is the account in which the code runs.
  const keepsAccount = kind === 'DELEGATECALL' || kind === 'CALLCODE'
  // Creations have no `codeAddress`, and reading it throws.
  const called = keepsAccount ? message.codeAddress : to
  return {
    kind,
    from: toHex((keepsAccount ? to! : caller).bytes),
    to: called && toHex(called.bytes),
    value: kind === 'STATICCALL' ? undefined : value,
    // EthereumJS passes a view of the caller's memory, which changes later.
    input: data.slice(),
    gas: gasLimit,
  }
}

function unopened(rules: Rules, { last, message, passed }: OpenFrame): Frame {
  const { opcode, stack, memory, address, gas, cost } = last!
  const kind = FRAME_OPENERS.get(opcode)!
  if (isCreation(kind)) {
    const left = gas - cost
    return {
      kind,
      from: address,
      to: undefined,
      value: fromTop(stack, 0),
      input: readMemory(memory, fromTop(stack, 1), fromTop(stack, 2)),
      gas: rules.since('tangerineWhistle') ? left - left / 64n : left,
    }
  }
  const carries = kind === 'CALL' || kind === 'CALLCODE'
  const inputAt = carries ? 3 : 2
  const value = carries ? fromTop(stack, 2) : kind === 'DELEGATECALL' ? message.value : undefined
  return {
    kind,
    from: address,
    to: toAddress(fromTop(stack, 1)),
    value,
    input: readMemory(memory, fromTop(stack, inputAt), fromTop(stack, inputAt + 1)),
    gas: carries && value !== 0n ? passed + CALL_STIPEND : passed,
  }
}

function failed(
  error: NonNullable<EVMResult['execResult']['exceptionError']>,
  open: OpenFrame,
): FrameFailure {
  const { kind, last, message } = open
  if (message.isCompiled && !isOutOfGas(error)) return { kind: 'halt', error: PRECOMPILE_FAILED }
  // The code returned without an error, but the gas left does not cover the deposit of the new contract's code.
  const isDeposit =
    isCreation(kind) && isOutOfGas(error) && last?.opcode === OP.RETURN && last.cost <= last.gas
  if (isOutOfGas(error) && last?.opcode === OP.RETURNDATACOPY && last.cost <= last.gas) {
    return { kind: 'halt', error: OUT_OF_RETURN_DATA }
  }
  return isDeposit ? { kind: 'halt', error: DEPOSIT_OUT_OF_GAS } : failureOf(error, last?.opcode)
}
