/** The contracts of the chain, by name (`preseal_listContracts`). */
import type { Hex } from '../../bytes/hex.ts'
import type { BlockParameter } from '../moment.ts'
import type { Source } from '../source/source.ts'

export interface ListedContract {
  readonly address: Hex
  /** `null` where nothing is known of the code. */
  readonly name: string | null
  readonly codeSize: Hex
  /** The kind of proxy; `null` for what is none. */
  readonly proxy: string | null
}

/** Returns the kind of a proxy as it is called: `EIP-1967`. */
export function proxyText(kind: string): string {
  return kind.replace(/^eip/, 'EIP-')
}

interface ContractPage {
  readonly contracts: readonly ListedContract[]
  readonly next?: Hex | null
}

export interface ContractList {
  /** Those with names first, by name. */
  readonly contracts: readonly ListedContract[]
  /** Whether there are more than were asked for. */
  readonly isCut: boolean
}

const PAGE = 1_000
/** More pages are not asked for: a fork of a network may have any number of contracts. */
const MOST_PAGES = 5

/** Resolves with the contracts at `block`. */
export async function listContracts(
  request: Source['request'],
  block: BlockParameter = 'pending',
): Promise<ContractList> {
  const contracts: ListedContract[] = []
  let after: Hex | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer: ContractPage = await request('preseal_listContracts', [
      block,
      { limit: PAGE, ...(after && { after }) },
    ])
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

/** Returns those whose name has `text` in it, with any capitals, or whose address begins with it. Empty text: all. */
export function contractsLike<T extends Pick<ListedContract, 'name' | 'address'>>(
  contracts: readonly T[],
  text: string,
): readonly T[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return contracts
  return contracts.filter(
    ({ name, address }) => name?.toLowerCase().includes(wanted) || address.startsWith(wanted),
  )
}

/** Returns those that are named exactly `text`, with any capitals; if there are none, those whose names have it in them. */
export function contractsNamed(
  contracts: readonly ListedContract[],
  text: string,
): readonly ListedContract[] {
  const wanted = text.trim().toLowerCase()
  const exact = contracts.filter(({ name }) => name?.toLowerCase() === wanted)
  return exact.length > 0 ? exact : contractsLike(contracts, text).filter(({ name }) => name !== null)
}
