/**
 * Listeners to runs of one EthereumJS EVM: they pause runs, and record console calls, coverage and the gas needed. Some
 * wrap entries of the EVM's instruction table, because step events make all instructions several times slower.
 */

import type { Common } from '@ethereumjs/common'
import type { EVM, InterpreterStep, Message } from '@ethereumjs/evm'
import { EMPTY_BYTES, fromHex, toHex } from '../../bytes/hex.ts'
import { CONSOLE_ADDRESS, type ConsoleCall, type ConsoleCalls } from '../../model/execution/call.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { OP } from '../../model/opcodes.ts'
import { URGENT, type Work } from '../../work/work.ts'
import { countInstruction, type HitCollector, type HitCounts } from '../hits.ts'

/** Awaiting one instruction takes about as long as instructions that use this much gas. */
const AWAITED_GAS = 20

/** Pauses runs, so that they do not block timers and sockets, and ends runs at their limits. */
export class Pauses {
  work: Work = URGENT
  #gasLeft = 0n

  /** Checks the time at each instruction with dynamic gas, such as a call, and at each JUMPDEST: each loop has one. */
  attach(evm: EVM): void {
    const instructions = instructionsOf(evm)
    for (const [opcode, instruction] of instructions.entries()) {
      if (opcode === OP.JUMPDEST) instructions[opcode] = this.#loop(instruction)
      else if (instruction.opcodeInfo.dynamicGas) instructions[opcode] = this.#dynamic(instruction)
    }
  }

  #dynamic(instruction: Instruction): Instruction {
    const gasHandler = instruction.gasHandler!
    return {
      ...instruction,
      gasHandler: (frame, gas, common) => {
        const pause = this.#lookAt(frame)
        return pause === undefined
          ? gasHandler(frame, gas, common)
          : pause.then(() => gasHandler(frame, gas, common))
      },
    }
  }

  #loop(instruction: Instruction): Instruction {
    return {
      ...instruction,
      // The interpreter awaits only instructions marked as asynchronous.
      opcodeInfo: { ...instruction.opcodeInfo, isAsync: true },
      opHandler: (frame, common) => {
        instruction.opHandler(frame, common)
        return this.#lookAt(frame)
      },
    }
  }

  #lookAt({ gasLeft }: RunningFrame): Promise<void> | undefined {
    // Negative when the caller continues after a call, because the caller has more gas left than the callee had.
    const used = Number(this.#gasLeft - gasLeft)
    this.#gasLeft = gasLeft
    return this.work.pauseAfter(used > 0 ? used + AWAITED_GAS : AWAITED_GAS)
  }
}

/** Limit of recorded calldata in bytes, because one transaction could log the same 100 kB a hundred thousand times. */
const MOST_BYTES = 16 * 1024 * 1024
/** Approximate memory of a call without its data, in bytes. */
const CALL_BYTES = 300

const CONSOLE = fromHex(CONSOLE_ADDRESS)
const LAST = CONSOLE.length - 1

export class ConsoleListener {
  /** The last frame entered at each depth. An open frame's caller is at the preceding index. */
  readonly #frames: Message[] = []
  #calls: ConsoleCall[] = []
  #bytes = 0

  attach(evm: EVM): void {
    evm.events.on('beforeMessage', this.#hear)
  }

  take(): ConsoleCalls | undefined {
    this.#frames.length = 0
    if (this.#calls.length === 0) return undefined
    const calls = this.#calls
    this.#calls = []
    this.#bytes = 0
    return calls
  }

  readonly #hear = (message: Message): void => {
    this.#frames[message.depth] = message
    if (message.to !== undefined && isConsole(message.to.bytes)) this.#note(message)
  }

  #note({ caller, data, depth }: Message): void {
    if (this.#bytes > MOST_BYTES) return
    this.#bytes += CALL_BYTES + data.length
    const from = toHex(caller.bytes)
    const callerFrame = this.#frames[depth - 1]
    this.#calls.push({
      from,
      codeAddress: callerFrame === undefined ? from : toHex(callerFrame.codeAddress.bytes),
      code: callerFrame === undefined ? EMPTY_BYTES : (callerFrame.code as Uint8Array),
      // EthereumJS passes a view of the caller's memory, which changes later.
      input: this.#bytes > MOST_BYTES ? undefined : data.slice(),
    })
  }
}

/** Returns whether `address` is the console's. Compares the last bytes first: many addresses begin with zeros. */
function isConsole(address: Uint8Array): boolean {
  let at = LAST
  while (at >= 0 && address[at] === CONSOLE[at]) at--
  return at < 0
}

