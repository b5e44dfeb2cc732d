/** The error `Reverted`, for a call or transaction that failed. */
import type { Hash, Hex } from '../bytes/hex.ts'
import { pagePaths } from '../model/api/text.ts'
import { revertReason } from '../model/execution/revertReason.ts'
import type { ExecutionFailure } from '../model/receipt/receipt.ts'
import type { RpcContext } from '../rpc/context.ts'
import { haltText } from '../rpc/errors/errors.ts'
import type { Abis } from '../solidity/abi/abis.ts'
import { shortenedHex } from '../solidity/abi/decoded.ts'
import { withSolidityStack } from '../solidity/stackTrace/errorStack.ts'
import { cause, type LateStackTrace, type SolidityStackTrace } from '../solidity/stackTrace/format.ts'
import { encodeBytes } from '../wire/hex.ts'
import { type ContractAbi, errorOf } from './contract.ts'
import type { Receipt } from './receipt.ts'

/** The decoded error of a revert: an error of an ABI, or `Error(string)` or `Panic(uint256)` of Solidity. */
export interface RevertReason {
  readonly name: string
  /** The arguments in the order of the error's parameters, as in viem. */
  readonly args: readonly unknown[]
}

/** An error for code that reverted or halted, such as `transfer reverted: InsufficientBalance(have: 3, want: 5)`. */
export class Reverted extends Error {
  /** The decoded error. `undefined` without revert data, for an unknown error, and if the EVM halted the code. */
  readonly reason: RevertReason | undefined
  /** The revert data as hex, `0x` if there is none. */
  readonly data: Hex
  /** The transaction's hash; `undefined` if none was sent. A transaction that would fail is sent only with `gas`. */
  readonly hash: Hash | undefined
  readonly receipt: Receipt | undefined
  /** The failure and the running Solidity functions, innermost first, as in `stack`. Absent without artifacts. */
  declare readonly solidityStack?: SolidityStackTrace
  /** The URL of the transaction on the devnet's page. Absent if there is no transaction or no page. */
  declare readonly pageUrl?: string

  constructor(message: string, data: Hex, reason: RevertReason | undefined, receipt: Receipt | undefined) {
    super(message)
    this.name = 'Reverted'
    this.reason = reason
    this.data = data
    this.hash = receipt?.transactionHash
    this.receipt = receipt
  }
}

/** @internal The call that failed: its name, its ABI, and all ABIs that may describe its error. */
export interface Called {
  readonly name: string
  readonly contract: ContractAbi | undefined
  readonly abis: Abis
  readonly unpayable?: bigint | undefined
  readonly stackTrace?: LateStackTrace | undefined
  /** The URL of the transaction on the devnet's page. */
  readonly pageUrl?: string | undefined
}

/** @internal Returns the error for a failed call, with the decoded reason. */
export async function reverted(
  failure: ExecutionFailure | undefined,
  called: Called,
  receipt?: Receipt,
  hint?: string,
): Promise<Reverted> {
  const { stackTrace, pageUrl } = called
  return withPageUrl(withSolidityStack(await unlocated(failure, called, receipt, hint), stackTrace), pageUrl)
}

async function unlocated(
  failure: ExecutionFailure | undefined,
  { name, contract, abis, unpayable, stackTrace }: Called,
  receipt: Receipt | undefined,
  hint: string | undefined,
): Promise<Reverted> {
  if (failure === undefined) return new Reverted(`${name} failed`, '0x', undefined, receipt)
  if (failure.kind === 'halt') {
    const text = haltText(failure.reason as Parameters<typeof haltText>[0])
    const why = hint === undefined ? text : `${text}; ${hint}`
    return new Reverted(`${name} failed: ${why}`, '0x', undefined, receipt)
  }
  const data = encodeBytes(failure.data)
  const decoded = await errorOf(data, abis, contract)
  const reason = decoded && { name: decoded.name, args: decoded.args.map(({ value }) => value) }
  const text = revertReason(failure.data) ?? decoded?.text ?? (await undecoded(data, unpayable, stackTrace))
  return new Reverted(`${name} reverted: ${text}`, data, reason, receipt)
}

/** Returns the text for revert data that no ABI decodes. For empty data, repeats the run to find the reason. */
async function undecoded(
  data: Hex,
  unpayable: bigint | undefined,
  stackTrace: LateStackTrace | undefined,
): Promise<string> {
  const known = data === '0x' ? cause(await stackTrace?.soon()) : undefined
  if (known !== undefined) return known
  if (data === '0x' && unpayable !== undefined) {
    return `no reason given; it is not payable by its ABI, and ${unpayable} wei were sent`
  }
  return data === '0x'
    ? 'no reason given'
    : `${shortenedHex(data)}, an error of no known ABI (add it with devnet.abis.add)`
}

/** Returns the URL of a transaction on the devnet's page; `undefined` if the devnet has no page at present. */
export function pageUrlOf({ pageUrls }: Pick<RpcContext, 'pageUrls'>, hash: Hash): string | undefined {
  for (const url of pageUrls) return url + pagePaths.transaction(hash)
  return undefined
}

export function withPageUrl<E extends Error>(error: E, pageUrl: string | undefined): E {
  return pageUrl === undefined ? error : Object.assign(error, { pageUrl })
}
