/** The table of instructions of an EVM of EthereumJS. */
import type { Common } from '@ethereumjs/common'
import type { EVM } from '@ethereumjs/evm'

/** A running frame. */
export interface RunningFrame {
  readonly gasLeft: bigint
}

/** An instruction in the table. */
export interface Instruction {
  /** The interpreter awaits `gasHandler` if there is dynamic gas, and `opHandler` if it is asynchronous. */
  readonly opcodeInfo: { readonly dynamicGas: boolean; readonly isAsync: boolean }
  readonly gasHandler: ((frame: RunningFrame, gas: bigint, common: Common) => Promise<bigint>) | undefined
  readonly opHandler: (frame: RunningFrame, common: Common) => Promise<void> | void
}

/** Returns the instructions of `evm` by their bytes. The table belongs to this EVM alone. */
export function instructionsOf(evm: EVM): Instruction[] {
  return (evm as unknown as { readonly _opcodeMap: Instruction[] })._opcodeMap
}
