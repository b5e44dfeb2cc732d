/** The names of accounts that a reader may choose from or type: of known contracts, and of those from which the devnet sends. */
import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Hex } from '../../bytes/hex.ts'
import type { Names } from '../input/abiInput.ts'
import { request, type Source } from '../source/source.ts'
import { type ListedContract, listContracts } from './contracts.ts'

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

/** Requester for the names when a component is first there. */
export function useNames(): void {
  useEffect(() => {
    void ask()
  }, [])
}

async function ask(): Promise<void> {
  const [accounts, { contracts }] = await Promise.all([
    sendingAccounts(request).catch((): readonly Sending[] => []),
    listContracts(request).catch(() => ({ contracts: [] as ListedContract[] })),
  ])
  unlocked.value = accounts
  named.value = namedOf(accounts, contracts)
  names.value = unambiguous(named.value)
  areNamesHere.value = true
}

/** Which account a name means. */
interface Named {
  readonly name: string
  readonly address: Hex
}

/** An account from which the devnet sends. */
export interface Sending extends Named {
  /** It sends without a key. */
  readonly isImpersonated: boolean
}

/** Resolves with the accounts from which the devnet sends: `account 0` and so on, and then `impersonated 0` and so on. */
export async function sendingAccounts(request: Source['request']): Promise<readonly Sending[]> {
  const [all, withKeys] = await Promise.all([
    request<readonly Hex[]>('eth_accounts'),
    request<readonly Hex[]>('personal_listAccounts').catch(() => undefined),
  ])
  const keys = withKeys && new Set(withKeys)
  const hasKey = (address: Hex) => keys?.has(address) ?? true
  return [
    ...all.filter(hasKey).map((address, i) => ({ address, name: `account ${i}`, isImpersonated: false })),
    ...all
      .filter((address) => !hasKey(address))
      .map((address, i) => ({ address, name: `impersonated ${i}`, isImpersonated: true })),
  ]
}

/** Returns the accounts with names, those that the devnet sends from first. */
export function namedOf(accounts: readonly Named[], contracts: readonly ListedContract[]): readonly Named[] {
  return [
    ...accounts,
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

/** Returns `text` with addresses for the names of accounts that stand in brackets: `balances[account 1]`. */
export function withAddresses(text: string, names: Names): string {
  return text.replace(/\[\s*([^\]"]+?)\s*\]/g, (whole, key: string) => {
    const address = names.get(key.toLowerCase())
    return address === undefined ? whole : `[${address}]`
  })
}