interface CountedFrame {
  readonly message: Message
  /** Whether the message is a creation: recorded early, because EthereumJS later sets `message.to` to the contract. */
  readonly isCreation: boolean
  code: Uint8Array | undefined
  counts: HitCounts | undefined
}

export function countHits(hits: HitCollector) {
  const frames: CountedFrame[] = []
  return {
    beforeMessage(message: Message): void {
      frames.push({ message, isCreation: message.to === undefined, code: undefined, counts: undefined })
    },

    step({ pc }: InterpreterStep): void {
      const frame = frames.at(-1)!
      if (frame.code === undefined) {
        frame.code = frame.message.code as Uint8Array
        frame.counts = hits.countsOf(frame.code, frame.isCreation)
      }
      if (frame.counts !== undefined) countInstruction(frame.code, frame.counts, pc)
    },

    afterMessage(): void {
      frames.pop()
    },
  }
}

/** The instructions that pass gas on. The EVM emits no event for a message that it refuses, although the call was paid. */
const CALLS = [OP.CALL, OP.CALLCODE, OP.DELEGATECALL, OP.STATICCALL, OP.CREATE, OP.CREATE2]

/** SSTORE fails unless more gas than this is left (EIP-2200). */
const SENTRY = 2_300n

/**
 * Finds, for one run at a time, whether the gas limit may affect the outcome, and if not, the gas that SSTORE needs.
 *
 * Code that neither reads the remaining gas nor calls other code behaves the same with any sufficient gas. Such code
 * needs only the gas that it used, except that each SSTORE requires a minimum of remaining gas (EIP-2200).
 */
export class GasNeed {
  #begin = 0n
  #atLeast = 0n
  #depends = false

  attach(evm: EVM, rules: Rules): void {
    const instructions = instructionsOf(evm)
    evm.events.on('beforeMessage', this.#hear)
    for (const opcode of [OP.GAS, ...CALLS]) {
      const instruction = instructions[opcode]
      if (instruction === undefined) continue
      instructions[opcode] = {
        ...instruction,
        opHandler: (...args) => {
          this.#depends = true
          return instruction.opHandler(...args)
        },
      }
    }
    if (!rules.since('istanbul')) return
    const sstore = instructions[OP.SSTORE]!
    instructions[OP.SSTORE] = {
      ...sstore,
      gasHandler: (frame, ...rest) => {
        const need = this.#begin - frame.gasLeft + SENTRY + 1n
        if (need > this.#atLeast) this.#atLeast = need
        return sstore.gasHandler!(frame, ...rest)
      },
    }
  }

  readonly #hear = ({ depth, gasLimit }: Message): void => {
    if (depth === 0) this.#begin = gasLimit
  }

  /** Returns the least initial gas with which no SSTORE lacks gas; `undefined` if the gas limit affects the outcome. */
  take(): bigint | undefined {
    const need = this.#depends ? undefined : this.#atLeast
    this.#atLeast = 0n
    this.#depends = false
    return need
  }
}

/**
 * Keeps step events from reading what a REVERT returns if the frame has too little gas for that much memory.
 * EthereumJS reads it before it charges the gas, so a huge offset would end the run with a `RangeError`.
 */
export function guardReverts(evm: EVM): void {
  const instructions = instructionsOf(evm)
  const revert = instructions[OP.REVERT]
  const gasHandler = revert?.gasHandler
  if (revert === undefined || gasHandler === undefined) return
  instructions[OP.REVERT] = {
    ...revert,
    gasHandler: async (frame, ...rest) => {
      const { memory } = frame
      const { read } = memory
      memory.read = () => EMPTY_BYTES
      const cost = await gasHandler(frame, ...rest)
      if (cost <= frame.gasLeft) memory.read = read
      return cost
    },
  }
}

interface RunningFrame {
  readonly gasLeft: bigint
  readonly memory: { read(offset: number, size: number): Uint8Array }
}

interface Instruction {
  /** The interpreter awaits `gasHandler` if `dynamicGas` is set, and `opHandler` if `isAsync` is set. */
  readonly opcodeInfo: { readonly dynamicGas: boolean; readonly isAsync: boolean }
  readonly gasHandler: ((frame: RunningFrame, gas: bigint, common: Common) => Promise<bigint>) | undefined
  readonly opHandler: (frame: RunningFrame, common: Common) => Promise<void> | void
}

function instructionsOf(evm: EVM): Instruction[] {
  return (evm as unknown as { readonly _opcodeMap: Instruction[] })._opcodeMap
}
