/** Which account a name means. */
import type { Names } from '../input/abiInput.ts'
import type { Hex } from '../source/answers.ts'
import type { Source } from '../source/source.ts'
import type { ListedContract } from './contracts.ts'

export interface Named {
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
