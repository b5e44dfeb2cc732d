/**
 * Determines whether a run depends on its amount of gas, and if not, how much it needs.
 *
 * Code that neither reads the remaining gas nor calls other code, which gets a part of it, behaves equally with any
 * sufficient gas: it needs the gas that it used. Only SSTORE requires more gas to be left than it uses (EIP-2200).
 */

import type { EVM, Message } from '@ethereumjs/evm'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { OP } from '../../model/opcodes.ts'
import { instructionsOf } from './pauses.ts'

/** SSTORE fails if no more gas is left. */
const SENTRY = 2_300n

/** Determines the gas need of one run at a time. */
export class GasNeed {
  #begin = 0n
  #atLeast = 0n
  #depends = false

  /**
   * Listens to runs of `evm` under `rules`. The entries of GAS and SSTORE in its own table of instructions note that
   * they are run, then call the original with the same arguments and return its result: listening to steps would take
   * several times as long for all instructions.
   */
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
