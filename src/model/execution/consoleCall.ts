/** What code says to the console: calls to an address without code, which Hardhat's and Foundry's `console.sol` make. */
import type { Address } from '../bytes/hex.ts'

/** "console.log" in ASCII. */
export const CONSOLE_ADDRESS: Address = '0x000000000000000000636f6e736f6c652e6c6f67'

export interface ConsoleCall {
  /** The account that spoke; behind a proxy, the proxy. */
  readonly from: Address
  /** Whose code it was; behind a proxy, the implementation. The same as `from` where no code ran. */
  readonly codeAddress: Address
  /** The code; of a creation what creates. Empty where a transaction calls the console itself. */
  readonly code: Uint8Array
  /** `undefined`: this and all that the run said after it was too much to keep. */
  readonly input: Uint8Array | undefined
}

/** All that one run said, what it reverted included. */
export type ConsoleCalls = readonly ConsoleCall[]
