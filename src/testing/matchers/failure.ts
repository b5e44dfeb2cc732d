/** What an error says about a transaction or call that failed: an error of viem, ethers, web3.js, or of a devnet itself. */
import { isHex } from './sameValue.ts'

/** Code that ran, and did not come to its end. */
export interface Failure {
  /** What it said. */
  readonly data: `0x${string}` | undefined
  /** Why, in the words of whoever ran it, where it said nothing. */
  readonly words: string
  /** Of the transaction, where it was sent. */
  readonly hash: string | undefined
}

/** What of an error may be an error, too: `cause` of viem and web3.js, `info.error` of ethers, `data` of nodes that wrap. */
const WITHIN = ['cause', 'error', 'innerError', 'info', 'data'] as const

/** The failure that `error` tells of, or `undefined` where it tells of something else. */
export function failureIn(error: unknown): Failure | undefined {
  const parts = partsOf(error)
  if (!parts.some(saysSo)) return undefined
  // ethers has it at the top, viem at the bottom or as `raw`. Beside it stand hashes, under other names.
  const data = parts.flatMap(({ data, raw }) => [raw, data]).find(isHex)
  const hash = parts.flatMap(({ hash, receipt }) => [hash, ...hashesOf(receipt)]).find(isHash)
  const words = parts.map(({ message }) => message).findLast((message) => typeof message === 'string')
  return { data, words: words ?? '', hash }
}

/** Whether `value` is 32 bytes as hex, which is what hashes are. */
export function isHash(value: unknown): value is `0x${string}` {
  return isHex(value) && value.length === 66
}

/** The hash of the transaction that a receipt or answer of any library is about. */
export function hashesOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const { transactionHash, hash } = value as Record<string, unknown>
  return [transactionHash, hash]
}

type Part = Readonly<Record<string, unknown>>

/** `error` and all errors in it, the outermost first. */
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

/** viem's and ethers' names for it, geth's code, and the words that nodes have: of reverts, and of what stops the machine. */
function saysSo({ name, code, message }: Part): boolean {
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
