/**
 * Listeners to the runs of one EVM of EthereumJS: they pause it, and note its calls of the console, its hits and its need of gas.
 *
 * Some replace entries in the EVM's own table of instructions. These call the original with the same arguments and return its
 * result, so that results do not change: listening to steps would take several times as long for all instructions.
 */

import type { Common } from '@ethereumjs/common'
import type { EVM, InterpreterStep, Message } from '@ethereumjs/evm'
import { EMPTY_BYTES, fromHex, toHex } from '../../bytes/hex.ts'
import { CONSOLE_ADDRESS, type ConsoleCall, type ConsoleCalls } from '../../model/execution/call.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { OP } from '../../model/opcodes.ts'
import { URGENT, type Work } from '../../work/work.ts'
import { countInstruction, type HitCollector, type HitCounts } from '../hits.ts'

/** The gas of instructions that take about as long as one that is awaited. */
const AWAITED_GAS = 20

/**
 * Lets the work that a run is a part of pause it and end it (`work/work.ts`). EthereumJS awaits its instructions, but only
 * promises that are already there, so timers and sockets would wait until the run has ended.
 */
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

/** SSTORE fails if no more gas is left. */
const SENTRY = 2_300n

/**
 * Determines whether a run depends on its amount of gas, and if not, how much it needs; one run at a time.
 *
 * Code that neither reads the remaining gas nor calls other code, which gets a part of it, behaves equally with any
 * sufficient gas: it needs the gas that it used. Only SSTORE requires more gas to be left than it uses (EIP-2200).
 */
export class GasNeed {
  #begin = 0n
  #atLeast = 0n
  #depends = false

  /** Listens to runs of `evm` under `rules`. */
  attach(evm: EVM, rules: Rules): void {
    const instructions = instructionsOf(evm)
    const [gas, sstore] = [instructions[OP.GAS]!, instructions[OP.SSTORE]!]
    evm.events.on('beforeMessage', this.#hear)
    instructions[OP.GAS] = {
      ...gas,
      opHandler: (...args) => {
        this.#depends = true
        return gas.opHandler(...args)
      },
    }
    if (!rules.since('istanbul')) return
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
    if (depth > 0) this.#depends = true
    else this.#begin = gasLimit
  }

  /**
   * Returns the gas that the last run's code needed in addition to what it used; `undefined` if its outcome may differ
   * with less or more gas.
   */
  take(): bigint | undefined {
    const need = this.#depends ? undefined : this.#atLeast
    this.#atLeast = 0n
    this.#depends = false
    return need
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
function instructionsOf(evm: EVM): Instruction[] {
  return (evm as unknown as { readonly _opcodeMap: Instruction[] })._opcodeMap
}
