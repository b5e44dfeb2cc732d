/**
 * Lets the work that a run is a part of pause it and end it (`work/work.ts`).
 *
 * EthereumJS awaits its instructions, but only promises that are already there, so timers and sockets wait until the run
 * has ended. Some entries in the table of instructions of one EVM therefore look at the time first. They call the
 * original with the same arguments and return its result, and what they read (the gas that is left) they do not change:
 * a run waits there, or ends with the error of its work, but does not get another result.
 */
import type { EVM } from '@ethereumjs/evm'
import { URGENT, type Work } from '../../work/work.ts'
import { type Instruction, instructionsOf, type RunningFrame } from './instructions.ts'

const JUMPDEST = 0x5b

/** The gas of instructions that take about as long as one that is awaited. */
const AWAITED_GAS = 20

/** Pauses the runs of one EVM. */
export class Pauses {
  /** The work that the next run is a part of. */
  work: Work = URGENT
  #gasLeft = 0n

  /**
   * Looks at the time at each JUMPDEST, of which each loop has one, and at each instruction with dynamic gas: what takes
   * long at once, calls included, is among them.
   */
  attach(evm: EVM): void {
    const instructions = instructionsOf(evm)
    for (const [opcode, instruction] of instructions.entries()) {
      if (opcode === JUMPDEST) instructions[opcode] = this.#loop(instruction)
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
