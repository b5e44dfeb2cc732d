/** Which account a name means. */
import type { Names } from '../input/abiInput.ts'
import type { Hex } from '../source/answers.ts'
import type { ListedContract } from './contracts.ts'

export interface Named {
  readonly name: string
  readonly address: Hex
}

/** Returns the accounts with names, those that the devnet signs for first. */
export function namedOf(accounts: readonly Hex[], contracts: readonly ListedContract[]): readonly Named[] {
  return [
    ...accounts.map((address, i) => ({ name: `account ${i}`, address })),
    ...contracts.flatMap(({ name, address }) => (name === null ? [] : [{ name, address }])),
  ]
}

/** Returns the addresses by those names that only one account has. */
export function unambiguous(all: readonly Named[]): Names {
  const found = new Map<string, string>()
  const shared = new Set<string>()
  for (const { name, address } of all) {
    const key = name.toLowerCase()
    if (found.has(key)) shared.add(key)
    else found.set(key, address)
  }
  for (const key of shared) found.delete(key)
  return found
}
