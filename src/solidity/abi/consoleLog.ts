/** Calls of Solidity's console as readable text. */

import { type Address, type Hash, toHex } from '../../bytes/hex.ts'
import type { ConsoleCall, ConsoleCalls } from '../../model/execution/call.ts'
import type { Abis } from './abis.ts'
import { consoleText } from './consoleText.ts'
import { consoleValues } from './consoleValues.ts'

/** A call of `console.log` in Solidity. */
export interface ConsoleLog {
  /** The printed line. For calls that no console.sol has, the calldata as hex. */
  readonly text: string
  /** The logged values: numbers are bigints, addresses and bytes are hex. */
  readonly values: readonly (bigint | boolean | string)[]
  /** The address of the account that called; behind a proxy, that of the proxy. */
  readonly from: Address
  /**
   * The name of the contract whose code ran, if its ABI was added with a name. Artifacts, which may have to be read first, name it where the
   * command line prints it and on the page.
   */
  readonly name: string | undefined
  /** The hash of the executed transaction; `undefined` in a simulation. */
  readonly transaction: Hash | undefined
}

/** The code that printed each. */
const codes = new WeakMap<ConsoleLog, Uint8Array>()

/** @internal What recognizes code besides ABIs that were added. */
interface ContractsByCode {
  contractOf(code: Uint8Array): { readonly name: string | undefined } | undefined
}

/** @internal Returns the name of the contract that printed `log`: by the ABIs that were added when it did, or by `others` of now. */
export function nameOfLog(log: ConsoleLog, others: ContractsByCode): string | undefined {
  const code = codes.get(log)
  return log.name ?? (code && others.contractOf(code)?.name)
}

/** Returns the logs of one execution, in order. */
export function consoleLogs(said: ConsoleCalls, abis: Abis, transaction: Hash | undefined): ConsoleLog[] {
  return said.map((call) => {
    const values = call.input && consoleValues(call.input)
    const log: ConsoleLog = {
      text: values === undefined ? undecoded(call) : consoleText(values),
      values: values?.map(({ value }) => value) ?? [],
      from: call.from,
      name: nameOf(call, abis),
      transaction,
    }
    codes.set(log, call.code)
    return log
  })
}

function undecoded({ input }: ConsoleCall): string {
  return input === undefined ? '… further console calls are not kept' : toHex(input)
}

function nameOf({ from, codeAddress, code }: ConsoleCall, abis: Abis): string | undefined {
  return abis.find(codeAddress, code)?.name ?? abis.find(from)?.name
}
