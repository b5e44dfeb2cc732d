import { type Address, type Hash, toHex } from '../../bytes/hex.ts'
import type { ConsoleCall, ConsoleCalls } from '../../model/execution/call.ts'
import type { Abis } from './abis.ts'
import { consoleText, consoleValues } from './consoleText.ts'

/** A call of `console.log` in Solidity. */
export interface ConsoleLog {
  /** The printed line; for calls unknown to console.sol, the calldata as hex. */
  readonly text: string
  /** The logged values: numbers are bigints, addresses and bytes are hex. */
  readonly values: readonly (bigint | boolean | string)[]
  /** The calling account; for code behind a proxy, the proxy. */
  readonly from: Address
  /** The contract's name, if its ABI was added with a name. The command line and the page also show artifact names. */
  readonly name: string | undefined
  /** The hash of the transaction; `undefined` in a simulation. */
  readonly transaction: Hash | undefined
}

const codes = new WeakMap<ConsoleLog, Uint8Array>()

interface ContractsByCode {
  contractOf(code: Uint8Array): { readonly name: string | undefined } | undefined
}

/** @internal Returns the name that the ABIs gave the contract at the time of the log, else the name in `others`. */
export function nameOfLog(log: ConsoleLog, others: ContractsByCode): string | undefined {
  const code = codes.get(log)
  return log.name ?? (code && others.contractOf(code)?.name)
}

/** Returns the `console.log` calls of a run in the order of execution. */
export function consoleLogs(calls: ConsoleCalls, abis: Abis, transaction: Hash | undefined): ConsoleLog[] {
  return calls.map((call) => {
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
