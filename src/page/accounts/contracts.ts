/** Requests and searches the list of all contracts of the chain (`preseal_listContracts`). */
import type { Hex } from '../../bytes/hex.ts'
import type { BlockParameter } from '../moment.ts'
import type { Source } from '../source/source.ts'

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

export async function listContracts(
  request: Source['request'],
  block: BlockParameter = 'pending',
): Promise<ContractList> {
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
