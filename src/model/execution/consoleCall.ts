/** Calls to the console: Hardhat's and Foundry's `console.sol` log by calling an address without code. */
import type { Address } from '../../bytes/hex.ts'

/** "console.log" in ASCII. */
export const CONSOLE_ADDRESS: Address = '0x000000000000000000636f6e736f6c652e6c6f67'

export interface ConsoleCall {
  /** The address of the account that called; behind a proxy, that of the proxy. */
  readonly from: Address
  /** The address whose code ran; behind a proxy, that of the implementation. Equals `from` if no code ran. */
  readonly codeAddress: Address
  /** The code that ran; in a creation, the creation code. Empty if a transaction calls the console itself. */
  readonly code: Uint8Array
  /**
   * The calldata; `undefined` where the limit was reached: this call and all later ones of the execution are not kept.
   */
  readonly input: Uint8Array | undefined
}

/** The console calls of one execution, reverted ones included. */
export type ConsoleCalls = readonly ConsoleCall[]
