/**
 * Hears whether a run depends on how much gas it has, and what it needs if not.
 *
 * Code that neither asks for the gas that is left nor calls other code, which gets a part of that, does the same with any gas
 * that is enough: it needs what it used. Only SSTORE wants more to be there than it takes (EIP-2200).
 */
import type { EVM, Message } from '@ethereumjs/evm'
import type { Rules } from '../model/hardfork/hardfork.ts'

/** SSTORE fails where no more than this is left. */
const SENTRY = 2_300n
const GAS = 0x5a
const SSTORE = 0x55

interface Frame {
  readonly gasLeft: bigint
}

/** EthereumJS's entry for an instruction; it has one for each machine. */
interface Instruction {
  gasHandler: (frame: Frame, ...rest: unknown[]) => unknown
  opHandler: (frame: Frame, ...rest: unknown[]) => unknown
}

export class GasNeed {
  #begin = 0n
  #atLeast = 0n
  #depends = false

  /** Listens to what `evm` runs under `rules`. */
  attach(evm: EVM, rules: Rules): void {
    const instructions = (evm as unknown as { readonly _opcodeMap: readonly Instruction[] })._opcodeMap
    const [gas, sstore] = [instructions[GAS]!, instructions[SSTORE]!]
    const { opHandler } = gas
    gas.opHandler = (...args) => {
      this.#depends = true
      return opHandler(...args)
    }
    if (!rules.common.gteHardfork('istanbul')) return
    const { gasHandler } = sstore
    sstore.gasHandler = (frame, ...rest) => {
      const need = this.#begin - frame.gasLeft + SENTRY + 1n
      if (need > this.#atLeast) this.#atLeast = need
      return gasHandler(frame, ...rest)
    }
  }

  /** Listens to `beforeMessage` of an EVM. */
  readonly hear = ({ depth, gasLimit }: Message): void => {
    if (depth > 0) this.#depends = true
    else this.#begin = gasLimit
  }

  /**
   * What the run that has ended needed to be there for its code, beside what it used; `undefined`: it may end otherwise with
   * less gas, or with more.
   */
  take(): bigint | undefined {
    const need = this.#depends ? undefined : this.#atLeast
    this.#atLeast = 0n
    this.#depends = false
    return need
  }
}
