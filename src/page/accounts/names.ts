/** The names of accounts that a reader may choose from or type: of known contracts, and `account 0` for those the devnet signs for. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Names } from '../input/abiInput.ts'
import type { Hex } from '../source/answers.ts'
import { source } from '../source/index.ts'
import { type ListedContract, listContracts } from './contracts.ts'

/** The accounts for which the devnet signs (`eth_accounts`). */
export const unlocked = signal<readonly Hex[]>([])

export interface Named {
  readonly name: string
  readonly address: Hex
}

/** The accounts that have names: a name may be that of several. */
export const named = signal<readonly Named[]>([])

/** Names that mean one account, in lower case. */
export const names = signal<Names>(new Map())

/** Asks for the names when a component is first there. */
export function useNames(): void {
  useEffect(() => {
    void ask()
  }, [])
}

async function ask(): Promise<void> {
  const { request } = source()
  const ask = request.bind(source()) as typeof request
  const [accounts, { contracts }] = await Promise.all([
    ask<readonly Hex[]>('eth_accounts').catch((): readonly Hex[] => []),
    listContracts(ask).catch(() => ({ contracts: [] as ListedContract[] })),
  ])
  unlocked.value = accounts
  named.value = namedOf(accounts, contracts)
  names.value = unambiguous(named.value)
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
