/** Decodes reverts, compares them with expected reverts, and finds where in Solidity they happened. */

import { fromHex } from '../../bytes/hex.ts'
import type { Abi, Decoded, Devnet, SolidityStackTrace } from '../../index.ts'
import type { Failure } from './failure.ts'
import { explained, knowing } from './outcome.ts'
import { describedExpectation, differences, type ExpectedArgs } from './sameValue.ts'
import { decodedByOne, inUse, locatedBy } from './verdict.ts'

/** An expected revert, given by the text of `require(…, 'text')`, the code of a panic, or an error of an ABI. */
export type ExpectedRevert =
  | { readonly kind: 'text'; readonly text: string | RegExp }
  | { readonly kind: 'panic'; readonly code: bigint }
  | { readonly kind: 'error'; readonly abi: Abi; readonly name: string; readonly args: ExpectedArgs }

export interface Revert {
  /** The text passed to `require` or `revert`. */
  readonly reason: string | undefined
  readonly decoded: Decoded | undefined
  /** The description of the revert in messages. */
  readonly text: string
}

/** The errors that are built into Solidity. Reverts with them are decoded without a contract's ABI. */
const STANDARD = ['error Error(string)', 'error Panic(uint256)']

/** Decodes the revert of `failure` by `abi`, by the ABIs of `devnet`, or as a built-in error of Solidity. */
export async function revertOf(failure: Failure, abi?: Abi, devnet?: Devnet): Promise<Revert> {
  const { data = '0x', words } = failure
  if (data === '0x') {
    const { stackTrace } = failure
    const isPlain = words === '' || /revert/i.test(words)
    const isTold = stackTrace !== undefined && stackTrace.kind !== 'revert'
    const plain = isTold ? `it reverted: ${stackTrace.message}` : 'it reverted without a reason'
    return { reason: undefined, decoded: undefined, text: isPlain ? plain : `it failed: ${words}` }
  }
  const { Abis, revertReason } = await import('../../index.ts')
  const own = new Abis()
  own.add(STANDARD)
  if (abi !== undefined) own.add(abi)
  const decoded =
    (await own.decodeError(data)) ?? (await decodedByOne(devnet, (abis) => abis.decodeError(data)))
  if (decoded?.name === 'Error') {
    const reason = String(decoded.args[0]?.value)
    return { reason, decoded, text: `it reverted with ${JSON.stringify(reason)}` }
  }
  if (decoded?.name === 'Panic') {
    const code = `0x${BigInt(decoded.args[0]?.value as bigint).toString(16)}`
    const meaning = revertReason(fromHex(data))
    return { reason: undefined, decoded, text: `it panicked with ${code} (${meaning})` }
  }
  if (decoded !== undefined) return { reason: undefined, decoded, text: `it reverted with ${decoded.text}` }
  const unknown = `it reverted with ${data}, an error of no known ABI (add it with devnet.abis.add)`
  const { stackTrace } = failure
  const isTold = stackTrace?.kind === 'customError'
  return { reason: undefined, decoded, text: isTold ? `it ${stackTrace.message}` : unknown }
}

/** Returns whether the revert is as expected. If not, `differences` may have lines that explain why. */
export function compared(
  { reason, decoded }: Revert,
  expected: ExpectedRevert,
): { readonly isSame: boolean; readonly differences: readonly string[] } {
  switch (expected.kind) {
    case 'text': {
      const { text } = expected
      if (typeof text === 'string') {
        const hint = `an error is named with its ABI: toRevertWith(abi, ${JSON.stringify(text)})`
        return { isSame: reason === text, differences: decoded?.name === text ? [hint] : [] }
      }
      return alone([reason, decoded?.text].some((words) => words !== undefined && text.test(words)))
    }
    case 'panic':
      return alone(decoded?.name === 'Panic' && decoded.args[0]?.value === expected.code)
    case 'error': {
      if (decoded?.name !== expected.name) return alone(false)
      const lines = differences(decoded, expected.args)
      return { isSame: lines.length === 0, differences: lines }
    }
  }
}

export function describedRevert(expected: ExpectedRevert): string {
  switch (expected.kind) {
    case 'text':
      return typeof expected.text === 'string' ? JSON.stringify(expected.text) : String(expected.text)
    case 'panic':
      return `the panic 0x${expected.code.toString(16)}`
    case 'error':
      return describedExpectation(expected.name, expected.args)
  }
}

/** Throws a `TypeError` if the ABI lacks the error or event: then the assertion could never pass. */
export function requireItem(abi: Abi, type: 'error' | 'event', name: string): void {
  if (!Array.isArray(abi)) {
    throw new TypeError(`expected an ABI (an array), got ${abi === null ? 'null' : typeof abi}`)
  }
  const names = abi.map((item) => nameIn(item, type)).filter((each) => each !== undefined)
  if (names.includes(name)) return
  const known =
    names.length === 0 ? `it has no ${type}s` : `its ${type}s are ${[...new Set(names)].join(', ')}`
  throw new TypeError(`the ABI has no ${type} ${name}: ${known}`)
}

function nameIn(item: Abi[number], type: string): string | undefined {
  if (typeof item === 'string') return new RegExp(`^\\s*${type}\\s+(\\w+)`).exec(item)?.[1]
  return item.type === type ? (item as { name?: string }).name : undefined
}

function alone(isSame: boolean) {
  return { isSame, differences: [] }
}

/** Returns the Solidity stack trace of the failure, from the error or a second run; `undefined` without artifacts. */
export async function whereFailed(
  failure: Failure,
  devnet: Devnet | undefined,
): Promise<SolidityStackTrace | undefined> {
  const { stackTrace, hash, request, data } = failure
  if (stackTrace !== undefined) return stackTrace
  const onlyOne = inUse.size === 1 ? [...inUse][0] : undefined
  const asked = devnet ?? (hash === undefined ? onlyOne : await knowing(hash))
  if (asked === undefined) return undefined
  if (hash !== undefined) return (await explained(asked, hash, true)).stackTrace
  return request && whereRequestFails(asked, request, data)
}

/** Returns an error with the Solidity frames of `failure`, for an assertion that expects `wanted` instead. */
export async function unexpectedFailure(
  failure: Failure,
  wanted: string,
  devnet: Devnet | undefined,
  abi?: Abi,
): Promise<Error> {
  const { text } = await revertOf(failure, abi, devnet)
  return locatedBy(() => whereFailed(failure, devnet), new Error(`expected ${wanted}, but ${text}`))
}

/** Repeats the request, because errors of ethers lack the stack trace. Returns `undefined` if the new error differs. */
async function whereRequestFails(
  devnet: Devnet,
  { method, params }: NonNullable<Failure['request']>,
  data: Failure['data'],
): Promise<SolidityStackTrace | undefined> {
  try {
    await devnet.faultlessRequest(method, params)
    return undefined
  } catch (error) {
    const now = error as { readonly data?: unknown; readonly solidityStack?: SolidityStackTrace }
    return selectorOf(now.data) === selectorOf(data) ? now.solidityStack : undefined
  }
}

/** Returns the selector of revert data. Arguments are not compared: if ethers omits the sender, they may differ. */
function selectorOf(data: unknown): string {
  return String(data ?? '0x').slice(0, 10)
}
