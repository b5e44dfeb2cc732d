/** Finds the failure of a transaction or call in an error of viem, ethers, web3.js, or of a devnet. */
import type { SolidityStackTrace } from '../../index.ts'
import { isHex } from './sameValue.ts'

/** The failure of code: a revert or a halt of the EVM. */
export interface Failure {
  /** The revert data. */
  readonly data: `0x${string}` | undefined
  /** The message of the library or node, for a failure without revert data. */
  readonly words: string
  /** The hash of the transaction, if one was sent. */
  readonly hash: string | undefined
  /** Where in Solidity code failed, if the error shows it, which may be found when it is read. */
  readonly stackTrace?: SolidityStackTrace | undefined
  /** The request that was refused, if the error keeps it. */
  readonly request?: { readonly method: string; readonly params: readonly unknown[] } | undefined
}

/** Members of errors that may hold another error: of viem and web3.js, of ethers (`info.error`), of nodes. */
const WITHIN = ['cause', 'error', 'innerError', 'info', 'data'] as const

/** Returns the failure that `error` describes; `undefined` if it describes no failure of code. */
export function failureIn(error: unknown): Failure | undefined {
  const parts = partsOf(error)
  if (!parts.some(isFailure)) return undefined
  // ethers has the data in the outermost error, viem in the innermost or as `raw`. Hashes have other names.
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

/** Returns the request that ran code, if the error has it, as errors of ethers do. */
function requestIn({ code, transaction }: Part): Failure['request'] {
  if (code !== 'CALL_EXCEPTION' || typeof transaction !== 'object' || transaction === null) return undefined
  return { method: 'eth_call', params: [transaction, 'pending'] }
}

/** Of an error in process, or of the JSON-RPC error that clients keep as `cause` or `info.error`. */
function isStackTrace(value: unknown): value is SolidityStackTrace {
  return typeof value === 'object' && value !== null && Array.isArray((value as { frames?: unknown }).frames)
}

export function isHash(value: unknown): value is `0x${string}` {
  return isHex(value) && value.length === 66
}

/** Returns the hash of the transaction in a receipt or response of any library. */
export function hashesOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const { transactionHash, hash } = value as Record<string, unknown>
  return [transactionHash, hash]
}

type Part = Readonly<Record<string, unknown>>

/** Returns `error` and all errors in it, the outermost first. */
function partsOf(error: unknown): readonly Part[] {
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

/** Recognises a revert or halt by the error names of viem and ethers, geth's code, and messages of nodes. */
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
