/** The names of accounts that a reader may choose from or type: of known contracts, and of those from which the devnet sends. */
import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Names } from '../input/abiInput.ts'
import { source } from '../source/index.ts'
import { type ListedContract, listContracts } from './contracts.ts'
import { type Named, namedOf, type Sending, sendingAccounts, unambiguous } from './named.ts'

/** The accounts from which the devnet sends. */
export const unlocked = signal<readonly Sending[]>([])

/** The accounts that have names: a name may be that of several. */
export const named = signal<readonly Named[]>([])

/** Whether the names were asked for, and are here. */
export const areNamesHere = signal(false)

/** Names that mean one account, in lower case. */
export const names = signal<Names>(new Map())

/** Returns the name that means this account and no other. */
export function nameOf(address: string): string | undefined {
  return namesByAddress.value.get(address.toLowerCase())
}

const namesByAddress = computed(
  () =>
    new Map(
      named.value.flatMap(({ name, address }) =>
        names.value.get(name.toLowerCase()) === address ? [[address.toLowerCase(), name]] : [],
      ),
    ),
)

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
    sendingAccounts(ask).catch((): readonly Sending[] => []),
    listContracts(ask).catch(() => ({ contracts: [] as ListedContract[] })),
  ])
  unlocked.value = accounts
  named.value = namedOf(accounts, contracts)
  names.value = unambiguous(named.value)
  areNamesHere.value = true
}
