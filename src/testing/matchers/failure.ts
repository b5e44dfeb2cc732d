/** Finds out from an error of viem, ethers, web3.js or a devnet how a transaction or call failed. */
import type { SolidityStackTrace } from '../../index.ts'
import { isHex } from './sameValue.ts'

/** A revert, or a halt of the EVM. */
export interface Failure {
  readonly data: `0x${string}` | undefined
  /** The message of the library or node, which is used if there is no revert data. */
  readonly words: string
  readonly hash: string | undefined
  /** The Solidity stack trace, if the error has one. Reading it may repeat the failed run. */
  readonly stackTrace?: SolidityStackTrace | undefined
  /** The failed request, if the error has it. */
  readonly request?: { readonly method: string; readonly params: readonly unknown[] } | undefined
}

/** Members in which errors of viem, web3.js, ethers (`info.error`) and nodes hold other errors. */
const WITHIN = ['cause', 'error', 'innerError', 'info', 'data'] as const

/** Returns the failure that `error` describes; `undefined` if the error is not about a revert or halt. */
export function failureIn(error: unknown): Failure | undefined {
  const parts = partsOf(error)
  if (!parts.some(isFailure)) return undefined
  // ethers has the data in the outermost error, viem in the innermost or in `raw`. Hashes are in other members.
  const data = parts.flatMap(({ data, raw }) => [raw, data]).find(isHex)
  const hash = parts.flatMap(({ hash, receipt }) => [hash, ...hashesOf(receipt)]).find(isHash)
  const words = parts.map(({ message }) => message).findLast((message) => typeof message === 'string')
  const request = parts.map(requestIn).find((each) => each !== undefined)
  return {
    data,
    words: words ?? '',
    hash,
    get stackTrace() {
      return parts.flatMap((part) => [part.solidityStack, part.stackTrace]).find(isStackTrace)
    },
    request,
  }
}

function requestIn({ code, transaction }: Part): Failure['request'] {
  if (code !== 'CALL_EXCEPTION' || typeof transaction !== 'object' || transaction === null) return undefined
  return { method: 'eth_call', params: [transaction, 'pending'] }
}

/** Recognises a devnet's stack trace, which clients keep in the `cause` or `info.error` of their own errors. */
function isStackTrace(value: unknown): value is SolidityStackTrace {
  return typeof value === 'object' && value !== null && Array.isArray((value as { frames?: unknown }).frames)
}

export function isHash(value: unknown): value is `0x${string}` {
  return isHex(value) && value.length === 66
}

/** Returns the members that may be the transaction's hash, in a receipt or response of any library. */
export function hashesOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const { transactionHash, hash } = value as Record<string, unknown>
  return [transactionHash, hash]
}

type Part = Readonly<Record<string, unknown>>

/** Returns `error` and all errors that it holds, the outermost first. */
export function partsOf(error: unknown): readonly Part[] {
  const parts: Part[] = []
  const waiting = [error]
  while (waiting.length > 0) {
    const part = waiting.shift()
    if (typeof part !== 'object' || part === null || parts.includes(part as Part)) continue
    parts.push(part as Part)
    waiting.push(...WITHIN.map((name) => (part as Part)[name]))
  }
  return parts
}

/** Recognises an error about a revert or halt by its name (viem, ethers), its code (geth), or its message (nodes). */
function isFailure({ name, code, message }: Part): boolean {
  return (
    name === 'Reverted' ||
    code === 'CALL_EXCEPTION' ||
    code === GETH_REVERT ||
    (typeof message === 'string' && STOPPED.test(message))
  )
}

const GETH_REVERT = 3
const STOPPED =
  /\brevert(ed)?\b|out of gas|EVM error|invalid opcode|invalid jump|stack underflow|stack limit|write protection/i
