/** Matchers of the state of a transaction. They do not mine. */
import type { Devnet } from '../../index.ts'
import { type Explanation, explained, type Given, hashIn, knowing, settled } from './outcome.ts'
import { shown } from './sameValue.ts'
import { Foreign } from './traced.ts'
import type { Verdict } from './verdict.ts'

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
