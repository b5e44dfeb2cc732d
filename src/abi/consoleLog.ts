/** What code said to the console, as people read it. */

import { type Address, type Hash, toHex } from '../model/bytes/hex.ts'
import type { ConsoleCall, ConsoleCalls } from '../model/execution/consoleCall.ts'
import type { Abis } from './abis.ts'
import { consoleText } from './consoleText.ts'
import { consoleValues } from './consoleValues.ts'

/** A `console.log` in Solidity. */
export interface ConsoleLog {
  /** What it prints; the bytes of the call as hex, where no console.sol has such a call. */
  readonly text: string
  /** What was to be printed: numbers are bigints, addresses and bytes hex. */
  readonly values: readonly (bigint | boolean | string)[]
  /** The account that called; behind a proxy, the proxy. */
  readonly from: Address
  /** The contract whose code it was, where its ABI was added under a name. */
  readonly name: string | undefined
  /** The hash of the transaction that was run; `undefined`: a simulation. */
  readonly transaction: Hash | undefined
}

/** All that one run said, in its order. */
export function consoleLogs(said: ConsoleCalls, abis: Abis, transaction: Hash | undefined): ConsoleLog[] {
  return said.map((call) => {
    const values = call.input && consoleValues(call.input)
    return {
      text: values === undefined ? undecoded(call) : consoleText(values),
      values: values?.map(({ value }) => value) ?? [],
      from: call.from,
      name: nameOf(call, abis),
      transaction,
    }
  })
}

function undecoded({ input }: ConsoleCall): string {
  return input === undefined ? '… more was said than is kept' : toHex(input)
}

function nameOf({ from, codeAddress, code }: ConsoleCall, abis: Abis): string | undefined {
  return abis.find(codeAddress, code)?.name ?? abis.find(from)?.name
}
