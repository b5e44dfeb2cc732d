/** Contracts of the chain (`preseal_listContracts`), and names that users can enter instead of addresses. */
import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Hex } from '../../bytes/hex.ts'
import type { Names } from '../input/abiInput.ts'
import type { BlockParameter } from '../moment.ts'
import { type Ask, request } from '../source/source.ts'

export const unlocked = signal<readonly Sending[]>([])

/** All named accounts. Several accounts may have the same name. */
export const named = signal<readonly Named[]>([])

/** Maximum number of contracts whose ABIs are requested together. */
const MOST_CONTRACTS = 50

/** The addresses of named contracts, at most `MOST_CONTRACTS`. */
export const namedContracts = computed(() => {
  const first = unlocked.value.length
  return named.value.slice(first, first + MOST_CONTRACTS).map(({ address }) => address)
})

export const areNamesHere = signal(false)

/** The addresses of accounts, keyed by lower-case name. Contains only names that belong to one account. */
export const names = computed(() => unambiguous(named.value))

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

/** Loads the names when the component mounts, and again when `key` changes. */
export function useNames(key: string): void {
  useEffect(() => {
    void loadNames()
  }, [key])
}

export async function loadNames(): Promise<void> {
  const [accounts, { contracts }] = await Promise.all([
    sendingAccounts(request).catch(() => []),
    listContracts(request).catch(() => ({ contracts: [] as ListedContract[] })),
  ])
  unlocked.value = accounts
  named.value = namedOf(accounts, contracts)
  areNamesHere.value = true
}

interface Named {
  readonly name: string
  readonly address: Hex
}

export interface Sending extends Named {
  readonly isImpersonated: boolean
}

/** Resolves to the accounts for which the devnet signs, named `account 0`, …, then `impersonated 0`, … */
export async function sendingAccounts(request: Ask): Promise<readonly Sending[]> {
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

export function namedOf(accounts: readonly Named[], contracts: readonly ListedContract[]): readonly Named[] {
  return [
    ...accounts,
    ...contracts.flatMap(({ name, address }) => (name === null ? [] : [{ name, address }])),
  ]
}

/** Returns the addresses of accounts, keyed by lower-case name. Omits names that several accounts share. */
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

/** Replaces names in brackets by their addresses, such as in `balances[account 1]`. */
export function withAddresses(text: string, names: Names): string {
  return text.replace(/\[\s*([^\]"]+?)\s*\]/g, (whole, key: string) => {
    const address = names.get(key.toLowerCase())
    return address === undefined ? whole : `[${address}]`
  })
}

export interface ListedContract {
  readonly address: Hex
  /** `null` if the devnet does not know the contract. */
  readonly name: string | null
  readonly codeSize: Hex
  /** The kind of proxy, such as `eip1967`. `null` if the contract is not a proxy. */
  readonly proxy: string | null
}

/** Returns the displayed name of a kind of proxy, such as `EIP-1967`. */
export function proxyText(kind: string): string {
  return kind.replace(/^eip/, 'EIP-')
}

export interface ContractList {
  /** Sorted by name. Contracts without a name are at the end. */
  readonly contracts: readonly ListedContract[]
  readonly isCut: boolean
}

const PAGE = 1_000
/** Maximum number of requests, because a forked chain may have any number of contracts. */
const MOST_PAGES = 5

export async function listContracts(request: Ask, block: BlockParameter = 'pending'): Promise<ContractList> {
  const contracts: ListedContract[] = []
  let after: Hex | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const part = { limit: PAGE, ...(after && { after }) }
    const answer = await request<{ contracts: ListedContract[]; next?: Hex | null }>(
      'preseal_listContracts',
      [block, part],
    )
    contracts.push(...answer.contracts)
    after = answer.next ?? undefined
    if (after === undefined) break
  }
  return { contracts: contracts.sort(byName), isCut: after !== undefined }
}

function byName(one: ListedContract, other: ListedContract): number {
  if (one.name === null || other.name === null) {
    if (one.name !== other.name) return one.name === null ? 1 : -1
    return one.address < other.address ? -1 : 1
  }
  return one.name.localeCompare(other.name) || (one.address < other.address ? -1 : 1)
}

/** Returns the contracts whose name contains `text`, or whose address begins with `text`. Ignores case. */
export function contractsLike(contracts: readonly ListedContract[], text: string): readonly ListedContract[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return contracts
  return contracts.filter(
    ({ name, address }) => name?.toLowerCase().includes(wanted) || address.startsWith(wanted),
  )
}

/** Returns the contracts named `text`; if none, the contracts whose name contains `text`. Ignores case. */
export function contractsNamed(
  contracts: readonly ListedContract[],
  text: string,
): readonly ListedContract[] {
  const wanted = text.trim().toLowerCase()
  const exact = contracts.filter(({ name }) => name?.toLowerCase() === wanted)
  return exact.length > 0 ? exact : contractsLike(contracts, text).filter(({ name }) => name !== null)
}
