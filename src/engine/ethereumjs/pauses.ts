/**
 * Lets the work that a run is a part of pause it and end it (`work/work.ts`).
 *
 * EthereumJS awaits its instructions, but only promises that are already there, so timers and sockets wait until the run
 * has ended. Some entries in the table of instructions of one EVM therefore look at the time first. They call the
 * original with the same arguments and return its result, and they only read the gas left: a run waits there, or ends with
 * the error of its work, but its result does not change.
 */

import type { Common } from '@ethereumjs/common'
import type { EVM, InterpreterStep, Message } from '@ethereumjs/evm'
import { EMPTY_BYTES, fromHex, toHex } from '../../bytes/hex.ts'
import { CONSOLE_ADDRESS, type ConsoleCall, type ConsoleCalls } from '../../model/execution/call.ts'
import { OP } from '../../model/opcodes.ts'
import { URGENT, type Work } from '../../work/work.ts'
import { countInstruction, type HitCollector, type HitCounts } from '../hits.ts'

/** The gas of instructions that take about as long as one that is awaited. */
const AWAITED_GAS = 20

/** Pauses the runs of one EVM. */
export class Pauses {
  /** The work that the next run is a part of. */
  work: Work = URGENT
  #gasLeft = 0n

  /**
   * Looks at the time at each JUMPDEST, which every loop has, and at each instruction with dynamic gas, which long
   * instructions and calls have.
   */
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
      // The interpreter awaits only instructions that are marked.
      opcodeInfo: { ...instruction.opcodeInfo, isAsync: true },
      opHandler: (frame, common) => {
        instruction.opHandler(frame, common)
        return this.#lookAt(frame)
      },
    }
  }

  #lookAt({ gasLeft }: RunningFrame): Promise<void> | undefined {
    // Negative where a call has returned: its gas was counted within it.
    const used = Number(this.#gasLeft - gasLeft)
    this.#gasLeft = gasLeft
    return this.work.pauseAfter(used > 0 ? used + AWAITED_GAS : AWAITED_GAS)
  }
}

/** The limit of kept calldata: a transaction within its gas limit can log the same 100 kB a hundred thousand times. */
const MOST_BYTES = 16 * 1024 * 1024
/** The approximate memory of a call without its data, in bytes. */
const CALL_BYTES = 300

const CONSOLE = fromHex(CONSOLE_ADDRESS)
const LAST = CONSOLE.length - 1

/** Collects the console calls of one run at a time. */
export class ConsoleListener {
  /** The last frame entered at each depth. The caller of an open frame is the one before it. */
  readonly #frames: Message[] = []
  #calls: ConsoleCall[] = []
  #bytes = 0

  /** Listens to runs of `evm`. */
  attach(evm: EVM): void {
    evm.events.on('beforeMessage', this.#hear)
  }

  /** Returns the calls of the run that has ended; `undefined` if there were none. */
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
      // EthereumJS passes a view of the caller's memory, which continues to change.
      input: this.#bytes > MOST_BYTES ? undefined : data.slice(),
    })
  }
}

/** Compares from the end: most addresses differ there, and many begin with zeros. */
function isConsole(address: Uint8Array): boolean {
  let at = LAST
  while (at >= 0 && address[at] === CONSOLE[at]) at--
  return at < 0
}

/** A frame whose counts are looked up at its first instruction. */
interface CountedFrame {
  readonly message: Message
  /** Its message gets the new address later. */
  readonly isCreation: boolean
  code: Uint8Array | undefined
  counts: HitCounts | undefined
}

/** Returns listeners to the events of an EVM, which report how often code runs to `hits`. */
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

/** A running frame. */
interface RunningFrame {
  readonly gasLeft: bigint
}

/** An instruction in the table. */
interface Instruction {
  /** The interpreter awaits `gasHandler` if there is dynamic gas, and `opHandler` if it is asynchronous. */
  readonly opcodeInfo: { readonly dynamicGas: boolean; readonly isAsync: boolean }
  readonly gasHandler: ((frame: RunningFrame, gas: bigint, common: Common) => Promise<bigint>) | undefined
  readonly opHandler: (frame: RunningFrame, common: Common) => Promise<void> | void
}

/** Returns the instructions of `evm` by their bytes. The table belongs to this EVM alone. */
export function instructionsOf(evm: EVM): Instruction[] {
  return (evm as unknown as { readonly _opcodeMap: Instruction[] })._opcodeMap
}
