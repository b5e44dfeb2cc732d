/** A call or transaction that failed, and why. */
import type { Abis } from '../abi/abis.ts'
import { shortenedHex } from '../abi/decoded.ts'
import type { Hash, Hex } from '../model/bytes/hex.ts'
import { revertReason } from '../model/execution/revertReason.ts'
import { haltText } from '../rpc/halts.ts'
import { encodeBytes } from '../wire/hex.ts'
import { type ContractAbi, errorOf } from './contract.ts'
import type { Receipt } from './receipt.ts'

/** What a contract said when it reverted, by an ABI; `Error(string)` and `Panic(uint256)` are Solidity's own. */
export interface RevertReason {
  readonly name: string
  /** In the order of the error's parameters, as viem has them. */
  readonly args: readonly unknown[]
}

/**
 * Code that was run failed: it reverted, or the machine stopped it. The message says what was called and why it failed, such
 * as `transfer reverted: InsufficientBalance(account: 0x…, have: 3, want: 5)`.
 */
export class Reverted extends Error {
  /** `undefined`: it gave none, none of a known ABI, or the machine stopped it. */
  readonly reason: RevertReason | undefined
  /** What it reverted with. */
  readonly data: Hex
  /** The transaction, where one was sent. One that would fail is not, unless `gas` is given. */
  readonly hash: Hash | undefined
  readonly receipt: Receipt | undefined

  constructor(message: string, data: Hex, reason: RevertReason | undefined, receipt: Receipt | undefined) {
    super(message)
    this.name = 'Reverted'
    this.reason = reason
    this.data = data
    this.hash = receipt?.transactionHash
    this.receipt = receipt
  }
}

/** @internal How code failed: as a simulation ends, and as a receipt remembers it. */
export type CallFailure =
  | { readonly kind: 'revert'; readonly data: Uint8Array }
  | { readonly kind: 'halt'; readonly reason: string }

/** @internal What was called, by which ABI, and whom else to ask what an error means. */
export interface Called {
  readonly name: string
  readonly contract: ContractAbi | undefined
  readonly abis: Abis
  /** The wei that were sent to code which takes none, by its ABI. */
  readonly unpayable?: bigint | undefined
}

/** @internal The error that says how what was called failed. */
export async function reverted(
  failure: CallFailure | undefined,
  { name, contract, abis, unpayable }: Called,
  receipt?: Receipt,
  hint?: string,
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
  const text = revertReason(failure.data) ?? decoded?.text ?? undecoded(data, unpayable)
  return new Reverted(`${name} reverted: ${text}`, data, reason, receipt)
}

function undecoded(data: Hex, unpayable: bigint | undefined): string {
  if (data === '0x' && unpayable !== undefined) {
    return `no reason given; it is not payable by its ABI, and ${unpayable} wei were sent`
  }
  return data === '0x'
    ? 'no reason given'
    : `${shortenedHex(data)}, which is no error of an ABI that is known here (devnet.abis.add)`
}
