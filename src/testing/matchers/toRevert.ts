import type { Abi, Devnet } from '../../index.ts'
import { namesOf, requireOptions } from '../../model/api/arguments.ts'
import {
  attend,
  type Explanation,
  explained,
  type Given,
  hashIn,
  knowing,
  type OnDevnet,
  type Outcome,
  outcomeOf,
  settled,
} from './outcome.ts'
import {
  compared,
  describedRevert,
  type ExpectedRevert,
  requireItem,
  revertOf,
  whereFailed,
} from './revert.ts'
import { type ExpectedArgs, shown } from './sameValue.ts'
import { Foreign, type Verdict } from './verdict.ts'

const ON_DEVNET = namesOf<OnDevnet>({ devnet: true })

/** The text passed to `require`, a pattern for this text, or the code of a Solidity panic. */
export type Reason = string | RegExp | { readonly panic: number | bigint }

export async function toRevert(given: Given, options: OnDevnet = {}): Promise<Verdict> {
  attend(given)
  requireOptions('toRevert', options, ON_DEVNET)
  const outcome = await outcomeOf(given, options)
  if (outcome.kind !== 'failed') {
    return { pass: false, message: () => `expected a revert, but ${success(outcome)}` }
  }
  const { failure } = outcome
  const { text } = await revertOf(failure, undefined, options.devnet)
  return {
    pass: true,
    message: () => `expected no revert, but ${text}`,
    where: () => whereFailed(failure, options.devnet),
  }
}

export function toRevertWith(given: Given, reason: Reason, options?: OnDevnet): Promise<Verdict>
export function toRevertWith(
  given: Given,
  abi: Abi,
  name: string,
  args?: ExpectedArgs,
  options?: OnDevnet,
): Promise<Verdict>
export async function toRevertWith(given: Given, ...expectation: readonly unknown[]): Promise<Verdict> {
  attend(given)
  const expected = expectedRevert(expectation)
  const options = optionsIn(expectation)
  requireOptions('toRevertWith', options, ON_DEVNET)
  return verdict(await outcomeOf(given, options), expected, options)
}

async function verdict(outcome: Outcome, expected: ExpectedRevert, { devnet }: OnDevnet): Promise<Verdict> {
  const wanted = describedRevert(expected)
  if (outcome.kind !== 'failed') {
    return { pass: false, message: () => `expected a revert with ${wanted}, but ${success(outcome)}` }
  }
  const abi = expected.kind === 'error' ? expected.abi : undefined
  const { failure } = outcome
  const revert = await revertOf(failure, abi, devnet)
  const { isSame, differences } = compared(revert, expected)
  const message = isSame
    ? `expected no revert with ${wanted}, but ${revert.text}`
    : [`expected a revert with ${wanted}, but ${revert.text}`, ...differences].join('\n  ')
  return { pass: isSame, message: () => message, where: () => whereFailed(failure, devnet) }
}

function expectedRevert(expectation: readonly unknown[]): ExpectedRevert {
  const [what, name, args] = expectation
  if (typeof what === 'string' || what instanceof RegExp) return { kind: 'text', text: what }
  if (Array.isArray(what)) {
    const abi = what as Abi
    requireItem(abi, 'error', name as string)
    return { kind: 'error', abi, name: name as string, args: args as ExpectedArgs }
  }
  const panic = (what as { panic?: number | bigint } | null | undefined)?.panic
  if (panic !== undefined) return { kind: 'panic', code: BigInt(panic) }
  throw new TypeError(
    `toRevertWith: expected (abi, name, args?), a text, a pattern or { panic: 0x11 }, got ${shown(what)}`,
  )
}

function optionsIn(expectation: readonly unknown[]): OnDevnet {
  return ((Array.isArray(expectation[0]) ? expectation[3] : expectation[1]) ?? {}) as OnDevnet
}

export function success(outcome: Exclude<Outcome, { kind: 'failed' }>): string {
  if (outcome.kind === 'answered') return `it answered ${shown(outcome.value)}`
  return `the transaction${outcome.hash === undefined ? '' : ` ${outcome.hash}`} succeeded`
}

/** Passes if the transaction is pre-confirmed. Unlike other matchers, this one and `toBeSealed` do not mine. */
export function toBePreconfirmed(given: Given, devnet?: Devnet): Promise<Verdict> {
  return hasStatus(given, devnet, 'preconfirmed', 'pre-confirmed')
}

export function toBeSealed(given: Given, devnet?: Devnet): Promise<Verdict> {
  return hasStatus(given, devnet, 'sealed', 'sealed')
}

async function hasStatus(
  given: Given,
  devnet: Devnet | undefined,
  wanted: Explanation['status'],
  word: string,
): Promise<Verdict> {
  const result = await settled(given)
  if ('error' in result) throw new Foreign(result.error)
  const { value } = result
  const hash = hashIn(value)
  if (hash === undefined) {
    throw new TypeError(
      `expected a transaction: its hash, or an answer or receipt with it; got ${shown(value)}`,
    )
  }
  const asked = devnet ?? (await knowing(hash))
  if (asked === undefined) throw new TypeError(`expected the devnet of the transaction ${hash}, got none`)
  const { status, reason } = await explained(asked, hash)
  const pass = status === wanted
  return {
    pass,
    message: () => `expected the transaction ${hash} ${pass ? 'not ' : ''}to be ${word}, but ${reason}`,
  }
}
